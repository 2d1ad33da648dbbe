/* qsort on an array that fits its own stack buffer and on one that takes a heap block, of two sizes
 * of elements; binary and linear search. */
#include <search.h>
#include <stdio.h>
#include <stdlib.h>

struct record {
	unsigned key;
	char name[20];
};

static int by_number(const void *a, const void *b)
{
	long x = *(const long *)a, y = *(const long *)b;

	return (x > y) - (x < y);
}

static int by_key(const void *a, const void *b)
{
	const struct record *x = a, *y = b;

	return (x->key > y->key) - (x->key < y->key);
}

static unsigned next(void)
{
	static unsigned state = 7;

	return (state = state * 1103515245 + 12345) >> 8;
}

int main(void)
{
	enum { FEW = 61, MANY = 257 };
	static long numbers[FEW];
	struct record *records = malloc(MANY * sizeof *records);
	struct record wanted = { 0 };
	size_t count = FEW;
	long last;

	for (int i = 0; i < FEW; i++)
		numbers[i] = next() % 1000;
	last = numbers[FEW - 1];
	printf("at %td\n", (long *)lfind(&last, numbers, &count, sizeof *numbers, by_number) - numbers);
	qsort(numbers, FEW, sizeof *numbers, by_number);
	for (int i = 0; i < MANY; i++) {
		records[i].key = next() % 5000;
		snprintf(records[i].name, sizeof records[i].name, "record %d", i);
	}
	wanted.key = records[100].key;
	qsort(records, MANY, sizeof *records, by_key);
	printf("%ld %ld %s\n", numbers[0], numbers[FEW - 1],
			((struct record *)bsearch(&wanted, records, MANY, sizeof *records, by_key))->name);
	free(records);
	return 0;
}
