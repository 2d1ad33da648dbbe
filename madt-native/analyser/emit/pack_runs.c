#include "emit/pack_runs.h"

#include <stdlib.h>

#define WORD_MAX 20 /* bytes: four numbers of 32 bits at most */

uint32_t run_open(struct run_pack *pack)
{
	pack->added = 0;
	return (uint32_t)pack->count;
}

void word_add(struct run_pack *pack, const struct madt_plan_word *word)
{
	if (pack->added < MADT_PLAN_RUN_WORDS)
		pack->word[pack->added++] = *word;
}

static void byte_add(struct run_pack *pack, unsigned byte)
{
	if (array_reserve(&pack->runs, &pack->capacity, pack->count, 1))
		pack->runs[pack->count++] = (uint8_t)byte;
	else
		pack->full = true;
}

static void block_begin(struct run_pack *pack)
{
	if (!array_reserve(&pack->index, &pack->index_capacity, pack->blocks, sizeof *pack->index)) {
		pack->full = true;
		return;
	}
	pack->address = pack->word->address;
	pack->index[pack->blocks++] = (struct madt_plan_block){ pack->address, (uint32_t)pack->size };
}

static void word_pack(struct run_pack *pack, const struct madt_plan_word *word, bool derives)
{
	const bool derived = madt_plan_word_is_derived(word);
	if (WORD_MAX > pack->bytes_capacity - pack->size
			&& !array_grow(&pack->bytes, &pack->bytes_capacity, 1)) {
		pack->full = true;
		return;
	}
	uint8_t *at = pack->bytes + pack->size;
	at = number_put(at, madt_plan_zigzag((int32_t)(word->address - pack->address)));
	at = number_put(at, madt_plan_shape(word));
	if (madt_plan_size_number(word->size) == MADT_PLAN_SIZES - 1)
		at = number_put(at, word->size);
	if (derives)
		at = number_put(at,
				!derived ? 0
						 : 1u + word->from
								+ MADT_PLAN_DERIVED_WORDS * madt_plan_zigzag(word->distance));
	pack->size = (size_t)(at - pack->bytes);
	pack->address = word->address;
}

void run_close(struct run_pack *pack, unsigned stored)
{
	const bool derives = stored < pack->added;
	const bool probe = !madt_is_access(pack->word->access);
	if (pack->count % MADT_PLAN_ROWS == 0)
		block_begin(pack);
	byte_add(pack,
			stored - 1
					+ (derives              ? MADT_PLAN_RUN_DERIVES
									: probe ? MADT_PLAN_RUN_PROBE
											: 0));
	for (unsigned i = 0; i < pack->added && !pack->full; i++)
		word_pack(pack, &pack->word[i], derives);
	pack->words += pack->added;
	if (!derives)
		return;
	if (pack->count % MADT_PLAN_ROWS == 0)
		block_begin(pack);
	byte_add(pack, pack->added - 1 + MADT_PLAN_RUN_WHOLE);
}

void runs_write(const struct run_pack *pack, struct file_stream *stream, struct madt_plan *header)
{
	header->runs = (struct madt_plan_table){ (uint32_t)stream->at, (uint32_t)pack->count };
	file_stream_add(stream, pack->runs, pack->count);
	file_stream_add(stream, pack->bytes, pack->size);
	const uint32_t end = (uint32_t)stream->at;
	file_stream_pad(stream, 0, (8 - stream->at % 8) % 8);
	header->words = (struct madt_plan_table){ (uint32_t)stream->at, pack->words };
	const uint32_t start = header->words.offset - (end - (uint32_t)pack->size);
	for (size_t i = 0; i <= pack->blocks; i++) {
		const bool last = i == pack->blocks;
		const struct madt_plan_block block = { last ? UINT32_MAX : pack->index[i].key,
			start - (uint32_t)(last ? pack->size : pack->index[i].before) };
		file_stream_add(stream, &block, sizeof block);
	}
}

void run_pack_free(struct run_pack *pack)
{
	free(pack->runs);
	free(pack->index);
	free(pack->bytes);
}
