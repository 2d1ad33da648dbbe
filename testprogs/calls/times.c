/* Prints by its own clocks how long calls took: ticks of the processor, and nanoseconds. */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <time.h>
#include <x86intrin.h>

static uint64_t nanos(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC_RAW, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

__attribute__((noinline)) void nap(int milliseconds)
{
	nanosleep(&(struct timespec){ 0, milliseconds * 1000000 }, NULL);
}

int main(void)
{
	for (int i = 0; i < 10; i++) {
		uint64_t time = nanos();
		uint64_t ticks = __rdtsc();
		nap(5 + 2 * i);
		ticks = __rdtsc() - ticks;
		time = nanos() - time;
		printf("%lu %lu\n", (unsigned long)ticks, (unsigned long)time);
	}
	return 0;
}
