// defect: after-free
#include <stdlib.h>
struct node { struct node *next; long value; };
static struct node *make(long value) {
    struct node *n = malloc(sizeof *n); // allocated
    n->next = NULL;
    n->value = value;
    return n;
}
int main(void) {
    struct node *n = make(7);
    free(n); // ended
    n->value = 8; // here
    return 0;
}
