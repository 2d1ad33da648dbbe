/* The processor's time stamp counter beside the kernel's clock. */
#include <time.h>
#include <x86intrin.h>

#include "encode.h"

/* Of several readings the one with the least time between its two readings of the counter. */
void madt_clock(uint64_t *pair)
{
	uint64_t least = UINT64_MAX;
	for (int i = 0; i < 16; i++) {
		struct timespec now;
		uint64_t before = __rdtsc();
		clock_gettime(CLOCK_MONOTONIC_RAW, &now);
		uint64_t between = __rdtsc() - before;
		if (between >= least)
			continue;
		least = between;
		pair[0] = before + between / 2;
		pair[1] = (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
	}
}
