/* Columns of a frame: bytes that grow. */
#include "encode_records.h"

#include <stdlib.h>

bool column_reserve(struct column *column, size_t bytes)
{
	size_t used = (size_t)(column->end - column->start);

	if (column->start && column->capacity - used >= bytes)
		return true;
	size_t capacity = 2 * used + bytes;
	uint8_t *start = realloc(column->start, capacity);
	if (!start)
		return false;
	column->start = start;
	column->capacity = capacity;
	column->end = start + used;
	return true;
}
