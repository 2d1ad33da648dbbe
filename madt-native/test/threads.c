/* Threads that share memory, locks and signals: no crash, no deadlock, right results. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define THREADS 4
#define ROUNDS 200

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t turn = PTHREAD_COND_INITIALIZER;
static int total, whose;
static __thread int own;

static void *work(void *argument)
{
	int number = (int)(long)argument, *mine = malloc(sizeof *mine * ROUNDS);

	for (int i = 0; i < ROUNDS; i++) {
		mine[i] = i;
		own += mine[i];
		pthread_mutex_lock(&lock);
		total += mine[i];
		pthread_mutex_unlock(&lock);
	}
	pthread_mutex_lock(&lock);
	while (whose != number)
		pthread_cond_wait(&turn, &lock);
	whose++;
	pthread_cond_broadcast(&turn);
	pthread_mutex_unlock(&lock);
	free(mine);
	return (void *)(long)own;
}

int main(void)
{
	pthread_t thread[THREADS];
	long sum = 0;

	for (int round = 0; round < 3; round++) {
		whose = 0;
		for (long i = 0; i < THREADS; i++)
			if (pthread_create(&thread[i], NULL, work, (void *)i))
				return 1;
		for (int i = 0; i < THREADS; i++) {
			void *result;

			pthread_join(thread[i], &result);
			sum += (long)result;
		}
	}
	printf("total %d, sum %ld\n", total, sum);
	return total == sum ? 0 : 1;
}
