#include <pthread.h>
#include <stdlib.h>
enum { ITEMS = 64 };
static int *items;
static pthread_barrier_t filled;
static void *fill(void *unused) {
    for (int i = 0; i < ITEMS; i++) items[i] = i;
    pthread_barrier_wait(&filled);
    return unused;
}
int main(void) {
    pthread_t thread;
    int sum = 0;
    items = malloc(ITEMS * sizeof *items);
    pthread_barrier_init(&filled, NULL, 2);
    if (pthread_create(&thread, NULL, fill, NULL)) return 2;
    pthread_barrier_wait(&filled);
    for (int i = 0; i < ITEMS; i++) sum += items[i];
    pthread_join(thread, NULL);
    pthread_barrier_destroy(&filled);
    free(items);
    return sum != ITEMS * (ITEMS - 1) / 2;
}
