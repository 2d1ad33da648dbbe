/*
 * A repetition: a block of 1,000 bytes from calloc takes the place of the oldest of 64, which is
 * freed.
 */
#include "measured.h"

#define BLOCKS 64

static char *blocks[BLOCKS];

void prepare(void)
{
}

uint64_t work(long repetitions)
{
	uint64_t sum = 0;

	for (long i = 0; i < repetitions; i++) {
		char **block = &blocks[i % BLOCKS];

		free(*block);
		*block = calloc(10, 100);
		if (!*block)
			exit(1);
		sum += (uint64_t)(*block)[i % 1000];
	}
	return sum;
}
