/*
 * A pass over words: what changes with every record, what bounds it, and how a word becomes a code
 * and a residual. The functions are inlined into each loop over records.
 */
#ifndef MADT_ENCODE_PASS_H
#define MADT_ENCODE_PASS_H

#include "encode_records.h"

#define NEIGHBOURS_BITS 48 /* larger residuals are whole, to the site's own stride */
#define NOT_MADE 15
#define WHOLE 7 /* code of a residual of 8 bytes */
/* A word of a chunk stands for no more of a frame: a header and one word for a header and all. */
#define MOST_DERIVED ((1 + MADT_PLAN_DERIVED_WORDS + 1) / 2)
/* Words of a record of MADT_TEMPLATE_TIMES, its header among them. */
#define TIMES_WORDS 3
/* Words that are asked for early: another core wrote them, and they will be cleared. */
#define AHEAD 128
/* A record of more words is unusual. */
#define USUAL_WORDS 16

/*
 * In the processor's registers while a loop over records lasts, which has a copy of its own: what
 * is written to columns may lie anywhere.
 */
struct pass {
	const uint64_t *at;
	uint8_t *residuals;
	uint8_t *kinds, *codes; /* a byte each, until the frame ends */
	uint64_t near;
	uint64_t moved;
};

/* What does not change in a call. */
struct bounds {
	const uint64_t *end, *full; /* no record is begun at or behind full */
	const uint64_t *usual;      /* a usual record that begins in front of it is whole */
	uint64_t lowest;            /* header */
	uint64_t stamp;
	int64_t limit;
	bool late; /* the record in front was above the limit */
};

INLINE uint64_t zigzag(uint64_t value)
{
	return value << 1 ^ (uint64_t)((int64_t)value >> 63);
}

/* One of two, without a jump that no processor could foresee. */
INLINE uint64_t choose(bool first, uint64_t one, uint64_t other)
{
	return other ^ ((one ^ other) & -(uint64_t)first);
}

/* Code and residual of a word that is not where it was expected: `own` is not 0. */
INLINE void encode_residual(struct pass *pass, uint64_t own, uint64_t other)
{
	/* of as many bytes, the site's own residual is the one that repeats */
	unsigned top = ((unsigned)__builtin_clzll(own) ^ 63) & ~7u;
	bool fewer = !(other >> top);
	uint64_t residual = choose(fewer, other, own);

	if (__builtin_expect(!(residual >> NEIGHBOURS_BITS), true)) {
		/* bytes of a number of bits */
		unsigned size = (((unsigned)__builtin_clzll(2 * residual + 1) ^ 63) + 7) >> 3;
		memcpy(pass->residuals, &residual, 8);
		pass->residuals += size;
		*pass->codes++ = (uint8_t)(size | (unsigned)fewer << 3);
	} else {
		memcpy(pass->residuals, &own, 8);
		pass->residuals += 8;
		*pass->codes++ = WHOLE;
	}
}

/* Code and residual of a word that counts. */
INLINE void encode_word(struct pass *pass, struct site *site, uint64_t word)
{
	uint64_t difference = word - site->last, own = difference - site->stride;

	if (own == 0) {
		*pass->codes++ = 0;
	} else {
		encode_residual(pass, zigzag(own), zigzag(difference - pass->near));
		site->stride = difference == site->last_stride ? difference : site->stride;
	}
	site->last_stride = difference;
	site->last = word;
	pass->near = difference ? difference : pass->near;
	pass->moved = difference ? word : pass->moved;
}

/* A word of a record whose stored words are given; what follows from a missing word is missing. */
INLINE uint64_t word_of(const struct context *context, const uint64_t *stored, uint32_t i)
{
	uint64_t word = stored[context->sources[i].from];

	return word == UINT64_MAX ? word : word + (uint64_t)(int64_t)context->sources[i].distance;
}

/*
 * Room for records that take so many words of a chunk, of which no more than `most` words are
 * wanted. False without memory.
 */
bool pass_reserve(struct encoder *encoder, size_t chunked, uint64_t most);

/* A pass over words, and what it has changed. */
struct pass pass_begin(const struct encoder *encoder, const uint64_t *words);
void pass_leave(struct encoder *encoder, const struct pass *pass);

/* Says which template it is, where that is not the likely one or the epoch is another. */
void turn(struct encoder *encoder, struct context *context, uint32_t epoch);

/* A word of a record was not made. */
void count_missing(struct encoder *encoder, const struct context *context, uint32_t word);

/*
 * Encodes the words of a record from the given one on; where they are `derived`, from those that
 * are stored. Returns their count, or that of the word in front of which there is a question.
 */
INLINE uint32_t encode_words(struct encoder *encoder, struct pass *pass, struct context *context,
		const uint64_t *stored, bool derived, uint32_t from)
{
	uint32_t i = from, count = context->count;

	for (; i < count; i++) {
		uint64_t word = derived ? word_of(context, stored, i) : stored[i];
		struct site *site = &context->sites[i];
		if (__builtin_expect(word - site->start >= site->length, false)) {
			enum verdict verdict = context_judge(encoder, context, i, word);
			if (verdict == ASKED)
				break;
			if (verdict == PASSES) {
				*pass->codes++ = NOT_MADE;
				count_missing(encoder, context, i);
				continue;
			}
		}
		encode_word(pass, site, word);
		encoder->address = word;
	}
	return i;
}

/* The next record, whatever it is: an enum madt_encode_stop. */
int take_record(struct encoder *encoder, struct pass *pass, const struct bounds *bounds);

/*
 * Skips records in front of bounds->usual that repeat what is known. Returns the context of the one
 * at hand if that is a sample of them; else NULL.
 */
struct context *skip_records(struct encoder *encoder, struct pass *pass,
		const struct bounds *bounds);

/* Goes on with the record that stopped the last pass. */
int resume(struct encoder *encoder, struct pass *pass);

/* Takes usual records in front of bounds->usual, whose epoch is the frame's. */
typedef void usual_taker(struct encoder *encoder, struct pass *pass, const struct bounds *bounds);

/* For this processor, and for any. */
usual_taker *usual_taker_best(void);
usual_taker usual_take_plainly;

#endif
