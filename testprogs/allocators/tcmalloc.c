#include "random_blocks.h"

#include <stdbool.h>

void *tc_malloc(size_t size);
void *tc_calloc(size_t count, size_t size);
void *tc_realloc(void *block, size_t size);
void tc_free(void *block);
void *tc_new(size_t size);
void tc_delete(void *block);
int MallocExtension_GetNumericProperty(const char *property, size_t *value);

struct counted counted(void)
{
	size_t bytes = 0;

	MallocExtension_GetNumericProperty("generic.current_allocated_bytes", &bytes);
	return (struct counted){ 0, bytes };
}

void *take(size_t size)
{
	return size % 64 == 0    ? tc_calloc(size / 8, 8)
			: size % 32 == 0 ? tc_new(size)
							 : tc_malloc(size);
}

void *change(void *block, size_t size)
{
	return tc_realloc(block, size);
}

void give(void *block)
{
	static int times;

	if (++times % 2)
		tc_free(block);
	else
		tc_delete(block);
}
