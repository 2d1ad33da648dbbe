#include "random_blocks.h"

#include <stdbool.h>

void *mi_malloc(size_t size);
void *mi_zalloc(size_t size);
void *mi_calloc(size_t count, size_t size);
void *mi_realloc(void *block, size_t size);
void *mi_reallocn(void *block, size_t count, size_t size);
void mi_free(void *block);
void *mi_heap_get_default(void);
bool mi_heap_visit_blocks(const void *heap, bool blocks,
		bool (*visit)(const void *heap, const void *area, void *block, size_t size, void *argument),
		void *argument);

static bool add(const void *heap, const void *area, void *block, size_t size, void *argument)
{
	struct counted *sum = argument;

	(void)heap;
	(void)area;
	sum->blocks += block != NULL;
	sum->bytes += block ? size : 0;
	return true;
}

struct counted counted(void)
{
	struct counted sum = { 0, 0 };

	mi_heap_visit_blocks(mi_heap_get_default(), true, add, &sum);
	return sum;
}

void *take(size_t size)
{
	return size % 64 == 0    ? mi_calloc(size / 8, 8)
			: size % 32 == 0 ? mi_zalloc(size)
							 : mi_malloc(size);
}

void *change(void *block, size_t size)
{
	return size % 64 == 0 ? mi_reallocn(block, size / 8, 8) : mi_realloc(block, size);
}

void give(void *block)
{
	mi_free(block);
}
