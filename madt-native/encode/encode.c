/* A call of the collector: words of a chunk, portion by portion, and what is said of them. */
#include "encode.h"

#include "madt_layout.h"
#include "order.h"
#include "pass.h"

/* Words that stay in the processor's nearest cache until they are cleared. */
#define NEAR_WORDS 1024

/* Of records that begin in the next `most` words, which are there. */
static struct bounds bounds_of(const struct encoder *encoder, const uint64_t *at,
		const uint64_t *end, uint64_t most)
{
	int64_t limit = (int64_t)encoder->shared[MADT_ENCODER_LIMIT];
	uint64_t count = (uint64_t)(end - at);
	uint64_t usual = count < USUAL_WORDS ? 0 : count - USUAL_WORDS;

	return (struct bounds){
		.end = end,
		.full = at + most,
		.usual = at + (usual < most ? usual : most),
		.lowest = RECORD_BIT | encoder->shared[MADT_ENCODER_FIRST] << 32,
		.stamp = encoder->stamp,
		.limit = limit,
		.late = !record_is_first(encoder->epoch, limit),
	};
}

/* Takes records up to the bounds. */
static int encode_records(struct encoder *encoder, struct pass *pass, const struct bounds *bounds)
{
	int stop = MADT_ENCODE_END;

	if (encoder->asking)
		stop = resume(encoder, pass);
	while (stop == MADT_ENCODE_END && pass->at < bounds->full) {
		struct context *sample = NULL;
		if (encoder->shared[MADT_ENCODER_SAMPLES])
			sample = bounds->late ? NULL : skip_records(encoder, pass, bounds);
		else if (!bounds->late && encoder->frame_epoch == (uint32_t)encoder->epoch)
			encoder->take_usual(encoder, pass, bounds);
		if (encoder->asking)
			stop = resume(encoder, pass);
		else if (pass->at < bounds->full)
			stop = take_record(encoder, pass, bounds);
		if (stop == MADT_ENCODE_END && sample && sample->skipped) {
			tell_times(encoder, pass, sample);
			encoder->derived += TIMES_WORDS;
		}
	}
	return stop;
}

/*
 * In how many of the next words records may begin, if those in front of the last of them may have
 * `most` words of the frame, less those that have been derived.
 */
static uint64_t portion(const struct encoder *encoder, uint64_t most, uint64_t count)
{
	uint64_t left = most > encoder->derived ? most - encoder->derived : 0;

	if (encoder->derives)
		left = left / MOST_DERIVED + (left % MOST_DERIVED != 0);
	left = left < count ? left : count;
	return left < NEAR_WORDS ? left : NEAR_WORDS;
}

/* Tells the caller of a pass, and of the frame so far. */
static void tell(struct encoder *encoder, const struct pass *pass, uint64_t taken)
{
	uint64_t *shared = encoder->shared;

	shared[MADT_ENCODER_TAKEN] = taken;
	shared[MADT_ENCODER_RECORDS] += (uint64_t)(pass->kinds - encoder->kinds.end);
	shared[MADT_ENCODER_WORDS] += taken + encoder->derived - encoder->passed_over;
	shared[MADT_ENCODER_LOADS] = (uint32_t)encoder->counts;
	shared[MADT_ENCODER_STORES] = encoder->counts >> 32;
	shared[MADT_ENCODER_ENTERS] = (uint32_t)encoder->calls;
	shared[MADT_ENCODER_LEAVES] = encoder->calls >> 32;
	shared[MADT_ENCODER_EPOCH] = (uint64_t)encoder->epoch;
	shared[MADT_ENCODER_FRAME_EPOCH] = encoder->frame_epoch;
	encoder->passed_over = encoder->derived = 0;
	pass_leave(encoder, pass);
}

int madt_encode(struct encoder *encoder, uint64_t *words, int count)
{
	uint64_t *shared = encoder->shared, *cleared = words;
	uint64_t most = shared[MADT_ENCODER_MOST], used = shared[MADT_ENCODER_WORDS], some;
	const uint64_t *end = words + count;
	int stop = MADT_ENCODE_END;

	most = most > used ? most - used : 0;
	if (!pass_reserve(encoder, (size_t)count, most))
		return MADT_ENCODE_MEMORY;
	encoder->epoch = (int64_t)shared[MADT_ENCODER_EPOCH];
	struct pass pass = pass_begin(encoder, words);
	some = portion(encoder, most, (uint64_t)count);
	do {
		const struct bounds bounds = bounds_of(encoder, pass.at, end, some);
		stop = encode_records(encoder, &pass, &bounds);
		if (shared[MADT_ENCODER_CLEAR]) {
			memset(cleared, 0xff, (size_t)((const char *)pass.at - (char *)cleared));
			cleared = words + (pass.at - words);
		}
		some = (uint64_t)(pass.at - words);
		some = portion(encoder, most > some ? most - some : 0, (uint64_t)(end - pass.at));
	} while (stop == MADT_ENCODE_END && some);
	tell(encoder, &pass, (uint64_t)(pass.at - words));
	return stop == MADT_ENCODE_END && pass.at < end ? MADT_ENCODE_HELD : stop;
}
