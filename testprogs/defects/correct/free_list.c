#include <stdlib.h>
union slot { union slot *next; char room[48]; };
static union slot *slots, *unused;
static void *take(void) {
    union slot *slot = unused;
    if (slot) unused = slot->next;
    return slot;
}
static void give(void *p) {
    union slot *slot = p;
    slot->next = unused;
    unused = slot;
}
int main(void) {
    slots = malloc(8 * sizeof *slots);
    for (int i = 0; i < 8; i++) give(&slots[i]);
    for (int round = 0; round < 30; round++) {
        int *a = take(), *b = take();
        *a = round;
        *b = 2 * *a;
        give(a);
        give(b);
    }
    free(slots);
    return 0;
}
