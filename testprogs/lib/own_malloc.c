/* A program with an allocator of its own, as those have that link jemalloc in: blocks of one
 * mapping, never used again. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#define POOL (1 << 20)

static unsigned char *pool;
static size_t used;
static unsigned long taken, freed;

void *malloc(size_t size)
{
	size_t at = used + 16;

	if (!pool)
		pool = mmap(NULL, POOL, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (pool == MAP_FAILED || size > POOL - at)
		return NULL;
	used = at + (size + 15) / 16 * 16;
	memcpy(pool + at - 16, &size, sizeof size);
	taken++;
	return pool + at;
}

void free(void *p)
{
	freed += p != NULL;
}

void *calloc(size_t n, size_t size)
{
	return malloc(n * size); /* fresh memory is zero */
}

void *realloc(void *p, size_t size)
{
	void *fresh = malloc(size);
	size_t before;

	if (p && fresh) {
		memcpy(&before, (unsigned char *)p - 16, sizeof before);
		memcpy(fresh, p, before < size ? before : size);
		free(p);
	}
	return fresh;
}

__attribute__((noinline)) static int fill(void)
{
	int *table = malloc(5 * sizeof *table), *more, sum = 0;
	char *text = calloc(3, 7);

	for (int i = 0; i < 5; i++)
		table[i] = i;
	text[20] = 'x';
	more = realloc(table, 40 * sizeof *more);
	for (int i = 0; i < 5; i++)
		sum += more[i];
	free(text);
	free(more);
	return sum;
}

int main(void)
{
	int sum = fill();
	char *copy = strdup("from libc");

	free(copy);
	printf("sum %d, taken %d, freed %d\n", sum, taken >= 4, freed >= 4);
	return 0;
}
