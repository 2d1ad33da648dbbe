/*
 * Memory-bound: three arrays of 8 MiB, one combined from the other two. A repetition: 3 million
 * accesses.
 */
#include "measured.h"

#define LENGTH 1000000

static double *a, *b, *c;

void prepare(void)
{
	a = malloc(LENGTH * sizeof *a);
	b = malloc(LENGTH * sizeof *b);
	c = malloc(LENGTH * sizeof *c);
	if (!a || !b || !c)
		exit(1);
	for (long i = 0; i < LENGTH; i++) {
		a[i] = 0;
		b[i] = (double)i;
		c[i] = 1;
	}
}

static void combine(double *to, const double *from, const double *other, double factor)
{
	for (long i = 0; i < LENGTH; i++)
		to[i] = from[i] + factor * other[i];
}

uint64_t work(long repetitions)
{
	for (long i = 0; i < repetitions; i++)
		combine(a, b, c, (double)i);
	return (uint64_t)a[LENGTH / 2];
}
