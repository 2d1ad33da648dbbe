/*
 * The templates of a splice plan and their words. `templates` has a byte for each template:
 *
 *   0 to 63      so many words and one more
 *   64 to 127    so many stored words beyond 64 and one more; others are derived. The next template
 *                is its whole form
 *   128 to 191   a whole form, with so many words beyond 128 and one more: those of the template
 *                before
 *   192 to 255   of a probe, likewise
 *
 * The words of all templates but whole forms are packed, in blocks of MADT_PLAN_ROWS templates.
 * `words` leads to the index, which the words stand in front of as rows do (madt_rows.h); the key
 * of a block is the address of its first word.
 *
 *   a word:  zigzag(address - that of the word before)          LEB128
 *            shape, see madt_plan_shape                         LEB128
 *            size, if the shape does not say it                 LEB128
 *            if words of the template are derived: 0, or the    LEB128
 *            number of the word that it follows from
 *            + 16 * zigzag(distance) + 1
 *
 * In front of a block's first word comes the block's key.
 */
#ifndef MADT_TEMPLATES_H
#define MADT_TEMPLATES_H

#include "madt_rows.h"

#define MADT_PLAN_TEMPLATE_WORDS 64u /* at most */
#define MADT_PLAN_TEMPLATE_DERIVES 64u
#define MADT_PLAN_TEMPLATE_WHOLE 128u
#define MADT_PLAN_TEMPLATE_PROBE 192u

/* ------------------------------------------------------------------ templates */

/* Of a byte. */
static inline uint32_t madt_plan_template_number(uint8_t byte)
{
	return byte % MADT_PLAN_TEMPLATE_WORDS + 1;
}

static inline bool madt_plan_template_derives(uint8_t byte)
{
	return byte / MADT_PLAN_TEMPLATE_WORDS == MADT_PLAN_TEMPLATE_DERIVES / MADT_PLAN_TEMPLATE_WORDS;
}

static inline bool madt_plan_template_is_whole(uint8_t byte)
{
	return byte / MADT_PLAN_TEMPLATE_WORDS == MADT_PLAN_TEMPLATE_WHOLE / MADT_PLAN_TEMPLATE_WORDS;
}

static inline bool madt_plan_template_probes(uint8_t byte)
{
	return byte >= MADT_PLAN_TEMPLATE_PROBE;
}

static inline struct madt_plan_template madt_plan_template_of(const uint8_t *templates,
		uint32_t number)
{
	const uint8_t byte = templates[number];
	return (struct madt_plan_template){
		.words = (uint16_t)madt_plan_template_number(madt_plan_template_derives(byte)
						? templates[number + 1]
						: byte),
		.stored = (uint16_t)madt_plan_template_number(byte),
	};
}

/* ------------------------------------------------------------------ words */

/*
 * Length - 1 + 15 * (kind % 2 + 2 * (number of the size + 8 * (kind / 2))). The kind is access - 1
 * + 32 * operand, but for a load, which mostly is operand 1: that is told as 0, and 0 as 1. So the
 * usual loads and stores have shapes of one byte.
 */
#define MADT_PLAN_CODES 32u /* that words have, from 1 on: madt_payload.h */
#define MADT_PLAN_LENGTHS 15u
#define MADT_PLAN_SIZES 8u /* the last one: none of those that have a number */

static inline uint32_t madt_plan_size(uint32_t number)
{
	static const uint8_t sizes[MADT_PLAN_SIZES] = { 8, 4, 16, 1, 2, 32, 64, 0 };
	return sizes[number];
}

static inline uint32_t madt_plan_size_number(uint32_t size)
{
	uint32_t number = 0;
	while (number < MADT_PLAN_SIZES - 1 && madt_plan_size(number) != size)
		number++;
	return number;
}

static inline uint32_t madt_plan_shape(const struct madt_plan_word *word)
{
	const uint32_t operand = word->operand ^ (word->access == MADT_LOAD);
	const uint32_t kind = word->access - 1u + MADT_PLAN_CODES * operand;
	return word->length - 1u
			+ MADT_PLAN_LENGTHS
			* (kind % 2 + 2 * (madt_plan_size_number(word->size) + MADT_PLAN_SIZES * (kind / 2)));
}

