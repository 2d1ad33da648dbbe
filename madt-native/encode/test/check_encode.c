/*
 * Random records through an encoder, with every question that it may ask, and back by the rules of
 * docs/FORMAT.md: what counts comes out as it went in. Built with sanitizers.
 * dev.madt.natives.NativeRecordEncoderTest compares bytes with the encoder in Java.
 */
#include <assert.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "encode.h"
#include "madt_layout.h"
#include "pass.h"

#define TEMPLATES 40
#define MOST_WORDS 3000
#define FRAMES 400

static uint64_t random_next(void)
{
	static uint64_t state = 88172645463325252;

	state ^= state << 13;
	state ^= state >> 7;
	return state ^= state << 17;
}

static int slot_of(unsigned which)
{
	return (int)(MADT_TEMPLATE_FIRST_MODULE + which * (which % 5 ? 3 : 70001));
}

static unsigned which_of(uint64_t number)
{
	unsigned which = 0;

	while ((uint64_t)slot_of(which) != number)
		which++;
	return which;
}

static int length_of(unsigned which)
{
	return which % 8 == 7 ? 17 + (int)which : which % 8 == 6 ? 0 : (int)(which % 8);
}

/* Of two pages one counts. */
static bool counts(uint64_t address)
{
	return !(address >> 12 & 1);
}

static uint64_t random_word(uint64_t last)
{
	switch (random_next() % 5) {
	case 0:
		return random_next() >> random_next() % 64;
	case 1:
		return random_next() % 4 ? random_next() % 65536 : UINT64_MAX;
	default:
		return last + 8;
	}
}

/* Makes records; of steady ones all words are on one page, and most in one epoch. */
static unsigned fill(uint64_t *words, unsigned count, bool steady)
{
	static uint64_t last[TEMPLATES][64];
	unsigned at = 0, which = 0;
	uint32_t epoch = 7;

	while (at < count) {
		which = random_next() % 4 ? (which + 3) % TEMPLATES : (unsigned)(random_next() % TEMPLATES);
		epoch += random_next() % (steady ? 90 : 9) ? 0 : (uint32_t)(random_next() % 5) - 1;
		words[at++] = 1ull << 63 | (uint64_t)slot_of(which) << 32 | epoch;
		for (int i = 0; i < length_of(which); i++)
			words[at++] = last[which][i] = steady ? random_next() % 4096
												  : random_word(last[which][i]);
	}
	return at;
}

/* Takes all words, in bites of any size, and looks whether they became ones where they should. */
static void encode(struct encoder *encoder, const uint64_t *from, unsigned count, bool clear)
{
	static uint64_t words[MOST_WORDS + 64];
	uint64_t *shared = (uint64_t *)encoder;
	unsigned at = 0;
	int kept = 0;

	shared[MADT_ENCODER_LIMIT] = INT64_MAX;
	shared[MADT_ENCODER_MOST] = 1 << 18;
	shared[MADT_ENCODER_FIRST] = MADT_TEMPLATE_FIRST_MODULE;
	shared[MADT_ENCODER_EPOCH] = 7;
	shared[MADT_ENCODER_CLEAR] = clear;
	memcpy(words, from, count * sizeof *words);
	while (at < count) {
		int bite = kept ? kept : (int)(1 + random_next() % (count - at));
		int stop = madt_encode(encoder, words + at, bite);
		at += (unsigned)shared[MADT_ENCODER_TAKEN];
		bite -= (int)shared[MADT_ENCODER_TAKEN];
		int slot = (int)shared[MADT_ENCODER_SLOT];
		uint64_t page = shared[MADT_ENCODER_ADDRESS] & ~(uint64_t)4095;
		kept = stop == MADT_ENCODE_ASKS || stop == MADT_ENCODE_DEFINE ? bite : 0;
		if (stop == MADT_ENCODE_ASKS)
			assert(!(counts(page) ? madt_encoder_counts : madt_encoder_passes)(encoder, page,
					4096));
		else if (stop == MADT_ENCODE_DEFINE)
			madt_encoder_defined(encoder, slot);
		else
			assert(stop == MADT_ENCODE_END || stop == MADT_ENCODE_OTHER);
		for (unsigned i = 0; i < count; i++)
			assert(words[i] == (clear && i < at ? UINT64_MAX : from[i]));
	}
}

