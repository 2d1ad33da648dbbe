/*
 * Most records: known in this frame, of few words, with the epoch of the record in front. What one
 * of them costs here is what a recorded program waits for, so the loop is built twice: for
 * processors that count the zeros of a word in one instruction, and for any.
 */
#include "pass.h"

/*
 * The context of the record that begins there, if it is not the likely one; NULL if it is not at
 * hand.
 */
INLINE struct context *unlikely_context(const struct encoder *encoder, uint64_t header,
		uint64_t epoch)
{
	struct context *context = encoder->cache[(uint32_t)(header >> 32) & encoder->cached];

	return (context->header | epoch) == header ? context : NULL;
}

/* Encodes a record; false if it is for resume, from word encoder->word on. */
INLINE bool usual_record(struct encoder *encoder, struct pass *pass, struct context *context)
{
	const uint64_t *stored = pass->at + 1;
	uint32_t reached = context->sources ? encode_words(encoder, pass, context, stored, true, 0)
										: encode_words(encoder, pass, context, stored, false, 0);

	if (__builtin_expect(encoder->missing != 0, false) && encoder->missing < context->count
			&& reached == context->count)
		encoder->missing = 0;
	if (__builtin_expect((reached < context->count) | (encoder->missing != 0), false)) {
		encoder->asking = context;
		encoder->word = reached;
		return false;
	}
	encoder->derived += context->count - context->stored;
	pass->at += 1 + context->stored;
	return true;
}

/* The commonest of all; false if there is a question. */
INLINE bool single_word(struct encoder *encoder, struct pass *pass, struct context *context)
{
	uint64_t word = pass->at[1];

	if (__builtin_expect(word - context->sites[0].start >= context->sites[0].length, false))
		return false;
	encode_word(pass, &context->sites[0], word);
	encoder->address = word;
	pass->at += 2;
	return true;
}

/* Keeps behind which template another one came; returns the kind. */
INLINE unsigned follow(struct encoder *encoder, struct context *previous, struct context *context,
		uint32_t epoch)
{
	struct context *likely = previous->likely;

	if (likely == context)
		return 0;
	if (previous->second == context) {
		previous->second = likely;
		previous->likely = context;
		return 1;
	}
	encoder->previous = previous;
	turn(encoder, context, epoch);
	return 2;
}

INLINE void usual_take(struct encoder *encoder, struct pass *kept, const struct bounds *bounds)
{
	struct pass pass = *kept;
	struct context *previous = encoder->previous;
	const uint64_t *end = bounds->usual;
	uint64_t epoch = (uint32_t)encoder->epoch, stamp = bounds->stamp, tally = 0;

	while (pass.at < end) {
		uint64_t header = *pass.at;
		struct context *context = previous->likely;

		__builtin_prefetch(pass.at + AHEAD, 1);
		if ((context->header | epoch) != header
				&& !(context = unlikely_context(encoder, header, epoch)))
			break;
		if (context->stamp != stamp)
			break;
		if (context->count == 1 ? !single_word(encoder, &pass, context)
								: context->count - 1 >= USUAL_WORDS
								|| !usual_record(encoder, &pass, context))
			break;
		*pass.kinds++ = (uint8_t)follow(encoder, previous, context, (uint32_t)epoch);
		previous = context;
		tally += context->tally;
	}
	encoder->previous = previous;
	encoder->counts += tally_counts(tally);
	encoder->calls += tally_calls(tally);
	*kept = pass;
}

void usual_take_plainly(struct encoder *encoder, struct pass *pass, const struct bounds *bounds)
{
	usual_take(encoder, pass, bounds);
}

__attribute__((target("lzcnt,bmi,bmi2"))) static void usual_take_fast(struct encoder *encoder,
		struct pass *pass, const struct bounds *bounds)
{
	usual_take(encoder, pass, bounds);
}

usual_taker *usual_taker_best(void)
{
	return __builtin_cpu_supports("lzcnt") && __builtin_cpu_supports("bmi")
					&& __builtin_cpu_supports("bmi2")
			? usual_take_fast
			: usual_take_plainly;
}
