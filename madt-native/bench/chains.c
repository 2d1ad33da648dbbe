/*
 * What the chain of calls of an allocation costs: the processor time of an allocation and its end,
 * in nanoseconds, 18 calls below main.
 *
 *   chains REPETITIONS     prints NAME NANOSECONDS for each kind; the best of several rounds
 *
 *   near    the same function allocates again and again
 *   cold    no two allocations in a row have a caller but main in common
 *   deep    200 calls below main, at another depth each time
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define ROUNDS 25
#define CALLS 18

static void *volatile kept;
static volatile int depth;

static void allocate(int n)
{
	void *block = malloc(16 + n % 64);

	kept = block;
	free(block);
}

static double processor_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

__attribute__((noinline)) static double near(int left, int repetitions)
{
	double begun, took;

	if (left) {
		took = near(left - 1, repetitions);
		depth = left; /* no jump at the end */
		return took;
	}
	begun = processor_now();
	for (int i = 0; i < repetitions; i++)
		allocate(i);
	return processor_now() - begun;
}

/* Two ways down that have no place in common. */
#define WAY(name)                                               \
	__attribute__((noinline)) static void name(int left, int n) \
	{                                                           \
		volatile int here = left;                               \
                                                                \
		if (left)                                               \
			name(left - 1, n);                                  \
		else                                                    \
			allocate(n);                                        \
		depth = here;                                           \
	}
WAY(one)
WAY(other)

static double cold(int repetitions)
{
	double begun = processor_now();

	for (int i = 0; i < repetitions; i++)
		(i & 1 ? one : other)(CALLS - 2, i);
	return processor_now() - begun;
}

__attribute__((noinline)) static void down(int left, int repetitions)
{
	if (!left)
		return;
	for (int i = 0; i < repetitions; i++)
		allocate(i);
	down(left - 1, repetitions);
	depth = left;
}

static double deep(int repetitions)
{
	double begun = processor_now();

	down(200, repetitions / 200);
	return processor_now() - begun;
}

int main(int argc, char **argv)
{
	int repetitions = argc > 1 ? atoi(argv[1]) : 2000;
	double best[3] = { 1e18, 1e18, 1e18 };

	for (int round = 0; round < ROUNDS; round++) {
		double took[3] = { near(CALLS - 2, repetitions), cold(repetitions), deep(repetitions) };

		for (int i = 0; i < 3; i++)
			if (took[i] < best[i])
				best[i] = took[i];
	}
	printf("near %f\ncold %f\ndeep %f\n", best[0] / repetitions, best[1] / repetitions,
			best[2] / repetitions);
	return 0;
}
