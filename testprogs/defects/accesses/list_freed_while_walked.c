// defect: after-free
// also: invalid-free
#include <stdlib.h>
struct node { struct node *next; int value; };
int main(void) {
    struct node *head = NULL;
    for (int i = 0; i < 3; i++) {
        struct node *n = malloc(sizeof *n); // allocated
        n->next = head;
        n->value = i;
        head = n;
    }
    for (struct node *n = head; n; n = n->next) // here
        free(n); // ended
    return 0;
}
