/* The life of an encoder, and of a frame: what is packed and published at its end. */
#include "encode_records.h"
#include "madt_layout.h"
#include "pass.h"

#include <stdlib.h>

#define FIRST_STAMP (1ull << 32 | 1)

struct encoder *madt_encoder_new(void)
{
	struct encoder *encoder = calloc(1, sizeof *encoder);

	if (!encoder || !contexts_begin(encoder)) {
		free(encoder);
		return NULL;
	}
	encoder->none.slot = UINT32_MAX;
	encoder->none.likely = encoder->none.second = &encoder->none;
	encoder->take_usual = usual_taker_best();
	encoder->previous = &encoder->none;
	encoder->stamp = FIRST_STAMP;
	forms_begin(&encoder->forms);
	encoder->journal.round = 1;
	return encoder;
}

void madt_encoder_free(struct encoder *encoder)
{
	if (!encoder)
		return;
	contexts_free(encoder);
	free(encoder->answers.answer);
	free(encoder->shown.answer);
	free(encoder->kinds.start);
	free(encoder->codes.start);
	free(encoder->control.start);
	free(encoder->residuals.start);
	forms_free(&encoder->forms);
	free(encoder->words.word);
	journal_free(&encoder->journal);
	free(encoder->cut.place);
	free(encoder);
}

/*
 * Each pair of parts that are `part` bits wide becomes one, of which the upper half holds the
 * second part's lowest `width` bits.
 */
INLINE uint64_t join(uint64_t parts, unsigned part, unsigned width)
{
	uint64_t first = UINT64_MAX / ((1ull << part) + 1); /* the lower part of each pair */

	return (parts & first) | (parts >> part & first) << width;
}

/* Eight bytes into numbers of so many bits, the first one in the lowest. */
INLINE uint64_t join_all(uint64_t bytes, unsigned width)
{
	return join(join(join(bytes, 8, width), 16, 2 * width), 32, 4 * width);
}

/* Packs bytes into numbers of so many bits, 2 or 4. */
INLINE void pack(struct column *column, unsigned width)
{
	size_t count = (size_t)(column->end - column->start), whole = count / 8 * 8;
	uint8_t *to = column->start;
	uint64_t bytes;

	for (size_t i = 0; i < whole; i += 8) {
		memcpy(&bytes, column->start + i, 8);
		bytes = join_all(bytes, width);
		memcpy(to, &bytes, width);
		to += width;
	}
	if (whole < count) {
		bytes = 0;
		memcpy(&bytes, column->start + whole, count - whole);
		bytes = join_all(bytes, width);
		memcpy(to, &bytes, width);
	}
	column->end = to + ((count - whole) * width + 7) / 8;
}

static void publish(struct encoder *encoder, enum madt_encoder_word word,
		const struct column *column)
{
	encoder->shared[word] = (uint64_t)(uintptr_t)column->start;
	encoder->shared[word + 1] = (uint64_t)(column->end - column->start);
}

static void finish_forms(struct encoder *encoder, struct short_forms *forms)
{
	encoder->shared[MADT_ENCODER_BIRTHS] = (uint64_t)(forms->size_codes.end
			- forms->size_codes.start);
	encoder->shared[MADT_ENCODER_ENDS] = (uint64_t)(forms->end_codes.end - forms->end_codes.start);
	pack(&forms->size_codes, 2);
	pack(&forms->place_codes, 2);
	pack(&forms->end_codes, 2);
	publish(encoder, MADT_ENCODER_SIZE_CODES, &forms->size_codes);
	publish(encoder, MADT_ENCODER_PLACE_CODES, &forms->place_codes);
	publish(encoder, MADT_ENCODER_END_CODES, &forms->end_codes);
	publish(encoder, MADT_ENCODER_SIZES, &forms->sizes);
	publish(encoder, MADT_ENCODER_PLACES, &forms->places);
}

void madt_encoder_finish(struct encoder *encoder)
{
	pack(&encoder->kinds, 2);
	pack(&encoder->codes, 4);
	publish(encoder, MADT_ENCODER_KINDS, &encoder->kinds);
	publish(encoder, MADT_ENCODER_CODES, &encoder->codes);
	publish(encoder, MADT_ENCODER_CONTROL, &encoder->control);
	publish(encoder, MADT_ENCODER_RESIDUALS, &encoder->residuals);
	finish_forms(encoder, &encoder->forms);
}

static void empty(struct column *column)
{
	column->end = column->start;
}

void madt_encoder_next(struct encoder *encoder)
{
	empty(&encoder->kinds);
	empty(&encoder->codes);
	empty(&encoder->control);
	empty(&encoder->residuals);
	memset(encoder->shared + MADT_ENCODER_RECORDS, 0,
			(MADT_ENCODER_KINDS - MADT_ENCODER_RECORDS) * sizeof encoder->shared[0]);
	encoder->previous = &encoder->none;
	encoder->none.likely = encoder->none.second = &encoder->none;
	encoder->near = encoder->address = encoder->moved = 0;
	encoder->frame_epoch = 0;
	encoder->counts = encoder->calls = 0;
	encoder->indices = 0;
	encoder->stamp += 1ull << 32;
	forms_begin(&encoder->forms);
}
