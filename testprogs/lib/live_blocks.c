/*
 * Many live blocks: makes as many of 24 bytes as it is told, each with a link to the one before it,
 * and goes through them once. Prints the sum of their numbers. By its source each block has two
 * stores and two loads.
 */
#include <stdio.h>
#include <stdlib.h>

struct block {
	struct block *before;
	long number, unused;
};

int main(int argc, char **argv)
{
	long count = argc > 1 ? atol(argv[1]) : 1, sum = 0;
	struct block *last = NULL;

	for (long i = 0; i < count; i++) {
		struct block *block = malloc(sizeof *block);

		if (!block)
			return 1;
		block->before = last;
		block->number = i;
		last = block;
	}
	for (struct block *block = last; block; block = block->before)
		sum += block->number;
	printf("%ld\n", sum);
	return 0;
}
