/*
 * Calls `frame` N times, each of which takes a millisecond, but every seventh, which takes 60. It
 * prints how long each took in nanoseconds, by its own clock: within the call, and around it. While
 * that goes on, another thread calls `other`, which it has done twice before. With one more argument
 * it waits for a signal then.
 *
 *   slow N [wait]
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define ALONE __attribute__((noinline, noclone))
#define SLOW 7
#define MOST 1000

static volatile int done;
static volatile unsigned long steps;
static long took[MOST][2];

static long nanos(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC_RAW, &now);
	return now.tv_sec * 1000000000 + now.tv_nsec;
}

ALONE static void step(void)
{
	steps++;
}

ALONE static void frame(int number)
{
	long begin = nanos();

	step();
	nanosleep(&(struct timespec){ 0, (number % SLOW == 0 ? 60 : 1) * 1000000 }, NULL);
	took[number][0] = nanos() - begin;
	step();
}

ALONE static void other(void)
{
	step();
	__asm__ volatile("");
}

static void *others(void *none)
{
	while (!done) {
		other();
		nanosleep(&(struct timespec){ 0, 10000 }, NULL);
	}
	return none;
}

int main(int argc, char **argv)
{
	int count = argc > 1 ? atoi(argv[1]) : 20;
	pthread_t thread;

	pthread_create(&thread, NULL, others, NULL);
	while (steps < 2) /* a loaded machine may not let it begin before the first slow call */
		nanosleep(&(struct timespec){ 0, 1000000 }, NULL);
	for (int i = 1; i <= count && i < MOST; i++) {
		long begin = nanos();

		frame(i);
		took[i][1] = nanos() - begin;
	}
	done = 1;
	pthread_join(thread, NULL);
	for (int i = 1; i <= count && i < MOST; i++)
		printf("%ld %ld\n", took[i][0], took[i][1]);
	fflush(stdout);
	if (argc > 2)
		pause();
	return 0;
}
