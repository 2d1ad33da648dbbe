// defect: after-free
#include <pthread.h>
#include <stdlib.h>
static int *shared;
static void *finish(void *unused) {
    free(shared); // ended
    return unused;
}
int main(void) {
    pthread_t thread;
    shared = malloc(100); // allocated
    shared[5] = 1;
    if (pthread_create(&thread, NULL, finish, NULL)) return 2;
    pthread_join(thread, NULL);
    shared[5]++; // here
    return 0;
}
