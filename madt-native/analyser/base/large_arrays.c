/*
 * The planner's arrays are large, few, and soon gone. Once the C library has freed one of them it
 * would take the next ones from its heaps (mallopt(3), M_MMAP_THRESHOLD), which keep up to 64 MiB
 * each of what is freed: a third of the memory that a cold start needed.
 */
#include <malloc.h>

#define LARGE (1 << 17)

__attribute__((constructor)) static void large_arrays_map(void)
{
	mallopt(M_MMAP_THRESHOLD, LARGE);
}
