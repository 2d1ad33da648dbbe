/* A repetition: one of 64 blocks is made larger by realloc, up to 4,000 bytes, then small again. */
#include "measured.h"

#define BLOCKS 64
#define STEP 100
#define MOST 4000

static char *blocks[BLOCKS];
static size_t sizes[BLOCKS];

void prepare(void)
{
}

uint64_t work(long repetitions)
{
	uint64_t sum = 0;

	for (long i = 0; i < repetitions; i++) {
		long at = i % BLOCKS;

		sizes[at] = sizes[at] % MOST + STEP;
		blocks[at] = realloc(blocks[at], sizes[at]);
		if (!blocks[at])
			exit(1);
		blocks[at][sizes[at] - 1] = (char)i;
		sum += sizes[at];
	}
	return sum;
}
