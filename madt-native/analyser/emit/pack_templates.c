#include "emit/pack_templates.h"

#include <stdlib.h>

#define WORD_MAX 20 /* bytes: four numbers of 32 bits at most */

uint32_t template_open(struct template_pack *pack)
{
	pack->added = 0;
	return (uint32_t)pack->count;
}

void word_add(struct template_pack *pack, const struct madt_plan_word *word)
{
	if (pack->added < MADT_PLAN_TEMPLATE_WORDS)
		pack->word[pack->added++] = *word;
}

static void byte_add(struct template_pack *pack, unsigned byte)
{
	if (array_reserve(&pack->templates, &pack->capacity, pack->count, 1))
		pack->templates[pack->count++] = (uint8_t)byte;
	else
		pack->full = true;
}

static void block_begin(struct template_pack *pack)
{
	if (!array_reserve(&pack->index, &pack->index_capacity, pack->blocks, sizeof *pack->index)) {
		pack->full = true;
		return;
	}
	pack->address = pack->word->address;
	pack->index[pack->blocks++] = (struct madt_plan_block){ pack->address, (uint32_t)pack->size };
}

static void word_pack(struct template_pack *pack, const struct madt_plan_word *word, bool derives)
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

void template_close(struct template_pack *pack, unsigned stored)
{
	const bool derives = stored < pack->added;
	const bool probe = !madt_is_access(pack->word->access);
	if (pack->count % MADT_PLAN_ROWS == 0)
		block_begin(pack);
	byte_add(pack,
			stored - 1
					+ (derives              ? MADT_PLAN_TEMPLATE_DERIVES
									: probe ? MADT_PLAN_TEMPLATE_PROBE
											: 0));
	for (unsigned i = 0; i < pack->added && !pack->full; i++)
		word_pack(pack, &pack->word[i], derives);
	pack->words += pack->added;
	if (!derives)
		return;
	if (pack->count % MADT_PLAN_ROWS == 0)
		block_begin(pack);
	byte_add(pack, pack->added - 1 + MADT_PLAN_TEMPLATE_WHOLE);
}

void templates_write(const struct template_pack *pack, struct file_stream *stream,
		struct madt_plan *header)
{
	header->templates = (struct madt_plan_table){ (uint32_t)stream->at, (uint32_t)pack->count };
	file_stream_add(stream, pack->templates, pack->count);
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

void template_pack_free(struct template_pack *pack)
{
	free(pack->templates);
	free(pack->index);
	free(pack->bytes);
}
