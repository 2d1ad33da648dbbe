/*
 * Of usual records that repeat what is known, some at random are added to the frame, the others are
 * only counted by template, which MADT_TEMPLATE_TIMES tells: for frames that nobody keeps, of which
 * the counts must be right and the addresses may be a sample.
 */
#include "encode.h"
#include "madt_layout.h"
#include "order.h"
#include "pass.h"

#include <errno.h>

/* Records of a template that are added before any is skipped. */
#define ALL_KEPT 256
/* One of 64.5 is a sample: up to so many are skipped in front of it, at random. */
#define MOST_SKIPPED 127

/* Returns whether all accesses of a record were made, and count for certain. */
INLINE bool is_known(const struct encoder *encoder, struct context *context, const uint64_t *stored)
{
	for (uint32_t i = 0; i < context->count; i++) {
		uint64_t word = context->sources ? word_of(context, stored, i) : stored[i];
		if (word - context->sites[i].start >= context->sites[i].length
				&& context_judge(encoder, context, i, word) != COUNTS)
			return false;
	}
	return true;
}

/* The context of the record of a module that begins there; NULL if it is not known. */
INLINE struct context *context_at(const struct encoder *encoder, uint64_t header)
{
	uint32_t slot = header >> 32 & MADT_TEMPLATE_RESERVED;
	struct context *context = encoder->cache[slot & encoder->cached];

	if (context->slot != slot)
		context = header < RECORD_BIT ? NULL : context_find(encoder, slot);
	return context && context->header >> 32 == header >> 32 ? context : NULL;
}

INLINE uint32_t next_random(struct encoder *encoder)
{
	uint64_t random = encoder->random ? encoder->random : 0x9e3779b97f4a7c15;

	random ^= random << 13;
	random ^= random >> 7;
	random ^= random << 17;
	encoder->random = random;
	return (uint32_t)(random >> 32);
}

INLINE void skip(struct encoder *encoder, struct context *context)
{
	encoder->between--;
	context->skipped++;
	if (!context->listed) {
		context->listed = true;
		context->next = encoder->sampled;
		encoder->sampled = context;
	}
}

struct context *skip_records(struct encoder *encoder, struct pass *pass,
		const struct bounds *bounds)
{
	uint64_t tally = 0;
	const uint64_t *at = pass->at;
	struct context *sample = NULL;

	while (at < bounds->usual) {
		struct context *context = context_at(encoder, *at);
		int64_t next = record_epoch(encoder->epoch, *at);

		__builtin_prefetch(at + AHEAD, 1);
		if (!context || context->stamp != bounds->stamp || !context->accesses
				|| at + context->stored >= bounds->end || !record_is_first(next, bounds->limit)
				|| !is_known(encoder, context, at + 1))
			break;
		if (context->kept < ALL_KEPT) {
			context->kept++;
			break;
		}
		if (!encoder->between) {
			encoder->between = next_random(encoder) % (MOST_SKIPPED + 1);
			sample = context;
			break;
		}
		skip(encoder, context);
		encoder->epoch = next;
		tally += context->tally;
		at += 1 + context->stored;
	}
	encoder->counts += tally_counts(tally);
	encoder->passed_over += (uint64_t)(at - pass->at);
	pass->at = at;
	return sample;
}

int madt_encoder_times(struct encoder *encoder)
{
	struct pass pass;
	size_t records = 0;

	for (struct context *context = encoder->sampled; context; context = context->next)
		records += context->skipped > 0;
	if (!pass_reserve(encoder, TIMES_WORDS * records, UINT64_MAX))
		return ENOMEM;
	pass = pass_begin(encoder, NULL);
	for (struct context *context = encoder->sampled; context; context = context->next) {
		if (context->skipped)
			tell_times(encoder, &pass, context);
		context->listed = false;
	}
	encoder->sampled = NULL;
	encoder->shared[MADT_ENCODER_RECORDS] += records;
	encoder->shared[MADT_ENCODER_WORDS] += TIMES_WORDS * records;
	pass_leave(encoder, &pass);
	return 0;
}
