/* Loaded and unloaded again and again: a constructor, an IFUNC, thread-local and global data of its
 * own. */
#include <stdio.h>
#include <stdlib.h>

static int *table;
static __thread int calls;
static int total[100];

__attribute__((constructor)) static void begin(void)
{
	table = calloc(100, sizeof *table);
	table[7] = 7;
}

__attribute__((destructor)) static void end(void)
{
	printf("unloaded after %d\n", total[0]);
	free(table);
}

static int fast(int value)
{
	return value * table[7];
}

static int (*choose(void))(int)
{
	return fast;
}

int scale(int value) __attribute__((ifunc("choose")));

int plugin(int value)
{
	total[0] += ++calls;
	return scale(value) + calls;
}
