#include "elf/code_ranges.h"

#include <stdlib.h>

bool code_ranges_add(struct code_ranges *ranges, uint64_t start, uint64_t size)
{
	if (size > UINT64_MAX - start)
		return true;
	if (ranges->count == ranges->capacity) {
		size_t capacity = ranges->capacity ? 2 * ranges->capacity : 1024;
		struct code_range *items = realloc(ranges->items, capacity * sizeof *items);
		if (!items)
			return false;
		ranges->items = items;
		ranges->capacity = capacity;
	}
	ranges->items[ranges->count++] = (struct code_range){ start, start + size };
	return true;
}

static int range_compare(const void *a, const void *b)
{
	const struct code_range *left = a;
	const struct code_range *right = b;
	if (left->start != right->start)
		return left->start < right->start ? -1 : 1;
	if (left->end != right->end)
		return left->end > right->end ? -1 : 1;
	return 0;
}

void code_ranges_sort(struct code_ranges *ranges)
{
	if (!ranges->count)
		return;
	qsort(ranges->items, ranges->count, sizeof *ranges->items, range_compare);
	size_t kept = 1;
	for (size_t i = 1; i < ranges->count; i++)
		if (range_compare(&ranges->items[kept - 1], &ranges->items[i]) != 0)
			ranges->items[kept++] = ranges->items[i];
	ranges->count = kept;
}
