/*
 * The runs of a splice plan and their words. `runs` has a byte for each run:
 *
 *   0 to 63      so many words and one more
 *   64 to 127    so many stored words beyond 64 and one more; others are derived. The next run is
 *                its whole form
 *   128 to 191   a whole form, with so many words beyond 128 and one more: those of the run before
 *   192 to 255   of a probe, likewise
 *
 * The words of all runs but whole forms are packed, in blocks of MADT_PLAN_ROWS runs. `words` leads
 * to the index, which the words stand in front of as rows do (madt_rows.h); the key of a block is
 * the address of its first word.
 *
 *   a word:  zigzag(address - that of the word before)          LEB128
 *            shape, see madt_plan_shape                         LEB128
 *            size, if the shape does not say it                 LEB128
 *            in a run with derived words: 0, or the number of   LEB128
 *            the word that it follows from + 16 * zigzag(distance) + 1
 *
 * In front of a block's first word comes the block's key.
 */
#ifndef MADT_RUNS_H
#define MADT_RUNS_H

#include "madt_rows.h"

#define MADT_PLAN_RUN_WORDS 64u /* at most */
#define MADT_PLAN_RUN_DERIVES 64u
#define MADT_PLAN_RUN_WHOLE 128u
#define MADT_PLAN_RUN_PROBE 192u

/* ------------------------------------------------------------------ runs */

/* Of a byte. */
static inline uint32_t madt_plan_run_number(uint8_t run)
{
	return run % MADT_PLAN_RUN_WORDS + 1;
}

static inline bool madt_plan_run_derives(uint8_t run)
{
	return run / MADT_PLAN_RUN_WORDS == MADT_PLAN_RUN_DERIVES / MADT_PLAN_RUN_WORDS;
}

static inline bool madt_plan_run_is_whole(uint8_t run)
{
	return run / MADT_PLAN_RUN_WORDS == MADT_PLAN_RUN_WHOLE / MADT_PLAN_RUN_WORDS;
}

static inline bool madt_plan_run_probes(uint8_t run)
{
	return run >= MADT_PLAN_RUN_PROBE;
}

static inline struct madt_plan_run madt_plan_run_of(const uint8_t *runs, uint32_t number)
{
	const uint8_t run = runs[number];
	return (struct madt_plan_run){
		.words = (uint16_t)madt_plan_run_number(madt_plan_run_derives(run) ? runs[number + 1]
																		   : run),
		.stored = (uint16_t)madt_plan_run_number(run),
	};
}

/* ------------------------------------------------------------------ words */

/*
 * Length - 1 + 15 * (kind % 2 + 2 * (number of the size + 8 * (kind / 2))). The kind is access - 1
 * + 32 * operand, but for a load, which mostly is operand 1: that is told as 0, and 0 as 1. So the
 * usual loads and stores have shapes of one byte.
 */
#define MADT_PLAN_CODES 32u /* that words have, from 1 on: madt_probe.h */
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

/* `word`: the one before. `derives`: so does its run. */
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

/* ------------------------------------------------------------------ one run after the other */

struct madt_plan_runs {
	const uint8_t *bytes;                /* one for each run */
	const struct madt_plan_block *index; /* of the words */
	uint32_t count;
	uint32_t next;     /* number of the next run */
	const uint8_t *at; /* its words, unless a block begins with it */
	uint32_t address;  /* of the word before */
	struct madt_plan_run run;
	struct madt_plan_word word[MADT_PLAN_RUN_WORDS];
};

/* Turns to the next run. False: there is none. */
static inline bool madt_plan_runs_next(struct madt_plan_runs *runs)
{
	if (runs->next >= runs->count)
		return false;
	const struct madt_plan_block *block = runs->index + runs->next / MADT_PLAN_ROWS;
	const uint8_t run = runs->bytes[runs->next];
	if (runs->next % MADT_PLAN_ROWS == 0) {
		runs->at = madt_plan_block_at(runs->index, block);
		runs->address = block->key;
	}
	runs->run = madt_plan_run_of(runs->bytes, runs->next++);
	if (madt_plan_run_is_whole(run))
		return true;
	struct madt_plan_word word = { .address = runs->address };
	for (uint32_t i = 0; i < runs->run.words; i++) {
		madt_plan_word_read(&runs->at, madt_plan_block_at(runs->index, block + 1),
				madt_plan_run_derives(run), &word);
		runs->word[i] = word;
	}
	runs->address = word.address;
	return true;
}

/* Turns to the run of this number. */
static inline void madt_plan_runs_find(struct madt_plan_runs *runs, uint32_t number)
{
	runs->next = (number - madt_plan_run_is_whole(runs->bytes[number])) / MADT_PLAN_ROWS
			* MADT_PLAN_ROWS;
	while (madt_plan_runs_next(runs) && runs->next <= number)
		;
}

#endif
