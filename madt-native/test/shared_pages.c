/*
 * Threads that work on the same pages, and know how often: what is recorded and what is estimated
 * to be missing must make up the number.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROUNDS 1009

static char area[12288] __attribute__((aligned(4096)));
static int threads = 3;

/* Each with words of its own on the common page, and every third round on a page of its own. */
static void *work(void *argument)
{
	long number = (long)argument;
	volatile int *common = (int *)area + number * 16, *own = (int *)(area + 4096) + number * 16;

	for (int i = 0; i < ROUNDS; i++) {
		(*common)++;
		if (i % 3 == 0)
			(*own)++;
	}
	return NULL;
}

int main(void)
{
	pthread_t thread[8];
	long modifies = (ROUNDS + (ROUNDS + 2) / 3) * threads;

	for (long i = 0; i < threads; i++)
		pthread_create(&thread[i], NULL, work, (void *)i);
	for (int i = 0; i < threads; i++)
		pthread_join(thread[i], NULL);
	/* the last is the load below */
	printf("area %p\nmade %ld\n", (void *)area, 2 * modifies + 1);
	return ((int *)area)[0] == ROUNDS ? 0 : 1;
}
