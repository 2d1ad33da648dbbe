#include <pthread.h>
#include <stdlib.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static int *box;
static void *produce(void *unused) {
    for (int i = 0; i < 20; i++) {
        int *item = malloc(10 * sizeof *item);
        for (int k = 0; k < 10; k++) item[k] = i;
        pthread_mutex_lock(&lock);
        while (box) pthread_cond_wait(&ready, &lock);
        box = item;
        pthread_cond_signal(&ready);
        pthread_mutex_unlock(&lock);
    }
    return unused;
}
int main(void) {
    pthread_t thread;
    int sum = 0;
    if (pthread_create(&thread, NULL, produce, NULL)) return 2;
    for (int i = 0; i < 20; i++) {
        pthread_mutex_lock(&lock);
        while (!box) pthread_cond_wait(&ready, &lock);
        int *item = box;
        box = NULL;
        pthread_cond_signal(&ready);
        pthread_mutex_unlock(&lock);
        for (int k = 0; k < 10; k++) sum += item[k];
        free(item);
    }
    pthread_join(thread, NULL);
    return sum != 1900;
}