struct known {
	uint64_t last[64], stride[64], last_stride[64];
	int number, count, likely, second;
};

static uint32_t number(const uint8_t **from)
{
	uint32_t value = 0;

	for (int shift = 0;; shift += 7) {
		uint8_t part = *(*from)++;
		value |= (uint32_t)(part & 0x7f) << shift;
		if (part < 0x80)
			return value;
	}
}

/* The words of the frame, without records of which nothing counts. */
static unsigned decode(const uint64_t *shared, uint64_t *words)
{
	static struct known templates[TEMPLATES + 2]; /* with that of times, and what is before all */
	const uint8_t *kinds = (const uint8_t *)shared[MADT_ENCODER_KINDS],
				  *codes = (const uint8_t *)shared[MADT_ENCODER_CODES];
	const uint8_t *control = (const uint8_t *)shared[MADT_ENCODER_CONTROL],
				  *residuals = (const uint8_t *)shared[MADT_ENCODER_RESIDUALS];
	uint64_t near = 0, address = 0;
	unsigned at = 0, code_at = 0;
	uint32_t epoch = 0;
	int known = 0, previous = TEMPLATES + 1;

	memset(templates, 0xff, sizeof templates);
	for (uint64_t r = 0; r < shared[MADT_ENCODER_RECORDS]; r++) {
		int kind = kinds[r / 4] >> r % 4 * 2 & 3, which;
		int what = kind == 2 ? *control++ : kind;
		if ((what & 3) == 2)
			which = (int)number(&control);
		else if ((what & 3) == 3) {
			which = known++;
			templates[which].number = (int)number(&control);
			templates[which].count = (int)number(&control);
			for (int i = 0; i < templates[which].count; i++) {
				templates[which].last[i] = address;
				templates[which].stride[i] = templates[which].last_stride[i] = 0;
			}
		} else
			which = what & 1 ? templates[previous].second : templates[previous].likely;
		if (what & 3) {
			templates[previous].second = templates[previous].likely;
			templates[previous].likely = which;
		}
		if (what & 4) {
			uint32_t step = number(&control);
			epoch += step >> 1 ^ -(step & 1);
		}
		previous = which;
		struct known *now = &templates[which];
		words[at++] = 1ull << 63 | (uint64_t)now->number << 32 | epoch;
		for (int i = 0; i < now->count; i++, code_at++) {
			unsigned code = codes[code_at / 2] >> code_at % 2 * 4 & 15,
					 size = (code & 7) == 7 ? 8 : code & 7;
			uint64_t residual = 0;
			words[at] = UINT64_MAX;
			if (code != 15) {
				memcpy(&residual, residuals, size);
				residuals += size;
				uint64_t step = (code < 8 ? now->stride[i] : near)
						+ (residual >> 1 ^ -(residual & 1));
				address = now->last[i] += step;
				if (step == now->last_stride[i])
					now->stride[i] = step;
				now->last_stride[i] = step;
				near = step ? step : near;
				words[at] = address;
			}
			at++;
		}
		if (now->number == MADT_TEMPLATE_TIMES)
			words[at - 2] = (uint64_t)templates[words[at - 2]].number;
	}
	assert(residuals
			== (const uint8_t *)shared[MADT_ENCODER_RESIDUALS]
					+ shared[MADT_ENCODER_RESIDUALS + 1]);
	assert(control
			== (const uint8_t *)shared[MADT_ENCODER_CONTROL] + shared[MADT_ENCODER_CONTROL + 1]);
	return at;
}

/* Returns what should come out: the words that count, and their loads. */
static unsigned expect(const uint64_t *words, unsigned count, uint64_t *out, uint64_t *loads)
{
	unsigned at = 0;

	for (unsigned i = 0; i < count;) {
		unsigned which = which_of(words[i] >> 32 & MADT_TEMPLATE_RESERVED), begun = at;
		int made = 0, length = length_of(which);
		uint64_t loaded = 0;
		out[at++] = words[i++];
		for (int k = 0; k < length; k++, i++) {
			bool counted = words[i] != UINT64_MAX && counts(words[i]);
			out[at++] = counted ? words[i] : UINT64_MAX;
			made += counted;
			loaded += counted && (k % 3 + 1) & 1;
		}
		if (length && !made)
			at = begun;
		*loads += loaded;
	}
	return at;
}

