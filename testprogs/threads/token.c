/* Threads take a token in turn; who has it writes the next line of the log. */
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

#define THREADS 4
#define ROUNDS 3001

static pthread_mutex_t token = PTHREAD_MUTEX_INITIALIZER;
static int lines[THREADS * ROUNDS];
static int next_line;
static long work[THREADS][8];

__attribute__((noinline)) static void hold(int who)
{
	lines[next_line] = 1 + who;
	next_line++;
}

static void *worker(void *which)
{
	int who = (int)(long)which;

	for (int i = 0; i < ROUNDS; i++) {
		pthread_mutex_lock(&token);
		hold(who);
		pthread_mutex_unlock(&token);
		if (i % 7 == who)
			sched_yield();
		for (int j = 0; j < 8; j++)
			work[who][j] += i;
	}
	return NULL;
}

int main(void)
{
	pthread_t threads[THREADS];

	for (long i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, worker, (void *)i);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	for (int i = 0; i < next_line; i++)
		putchar('0' + lines[i]);
	return 0;
}
