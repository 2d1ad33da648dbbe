/*
 * Work for which a recorder needs more memory than it has at first: three threads, and three in a
 * child.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef BUSY_WORDS
#define BUSY_WORDS 3000
#endif

static void *busy_thread(void *seed)
{
	uintptr_t sum = (uintptr_t)seed;
	uint32_t *words = calloc(BUSY_WORDS, sizeof *words);

	for (int i = 0; i < BUSY_WORDS; i++)
		words[i] = (uint32_t)(i * 7);
	for (int i = 0; i < BUSY_WORDS; i++)
		sum += words[(i * 7919) % BUSY_WORDS];
	free(words);
	return (void *)sum;
}

static uintptr_t busy_threads(void)
{
	pthread_t thread[3];
	uintptr_t sum = 0;

	for (uintptr_t i = 0; i < 3; i++)
		if (pthread_create(&thread[i], NULL, busy_thread, (void *)i))
			return 0;
	for (int i = 0; i < 3; i++) {
		void *result;

		pthread_join(thread[i], &result);
		sum += (uintptr_t)result;
	}
	return sum;
}

/* Goes on in a child, as servers do: the parent ends as that does. */
static void busy_worker(void)
{
	int status;
	pid_t child = fork();

	if (child > 0)
		_exit(waitpid(child, &status, 0) == child && WIFEXITED(status) ? WEXITSTATUS(status) : 99);
}

static int busy_child(void)
{
	int status;
	pid_t child = fork();

	if (child == 0)
		_exit(busy_threads() % 251);
	return waitpid(child, &status, 0) == child && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static inline void busy(const char *when)
{
	unsigned long sum = busy_threads();
	int child = busy_child();

	printf("%s: %lu %d\n", when, sum, child);
	fflush(stdout);
}
