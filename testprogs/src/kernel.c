/*
 * One function that reads and writes arrays of 16 KiB each, for comparing simulated caches of 1
 * KiB: rows, columns, and places that jump about. Nothing else of the program touches as much. -O2
 * keeps the function's own variables in registers.
 */
#include <stdio.h>

#define SIDE 64
#define CELLS (SIDE * SIDE)

static int from[CELLS] __attribute__((aligned(4096)));
static int to[CELLS] __attribute__((aligned(4096)));

__attribute__((noinline)) static unsigned kernel(void)
{
	unsigned place = 7;
	for (int row = 0; row < SIDE; row++)
		for (int column = 0; column < SIDE; column++)
			to[column * SIDE + row] = from[row * SIDE + column] + row;
	for (int i = 0; i < CELLS / 2; i++) {
		place = (place * 1103515245u + 12345u) % CELLS;
		from[place] += to[i];
	}
	return place;
}

int main(void)
{
	unsigned place = kernel();
	printf("kernel %u %d\n", place, from[99] + to[99]);
	return 0;
}