/*
 * Of a module's record, a copy, and so on: records below FIRST stop a pass also where they are
 * likely.
 */
static void check_first(struct encoder *encoder, uint64_t *words, int count)
{
	const uint8_t kinds[4] = { 0 };
	uint64_t *shared = (uint64_t *)encoder;

	assert(!madt_encoder_template(encoder, MADT_TEMPLATE_FIRST_MODULE, 0, 1, kinds));
	assert(!madt_encoder_template(encoder, MADT_TEMPLATE_COPY, MADT_TEMPLATE_COPY, 4, kinds));
	for (int at = 0; at < count;) {
		bool copy = (words[at] >> 32 & MADT_TEMPLATE_RESERVED) == MADT_TEMPLATE_COPY;
		shared[MADT_ENCODER_LIMIT] = INT64_MAX;
		shared[MADT_ENCODER_MOST] = 1 << 18;
		shared[MADT_ENCODER_FIRST] = copy ? 0 : MADT_TEMPLATE_FIRST_MODULE;
		int stop = madt_encode(encoder, words + at, copy ? 5 : count - at);
		at += (int)shared[MADT_ENCODER_TAKEN];
		if (stop == MADT_ENCODE_ASKS)
			assert(!madt_encoder_counts(encoder, 0, UINT64_MAX));
		else if (stop == MADT_ENCODE_DEFINE)
			madt_encoder_defined(encoder, MADT_TEMPLATE_FIRST_MODULE);
		else
			assert(shared[MADT_ENCODER_TAKEN] == (copy ? 5 : 2));
	}
}

static void check_built_in(void)
{
	struct encoder *encoder = madt_encoder_new();
	uint64_t words[7 * 8] = { 0 };

	for (int i = 0; i < 7 * 8; i += 7) {
		words[i] = 1ull << 63 | (uint64_t)MADT_TEMPLATE_FIRST_MODULE << 32;
		words[i + 2] = 1ull << 63 | (uint64_t)MADT_TEMPLATE_COPY << 32;
	}
	check_first(encoder, words, 7 * 8);
	madt_encoder_free(encoder);
}

/* A record whose header the target overwrites during a question is taken to its end. */
static void check_overwritten(uint64_t header)
{
	struct encoder *encoder = madt_encoder_new();
	uint64_t *shared = (uint64_t *)encoder;
	uint64_t words[] = { 1ull << 63 | (uint64_t)MADT_TEMPLATE_FIRST_MODULE << 32, 8, 4096 + 8 };
	const uint8_t kinds[] = { 1, 1 };

	assert(encoder && !madt_encoder_template(encoder, MADT_TEMPLATE_FIRST_MODULE, 0, 2, kinds));
	shared[MADT_ENCODER_LIMIT] = shared[MADT_ENCODER_BELOW] = INT64_MAX;
	shared[MADT_ENCODER_MOST] = 1 << 18;
	shared[MADT_ENCODER_FIRST] = MADT_TEMPLATE_FIRST_MODULE;
	assert(madt_encoder_merge(encoder, words, 3) == MADT_ENCODE_ASKS);
	assert(!madt_encoder_counts(encoder, 0, 4096));
	assert(madt_encoder_merge(encoder, words, 3) == MADT_ENCODE_ASKS);
	words[0] = header;
	assert(!madt_encoder_counts(encoder, 4096, 4096));
	assert(madt_encoder_merge(encoder, words, 3) == MADT_ENCODE_DEFINE);
	madt_encoder_defined(encoder, MADT_TEMPLATE_FIRST_MODULE);
	assert(madt_encoder_merge(encoder, words, 3) == MADT_ENCODE_END);
	assert(shared[MADT_ENCODER_TAKEN] == 3 && shared[MADT_ENCODER_RECORDS] == 1);
	assert(shared[MADT_ENCODER_WORDS] == 3);
	madt_encoder_finish(encoder);
	assert(shared[MADT_ENCODER_CODES + 1] == 1); /* two halves of a byte */
	madt_encoder_free(encoder);
}

/*
 * Adds how often each template was: what its records say, and those that tell of skipped ones.
 * Returns how many tell.
 */
