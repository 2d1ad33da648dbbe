/* Every kind of static data: .data, .bss, .rodata, RELRO, file and function statics, arrays of
 * structures. */
#include <stdio.h>

#define CELLS 37
#define ROUNDS 19

struct cell {
	char tag;
	short weight;
	int count;
	double mean;
};

int initialised[CELLS] = { 3, 1, 4, 1, 5, 9, 2, 6 };
struct cell cells[CELLS];
const int primes[11] = { 2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31 };
static const char *const names[3] = { "alpha", "beta", "gamma" }; /* pointers: RELRO in a PIE */
static long total;
unsigned char bytes[5001]; /* more than a page */

__attribute__((noinline)) static long next_value(void)
{
	static long state = 12345;
	static long calls;
	calls++;
	state = (state * 1103515245 + 12345) & 0x7fffffff;
	return state + calls;
}

__attribute__((noinline)) static void fill_cells(int round)
{
	for (int i = 0; i < CELLS; i++) {
		cells[i].tag = names[i % 3][0];
		cells[i].weight += primes[i % 11];
		cells[i].count = initialised[i] + round;
		cells[i].mean += 0.5 * cells[i].count;
	}
}

__attribute__((noinline)) static void touch_bytes(void)
{
	for (int i = 0; i < 5001; i += 113)
		bytes[i] ^= (unsigned char)next_value();
}

int main(void)
{
	for (int round = 0; round < ROUNDS; round++) {
		fill_cells(round);
		touch_bytes();
		for (int i = 0; i < CELLS; i++)
			total += cells[i].weight + cells[i].tag;
	}
	printf("globals %ld %d\n", total, bytes[113]);
	return 0;
}
