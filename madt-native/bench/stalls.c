/*
 * stalls THREADS: a thread that looks at the clock again and again, and others that allocate and wait.
 * For each line of its standard input it says the longest time in nanoseconds that has passed since
 * the line before without a look. It ends where the input does.
 */
#include <poll.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static uint64_t now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static void *work(void *unused)
{
	char *block[16] = { 0 };

	(void)unused;
	for (unsigned i = 0;; i = (i + 1) % 16) {
		free(block[i]);
		block[i] = malloc(100 + 37 * i);
		memset(block[i], (int)i, 100 + 37 * i);
		usleep(2000);
	}
	return NULL;
}

int main(int count, char **arguments)
{
	struct pollfd input = { .fd = STDIN_FILENO, .events = POLLIN };
	uint64_t last, longest = 0;
	pthread_t thread;
	char line[16];

	for (int i = 1; i < (count > 1 ? atoi(arguments[1]) : 1); i++)
		if (pthread_create(&thread, NULL, work, NULL) != 0)
			return 1;
	last = now();
	while (1) {
		uint64_t time = now();

		longest = time - last > longest ? time - last : longest;
		last = time;
		usleep(50); /* what it does is recorded: that is to be little */
		if (poll(&input, 1, 0) == 0)
			continue;
		if (read(STDIN_FILENO, line, sizeof line) <= 0)
			return 0;
		printf("%lu\n", (unsigned long)longest);
		fflush(stdout);
		last = now();
		longest = 0;
	}
}
