/*
 * Allocates, reallocates and frees at random, in sizes that the allocators do not round up, and so
 * far apart that a block is another one once it is reallocated.
 */
#ifndef RANDOM_BLOCKS_H
#define RANDOM_BLOCKS_H

#include "counted.h"

#define BLOCKS 500
#define STEPS 3000

void *change(void *block, size_t size);

static uint64_t next(uint64_t *seed)
{
	*seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return *seed >> 33;
}

void work(uint64_t seed)
{
	static const size_t sizes[] = { 16, 64, 256, 1024, 4096, 16384 };
	static void *blocks[BLOCKS];

	for (int i = 0; i < STEPS; i++) {
		void **block = &blocks[next(&seed) % BLOCKS];
		const size_t size = sizes[next(&seed) % (sizeof sizes / sizeof *sizes)];

		if (!*block) {
			*block = take(size);
		} else if (next(&seed) % 3) {
			*block = change(*block, size);
		} else {
			give(*block);
			*block = NULL;
		}
	}
}

#endif
