#include <stdlib.h>
struct node { struct node *next; int value; };
int main(void) {
    struct node *head = NULL;
    int sum = 0;
    for (int i = 0; i < 20; i++) {
        struct node *n = malloc(sizeof *n);
        n->next = head;
        n->value = i;
        head = n;
    }
    while (head) {
        struct node *next = head->next;
        sum += head->value;
        free(head);
        head = next;
    }
    return sum != 190;
}
