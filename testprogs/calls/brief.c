/* Threads that end soon, more of them than there are processors. */
#include <pthread.h>

enum { ROUNDS = 150, THREADS = 8, STEPS = 20000 };

static void *work(void *argument)
{
	for (volatile int step = 0; step < STEPS; step++)
		;
	return argument;
}

int main(void)
{
	for (int round = 0; round < ROUNDS; round++) {
		pthread_t threads[THREADS];
		for (int i = 0; i < THREADS; i++)
			if (pthread_create(&threads[i], 0, work, 0))
				return 1;
		for (int i = 0; i < THREADS; i++)
			pthread_join(threads[i], 0);
	}
	return 0;
}
