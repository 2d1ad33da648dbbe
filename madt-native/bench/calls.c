/*
 * Calls of small functions, between markers: three for each repetition. Nothing else is worth
 * recording in it. See measured.h.
 */
#include "measured.h"

#ifndef COMES_TO
#define COMES_TO(x)
#endif

__attribute__((noinline)) static uint64_t leaf(uint64_t x)
{
	COMES_TO(x);
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