/* Length, access, operand and size: 0 if the size follows. */
static inline void madt_plan_shape_read(struct madt_plan_word *word, uint32_t shape)
{
	const uint32_t rest = shape / MADT_PLAN_LENGTHS / 2;
	const uint32_t kind = shape / MADT_PLAN_LENGTHS % 2 + rest / MADT_PLAN_SIZES * 2;
	word->length = (uint8_t)(shape % MADT_PLAN_LENGTHS + 1);
	word->access = (uint8_t)(kind % MADT_PLAN_CODES + 1);
	word->operand = (uint8_t)(kind / MADT_PLAN_CODES ^ (word->access == MADT_LOAD));
	word->size = (uint16_t)madt_plan_size(rest % MADT_PLAN_SIZES);
}

static inline uint32_t madt_plan_zigzag(int32_t number)
{
	return (uint32_t)number << 1 ^ (0u - ((uint32_t)number >> 31));
}

static inline int32_t madt_plan_zigzag_of(uint32_t zigzag)
{
	return (int32_t)(zigzag >> 1 ^ (0u - (zigzag & 1)));
}

/* `word`: the one before. `derives`: so does its template. */
static inline void madt_plan_word_read(const uint8_t **at, const uint8_t *end, bool derives,
		struct madt_plan_word *word)
{
	word->address += (uint32_t)madt_plan_zigzag_of((uint32_t)madt_plan_number(at, end));
	madt_plan_shape_read(word, (uint32_t)madt_plan_number(at, end));
	if (!word->size)
		word->size = (uint16_t)madt_plan_number(at, end);
	const uint32_t source = derives ? (uint32_t)madt_plan_number(at, end) : 0;
	const uint32_t from = source - 1;
	word->from = source ? (uint8_t)(from % MADT_PLAN_DERIVED_WORDS) : MADT_PLAN_STORED;
	word->distance = source ? (int16_t)madt_plan_zigzag_of(from / MADT_PLAN_DERIVED_WORDS) : 0;
}

/*
 * ------------------------------------------------------------------ one template after the other
 */

struct madt_plan_templates {
	const uint8_t *bytes;                /* one for each template */
	const struct madt_plan_block *index; /* of the words */
	uint32_t count;
	uint32_t next;     /* number of the next template */
	const uint8_t *at; /* its words, unless a block begins with it */
	uint32_t address;  /* of the word before */
	struct madt_plan_template now;
	struct madt_plan_word word[MADT_PLAN_TEMPLATE_WORDS];
};

/* Turns to the next template. False: there is none. */
static inline bool madt_plan_templates_next(struct madt_plan_templates *templates)
{
	if (templates->next >= templates->count)
		return false;
	const struct madt_plan_block *block = templates->index + templates->next / MADT_PLAN_ROWS;
	const uint8_t byte = templates->bytes[templates->next];
	if (templates->next % MADT_PLAN_ROWS == 0) {
		templates->at = madt_plan_block_at(templates->index, block);
		templates->address = block->key;
	}
	templates->now = madt_plan_template_of(templates->bytes, templates->next++);
	if (madt_plan_template_is_whole(byte))
		return true;
	struct madt_plan_word word = { .address = templates->address };
	for (uint32_t i = 0; i < templates->now.words; i++) {
		madt_plan_word_read(&templates->at, madt_plan_block_at(templates->index, block + 1),
				madt_plan_template_derives(byte), &word);
		templates->word[i] = word;
	}
	templates->address = word.address;
	return true;
}

/* Turns to the template of this number. */
static inline void madt_plan_templates_find(struct madt_plan_templates *templates, uint32_t number)
{
	templates->next = (number - madt_plan_template_is_whole(templates->bytes[number]))
			/ MADT_PLAN_ROWS * MADT_PLAN_ROWS;
	while (madt_plan_templates_next(templates) && templates->next <= number)
		;
}

#endif
