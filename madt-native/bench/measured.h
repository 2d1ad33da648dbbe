/*
 * The part of a program that the benchmarks of the engines measure, between markers. It times
 * itself, so that the start of the tool around it does not count:
 *
 *   PROGRAM REPETITIONS     prints when the part began, its time and its processor time
 *                           (nanoseconds, CLOCK_MONOTONIC), and a sum
 */
#ifndef MEASURED_H
#define MEASURED_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "madt.h"

/* Does the work so many times; the sum depends on all of it, so that no compiler leaves it out. */
uint64_t work(long repetitions);
/* Does what is not measured: memory filled for the first time. */
void prepare(void);

static inline int64_t clock_now(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

int main(int argc, char **argv)
{
	long repetitions = argc > 1 ? atol(argv[1]) : 1;
	int64_t begin, processor, end;
	uint64_t sum;

	prepare();
	MadT_start();
	begin = clock_now(CLOCK_MONOTONIC);
	processor = clock_now(CLOCK_PROCESS_CPUTIME_ID);
	sum = work(repetitions);
	end = clock_now(CLOCK_MONOTONIC);
	processor = clock_now(CLOCK_PROCESS_CPUTIME_ID) - processor;
	MadT_stop();
	printf("%lld %lld %lld %llu\n", (long long)begin, (long long)(end - begin),
			(long long)processor, (unsigned long long)sum);
	return 0;
}

/* xorshift64 (Marsaglia, Journal of Statistical Software 8(14), 2003). */
static inline uint64_t random_next(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

#endif
