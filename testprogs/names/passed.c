/* Allocates by functions that pass on what they are asked for: their callers know the types. */
#include <stdlib.h>
#include <string.h>

struct node {
	struct node *next;
	long key;
};

struct table {
	struct node **slots;
	unsigned count;
};

#define FAR __attribute__((noinline, noclone))

FAR static void *xmalloc(size_t size)
{
	void *p = malloc(size);

	if (!p)
		abort();
	return p;
}

FAR static void *need(size_t size)
{
	return xmalloc(size + 16);
}

static inline __attribute__((always_inline)) void *zeroed(size_t size)
{
	return calloc(1, size);
}

FAR static struct node *node_new(long key)
{
	struct node *made = xmalloc(sizeof *made);

	made->key = key;
	made->next = NULL;
	return made;
}

FAR static struct table *table_new(unsigned count)
{
	struct table *made = zeroed(sizeof *made);

	made->slots = need(count * sizeof *made->slots);
	memset(made->slots, 0, count * sizeof *made->slots);
	made->count = count;
	return made;
}

FAR static short *shorts_new(unsigned count)
{
	short *made = need(count * sizeof *made);

	made[0] = 1;
	return made;
}

FAR static double *doubles_new(unsigned count)
{
	double *made = need(count * sizeof *made);

	made[0] = 2;
	return made;
}

/* What a library allocates for itself is not of its caller's type. */
FAR static long *sorted(unsigned count, int (*compare)(const void *, const void *))
{
	long *numbers = xmalloc(count * sizeof *numbers);

	for (unsigned i = 0; i < count; i++)
		numbers[i] = i * 7919 % 1009;
	qsort(numbers, count, sizeof *numbers, compare);
	return numbers;
}

static int by_size(const void *a, const void *b)
{
	return *(const long *)a > *(const long *)b ? 1 : -1;
}

int main(void)
{
	struct table *table = table_new(50);
	long *numbers = sorted(300, by_size), sum = 0;

	for (long i = 0; i < 200; i++) {
		struct node *made = node_new(i);

		made->next = table->slots[i % table->count];
		table->slots[i % table->count] = made;
	}
	for (unsigned i = 0; i < table->count; i++)
		for (struct node *node = table->slots[i]; node; node = node->next)
			sum += node->key + numbers[i];
	for (unsigned i = 1; i < 20; i++)
		sum += shorts_new(i)[0] + (long)doubles_new(i)[0];
	return sum == 0;
}
