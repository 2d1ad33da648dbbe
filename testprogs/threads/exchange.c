/*
 * exchange THREADS LIVE ROUNDS: threads take blocks out of a table that they share, read and free
 * them, whoever made them, and put new ones in. In the end all blocks live that are in the table.
 * Each of four calls makes the blocks of one size. The program counts by call and prints
 *
 *   site CALL LOADS STORES BLOCKS ALIVE
 */
#include <stdatomic.h>

#include "known.h"

#define SITES 4
#define WORDS_OF(site) (3 + 2 * (site))

struct count {
	unsigned long loads, stores, blocks, freed;
};

static _Atomic(long *) *table;
static long live, rounds;
static _Atomic unsigned long total[SITES][4];

#define MAKER(n)                                          \
	static __attribute__((noinline)) long *make_##n(void) \
	{                                                     \
		long *block = malloc(WORDS_OF(n) * sizeof(long)); \
		if (!block)                                       \
			abort();                                      \
		return block;                                     \
	}
MAKER(0)
MAKER(1)
MAKER(2)
MAKER(3)

static long *(*const maker[SITES])(void) = { make_0, make_1, make_2, make_3 };

/* The first word says which call made the block. */
static long *block_make(unsigned site, struct count *count)
{
	long *block = maker[site]();

	for (unsigned i = 0; i < WORDS_OF(site); i++)
		*(volatile long *)(block + i) = site;
	count[site].stores += WORDS_OF(site);
	count[site].blocks++;
	return block;
}

static void block_end(long *block, struct count *count)
{
	unsigned site = (unsigned)*(volatile long *)block;

	for (unsigned i = 1; i < WORDS_OF(site); i++)
		if (*(volatile long *)(block + i) != site)
			abort();
	count[site].loads += WORDS_OF(site);
	count[site].freed++;
	free(block);
}

static void *work(void *number)
{
	uint64_t state = (uint64_t)number * 2654435761u + 88172645463325252u;
	struct count count[SITES] = { 0 };

	for (long i = 0; i < rounds; i++) {
		long *before = atomic_exchange(&table[random_below(&state, (unsigned long)live)], NULL);

		if (before)
			block_end(before, count);
		before = atomic_exchange(&table[random_below(&state, (unsigned long)live)],
				block_make((unsigned)random_below(&state, SITES), count));
		if (before)
			block_end(before, count);
	}
	for (unsigned site = 0; site < SITES; site++) {
		total[site][0] += count[site].loads;
		total[site][1] += count[site].stores;
		total[site][2] += count[site].blocks;
		total[site][3] += count[site].blocks - count[site].freed;
	}
	return NULL;
}

int main(int count, char **arguments)
{
	struct count filled[SITES] = { 0 };

	if (count < 4)
		return 2;
	live = atol(arguments[2]);
	rounds = atol(arguments[3]);
	table = calloc((size_t)live, sizeof *table);
	for (long i = 0; i < live; i++)
		table[i] = block_make((unsigned)(i % SITES), filled);
	threads_run(atol(arguments[1]), work);
	for (unsigned site = 0; site < SITES; site++)
		printf("site make_%u %lu %lu %lu %lu\n", site, total[site][0],
				total[site][1] + filled[site].stores, total[site][2] + filled[site].blocks,
				total[site][3] + filled[site].blocks);
	return 0;
}
