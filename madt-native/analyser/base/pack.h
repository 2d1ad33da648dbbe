/* Rows as madt_rows.h has them, in memory and on their way into a file. Arrays that grow. */
#ifndef MADT_PACK_H
#define MADT_PACK_H

#include <stddef.h>

#include "base/file_stream.h"
#include "madt_rows.h"

bool array_grow(void *items, size_t *capacity, size_t item_size);

/* Makes room for one more item. False: no memory; the array stays as it is. */
static inline bool array_reserve(void *items, size_t *capacity, size_t count, size_t item_size)
{
	return count < *capacity || array_grow(items, capacity, item_size);
}

/* LEB128. Returns the end. */
uint8_t *number_put(uint8_t *to, uint64_t number);

struct pack {
	uint8_t *bytes;
	size_t size;
	size_t capacity;
	struct madt_plan_row last; /* the next one is told by what differs from it */
};

/* False: no memory; nothing was added. */
bool pack_add(struct pack *pack, struct madt_plan_row row);

/* A packed table that is being written. */
struct packed_table {
	struct file_stream *stream;
	struct pack row;               /* the one at hand */
	struct madt_plan_block *index; /* `before`: where the block is in the file */
	size_t blocks;
	size_t capacity;
	uint32_t count;
};

void packed_begin(struct packed_table *table, struct file_stream *stream);
void packed_add(struct packed_table *table, struct madt_plan_row row);
/* Writes the index, and says where it is. */
void packed_end(struct packed_table *table, struct madt_plan_table *where);

#endif