static unsigned count(const uint64_t *words, unsigned length, uint64_t *times)
{
	unsigned told = 0;

	for (unsigned at = 0; at < length;) {
		uint64_t number = words[at] >> 32 & MADT_TEMPLATE_RESERVED;
		if (number == MADT_TEMPLATE_TIMES) {
			times[which_of(words[at + 1])] += words[at + 2];
			told++;
			at += 3;
		} else {
			unsigned which = which_of(number);
			times[which]++;
			at += 1 + (unsigned)length_of(which);
		}
	}
	return told;
}

static struct encoder *with_templates(void)
{
	struct encoder *encoder = madt_encoder_new();
	uint8_t kinds[64];

	assert(encoder);
	for (int i = 0; i < 64; i++)
		kinds[i] = (uint8_t)(i % 3 + 1);
	for (unsigned which = 0; which < TEMPLATES; which++)
		assert(!madt_encoder_template(encoder, slot_of(which), slot_of(which), length_of(which),
				kinds));
	return encoder;
}

/* Counts each template as often as it was, and each load, where only samples are added. */
static void check_samples(void)
{
	static uint64_t words[MOST_WORDS + 64], expected[MOST_WORDS + 64], found[2 * MOST_WORDS];
	struct encoder *encoder = with_templates();
	uint64_t *shared = (uint64_t *)encoder, skipped = 0;
	const uint8_t kinds[2] = { 0 };
	unsigned told = 0;

	assert(!madt_encoder_template(encoder, MADT_TEMPLATE_TIMES, MADT_TEMPLATE_TIMES, 2, kinds));
	for (int frame = 0; frame < 2 * FRAMES; frame++) {
		uint64_t loads = 0, wanted[TEMPLATES] = { 0 }, times[TEMPLATES] = { 0 };
		unsigned filled = fill(words, MOST_WORDS, frame % 4);
		shared[MADT_ENCODER_SAMPLES] = frame % 5 != 0;
		encode(encoder, words, filled, frame % 2);
		assert(!madt_encoder_times(encoder));
		madt_encoder_finish(encoder);
		unsigned length = expect(words, filled, expected, &loads);
		unsigned kept = decode(shared, found);
		assert(shared[MADT_ENCODER_WORDS] == kept && shared[MADT_ENCODER_LOADS] == loads);
		count(expected, length, wanted);
		told += count(found, kept, times);
		assert(!memcmp(wanted, times, sizeof times));
		skipped += length > kept ? length - kept : 0;
		madt_encoder_next(encoder);
	}
	assert(told > 20 * FRAMES && skipped > 500 * FRAMES);
	madt_encoder_free(encoder);
	printf("encode: %" PRIu64 " words skipped by samples\n", skipped);
}

int main(void)
{
	check_built_in();
	check_samples();
	check_overwritten(UINT64_MAX);
	check_overwritten(0x0807060504030201);
	check_overwritten(1ull << 63 | (uint64_t)MADT_TEMPLATE_FIRST_MODULE << 32 | 0x7fffffff);
	static uint64_t words[MOST_WORDS + 64], expected[MOST_WORDS + 64], found[MOST_WORDS + 64];
	struct encoder *encoder = with_templates();
	const uint64_t *shared = (const uint64_t *)encoder;
	uint64_t all = 0;

	for (int frame = 0; frame < FRAMES; frame++) {
		unsigned count = fill(words, 1 + (unsigned)(random_next() % MOST_WORDS), false);
		uint64_t loads = 0;
		if (frame % 7 == 0)
			madt_encoder_space_changed(encoder);
		encoder->take_usual = frame / 2 % 2 ? usual_take_plainly : usual_taker_best();
		encode(encoder, words, count, frame % 2);
		madt_encoder_finish(encoder);
		unsigned length = expect(words, count, expected, &loads);
		assert(shared[MADT_ENCODER_WORDS] == length && shared[MADT_ENCODER_LOADS] == loads);
		assert(decode(shared, found) == length && !memcmp(expected, found, length * sizeof *found));
		madt_encoder_next(encoder);
		all += length;
	}
	madt_encoder_free(encoder);
	printf("encode: %" PRIu64 " words in %d frames\n", all, FRAMES);
	return 0;
}
