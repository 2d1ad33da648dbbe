#include <stdlib.h>
struct ring { int *items; unsigned head, tail, mask; };
int main(void) {
    struct ring *ring = malloc(sizeof *ring);
    ring->mask = 15;
    ring->head = ring->tail = 0;
    ring->items = malloc(16 * sizeof *ring->items);
    int sum = 0;
    for (int i = 0; i < 100; i++) {
        ring->items[ring->tail++ & ring->mask] = i;
        if (i % 3) sum += ring->items[ring->head++ & ring->mask];
        if (ring->tail - ring->head == 16) sum += ring->items[ring->head++ & ring->mask];
    }
    free(ring->items);
    free(ring);
    return sum < 0;
}
