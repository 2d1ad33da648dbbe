#include "elf/functions.h"

#include <stdlib.h>

bool functions_add(struct functions *functions, uint64_t start, uint64_t size, uint32_t kinds,
		uint64_t where)
{
	if (start > UINT32_MAX || size > UINT64_MAX - start)
		return true;
	if (functions->count == functions->capacity) {
		size_t capacity = functions->capacity ? 2 * functions->capacity : 1024;
		struct madt_code_function *items = realloc(functions->items, capacity * sizeof *items);
		if (!items)
			return false;
		functions->items = items;
		functions->capacity = capacity;
	}
	const uint64_t end = start + size;
	functions->items[functions->count++] = (struct madt_code_function){ .start = (uint32_t)start,
		.end = end < UINT32_MAX ? (uint32_t)end : UINT32_MAX,
		.kinds = kinds,
		.where = where <= UINT32_MAX ? (uint32_t)where : 0 };
	return true;
}

static int row_compare(const void *a, const void *b)
{
	const struct madt_code_function *left = a;
	const struct madt_code_function *right = b;
	if (left->start != right->start)
		return left->start < right->start ? -1 : 1;
	if (left->end != right->end)
		return left->end > right->end ? -1 : 1;
	return (int)(left->kinds & MADT_FUNCTION_STUB) - (int)(right->kinds & MADT_FUNCTION_STUB);
}

/* Equal rows with equal records: which one comes first must not depend on the sort. */
static void row_join(struct madt_code_function *row, const struct madt_code_function *other)
{
	row->kinds |= other->kinds;
	if (!row->where || (other->where && other->where < row->where))
		row->where = other->where;
}

void functions_sort(struct functions *functions)
{
	if (!functions->count)
		return;
	qsort(functions->items, functions->count, sizeof *functions->items, row_compare);
	size_t kept = 1;
	for (size_t i = 1; i < functions->count; i++)
		if (row_compare(&functions->items[kept - 1], &functions->items[i]) != 0)
			functions->items[kept++] = functions->items[i];
		else
			row_join(&functions->items[kept - 1], &functions->items[i]);
	functions->count = kept;
}
