/*
 * Pointer-chasing: a ring of 8,192 cells of 64 bytes in random order, 512 KiB. A repetition: once
 * around.
 */
#include "measured.h"

#define CELLS 8192

struct cell {
	struct cell *next;
	uint64_t value;
	uint64_t rest[6];
};

static struct cell *cells;

void prepare(void)
{
	uint32_t *order = malloc(CELLS * sizeof *order);
	uint64_t state = 88172645463325252;

	cells = malloc(CELLS * sizeof *cells);
	if (!cells || !order)
		exit(1);
	for (uint32_t i = 0; i < CELLS; i++) {
		uint32_t k = (uint32_t)(random_next(&state) % (i + 1));

		order[i] = order[k];
		order[k] = i;
	}
	for (uint32_t i = 0; i < CELLS; i++) {
		cells[order[i]].next = &cells[order[(i + 1) % CELLS]];
		cells[order[i]].value = i;
	}
	free(order);
}

uint64_t work(long repetitions)
{
	const struct cell *cell = cells;
	uint64_t sum = 0;

	for (long i = 0; i < repetitions * CELLS; i++) {
		sum += cell->value;
		cell = cell->next;
	}
	return sum;
}
