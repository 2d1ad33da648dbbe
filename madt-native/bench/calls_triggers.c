/* The same calls as in calls.c, of a function that comes to a trigger. See measured.h. */
#include "measured.h"

__attribute__((noinline)) static uint64_t leaf(uint64_t x)
{
	MADT_EVENT(leaf, x, x >> 3, 7);
	return x * 6364136223846793005u + 1442695040888963407u;
}

__attribute__((noinline)) static uint64_t inner(uint64_t x)
{
	return leaf(x) + leaf(x ^ 1);
}

void prepare(void)
{
}

uint64_t work(long repetitions)
{
	uint64_t sum = 0;

	for (long i = 0; i < repetitions; i++)
		sum = inner(sum);
	return sum;
}
