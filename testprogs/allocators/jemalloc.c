#include "random_blocks.h"

#define NO_CACHE 0x100 /* MALLOCX_TCACHE_NONE: what a thread keeps for itself would count as well */

void *mallocx(size_t size, int flags);
void *rallocx(void *block, size_t size, int flags);
void dallocx(void *block, int flags);
void sdallocx(void *block, size_t size, int flags);
size_t sallocx(const void *block, int flags);
int mallctl(const char *name, void *old, size_t *old_size, void *new, size_t new_size);

static uint64_t number(const char *name)
{
	uint64_t number = 0;
	size_t size = sizeof number;

	return mallctl(name, &number, &size, NULL, 0) == 0 ? number : UINT64_MAX;
}

struct counted counted(void)
{
	uint64_t epoch = 1;

	mallctl("epoch", NULL, NULL, &epoch, sizeof epoch); /* brings the numbers up to date */
	/* of all arenas (MALLCTL_ARENAS_ALL) */
	return (struct counted){ number("stats.arenas.4096.small.nmalloc")
				- number("stats.arenas.4096.small.ndalloc")
				+ number("stats.arenas.4096.large.nmalloc")
				- number("stats.arenas.4096.large.ndalloc"),
		number("stats.allocated") };
}

void *take(size_t size)
{
	return mallocx(size, NO_CACHE);
}

void *change(void *block, size_t size)
{
	return rallocx(block, size, NO_CACHE);
}

void give(void *block)
{
	const size_t size = sallocx(block, NO_CACHE);

	if (size % 32)
		dallocx(block, NO_CACHE);
	else
		sdallocx(block, size, NO_CACHE);
}
