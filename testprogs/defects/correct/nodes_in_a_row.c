#include <stdlib.h>
struct node { long key, value, more[4]; };
int main(void) {
    struct node *nodes[60];
    long sum = 0;
    for (int i = 0; i < 60; i++) {
        nodes[i] = malloc(sizeof **nodes);
        nodes[i]->key = i;
        nodes[i]->value = 2 * i;
    }
    for (int i = 0; i < 60; i++) sum += nodes[i]->value;
    for (int i = 59; i >= 0; i--) sum += nodes[i]->key;
    for (int i = 0; i < 60; i++) free(nodes[i]);
    return sum != 3 * 60 * 59 / 2;
}
