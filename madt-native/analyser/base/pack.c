#include "base/pack.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define ROW_MAX 15 /* bytes: three numbers of 33 bits at most */

bool array_grow(void *items, size_t *capacity, size_t item_size)
{
	void *old;
	memcpy(&old, items, sizeof old);
	size_t grown = *capacity ? 2 * *capacity : 4096;
	void *moved = realloc(old, grown * item_size);
	if (!moved)
		return false;
	memcpy(items, &moved, sizeof moved);
	*capacity = grown;
	return true;
}

uint8_t *number_put(uint8_t *to, uint64_t number)
{
	for (; number >= 0x80; number >>= 7)
		*to++ = (uint8_t)(number | 0x80);
	*to++ = (uint8_t)number;
	return to;
}

bool pack_add(struct pack *pack, struct madt_plan_row row)
{
	if (ROW_MAX > pack->capacity - pack->size && !array_grow(&pack->bytes, &pack->capacity, 1))
		return false;
	const uint32_t difference = row.value - pack->last.value;
	const uint32_t zigzag = difference << 1 ^ (0u - (difference >> 31));
	uint8_t *at = pack->bytes + pack->size;
	at = number_put(at, row.key - pack->last.key);
	at = number_put(at, (uint64_t)zigzag << 1 | (row.extra != 0));
	if (row.extra)
		at = number_put(at, row.extra);
	pack->size = (size_t)(at - pack->bytes);
	pack->last = row;
	return true;
}

/* ---------------------------------------------------------------- tables */

void packed_begin(struct packed_table *table, struct file_stream *stream)
{
	*table = (struct packed_table){ .stream = stream };
}

static void block_add(struct packed_table *table, uint32_t key)
{
	if (array_reserve(&table->index, &table->capacity, table->blocks, sizeof *table->index))
		table->index[table->blocks++] = (struct madt_plan_block){ key,
			(uint32_t)table->stream->at };
	else
		table->stream->code = ENOMEM;
}

void packed_add(struct packed_table *table, struct madt_plan_row row)
{
	if (table->count++ % MADT_PLAN_ROWS == 0) {
		block_add(table, row.key);
		table->row.last = (struct madt_plan_row){ .key = row.key };
	}
	table->row.size = 0;
	if (pack_add(&table->row, row))
		file_stream_add(table->stream, table->row.bytes, table->row.size);
	else
		table->stream->code = ENOMEM;
}

void packed_end(struct packed_table *table, struct madt_plan_table *where)
{
	block_add(table, UINT32_MAX);
	file_stream_pad(table->stream, 0, (8 - table->stream->at % 8) % 8);
	*where = (struct madt_plan_table){ (uint32_t)table->stream->at, table->count };
	for (size_t i = 0; i < table->blocks; i++)
		table->index[i].before = where->offset - table->index[i].before;
	file_stream_add(table->stream, table->index, table->blocks * sizeof *table->index);
	free(table->index);
	free(table->row.bytes);
}
