/* Threads that all wait for the last one: whoever waits for memory must not wait for their end. */
/* flags: -pthread */
#define BUSY_WORDS 400
#include "busy.h"

#define THREADS 24

static pthread_barrier_t barrier;

static void *meets(void *seed)
{
	void *sum = busy_thread(seed);

	pthread_barrier_wait(&barrier);
	return sum;
}

int main(void)
{
	pthread_t thread[THREADS];
	unsigned long sum = 0;

	busy_worker();
	pthread_barrier_init(&barrier, NULL, THREADS);
	for (uintptr_t i = 0; i < THREADS; i++)
		pthread_create(&thread[i], NULL, meets, (void *)i);
	for (int i = 0; i < THREADS; i++) {
		void *result;

		pthread_join(thread[i], &result);
		sum += (uintptr_t)result;
	}
	printf("%lu\n", sum);
	return 0;
}
