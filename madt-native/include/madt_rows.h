/*
 * Packed tables of a splice plan: rows of three numbers in the order of their keys, in blocks of
 * MADT_PLAN_ROWS. A table's `offset` is that of its index, which its rows stand in front of:
 *
 *   rows, block by block |
 *   up to a multiple of 8 bytes |
 *   index: struct madt_plan_block for each block, and one for the end of the last
 *
 *   a row:  key - the key before it                                            LEB128
 *           zigzag(value - the value before it) * 2, and 1 if `extra` is not 0   LEB128
 *           extra, if it is not 0                                              LEB128
 *
 * In front of a block's first row come the block's key, so that the difference is 0, and value 0.
 */
#ifndef MADT_ROWS_H
#define MADT_ROWS_H

#include "madt_plan.h"

#define MADT_PLAN_ROWS 64u

struct madt_plan_row {
	uint32_t key;
	uint32_t value;
	uint32_t extra;
};

/* The rows to come. */
struct madt_plan_rows {
	const struct madt_plan_block *index;
	const struct madt_plan_block *block; /* the next one */
	const uint8_t *at;
	uint32_t left;          /* rows */
	uint32_t left_in_block; /* 0: a block begins */
	struct madt_plan_row row;
};

/* Returns how many items an index has. */
static inline uint32_t madt_plan_blocks(uint32_t rows)
{
	return rows / MADT_PLAN_ROWS + (rows % MADT_PLAN_ROWS != 0) + 1;
}

static inline uint64_t madt_plan_number(const uint8_t **at, const uint8_t *end)
{
	uint64_t number = 0;
	for (unsigned shift = 0; *at < end && shift < 64; shift += 7) {
		const uint8_t byte = *(*at)++;
		number |= (uint64_t)(byte & 0x7f) << shift;
		if (byte < 0x80)
			break;
	}
	return number;
}

/* `row` is the one before. Nothing behind `end` is read. */
static inline void madt_plan_row_read(const uint8_t **at, const uint8_t *end,
		struct madt_plan_row *row)
{
	row->key += (uint32_t)madt_plan_number(at, end);
	const uint64_t number = madt_plan_number(at, end);
	const uint32_t zigzag = (uint32_t)(number >> 1);
	row->value += zigzag >> 1 ^ (0u - (zigzag & 1));
	row->extra = number & 1 ? (uint32_t)madt_plan_number(at, end) : 0;
}

static inline const uint8_t *madt_plan_block_at(const struct madt_plan_block *index,
		const struct madt_plan_block *block)
{
	return (const uint8_t *)index - block->before;
}

/* From a block on. */
static inline struct madt_plan_rows madt_plan_rows_from(const struct madt_plan_block *index,
		uint32_t count, uint32_t block)
{
	return (struct madt_plan_rows){
		.index = index, .block = index + block, .left = count - block * MADT_PLAN_ROWS
	};
}

/* Turns to the next row. False: there is none. */
static inline bool madt_plan_rows_next(struct madt_plan_rows *rows)
{
	if (!rows->left)
		return false;
	if (!rows->left_in_block) {
		rows->row = (struct madt_plan_row){ .key = rows->block->key };
		rows->at = madt_plan_block_at(rows->index, rows->block);
		rows->left_in_block = MADT_PLAN_ROWS;
		rows->block++;
	}
	rows->left--;
	rows->left_in_block--;
	madt_plan_row_read(&rows->at, madt_plan_block_at(rows->index, rows->block), &rows->row);
	return true;
}

/* The blocks that begin with this key or a smaller one. */
static inline uint32_t madt_plan_blocks_up_to(const struct madt_plan_block *index, uint32_t count,
		uint32_t key)
{
	uint32_t low = 0, high = madt_plan_blocks(count) - 1;
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		if (index[middle].key <= key)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* The last row with this key or a smaller one. False: there is none. */
static inline bool madt_plan_rows_find(const struct madt_plan_block *index, uint32_t count,
		uint32_t key, struct madt_plan_row *found)
{
	const uint32_t blocks = madt_plan_blocks_up_to(index, count, key);
	*found = (struct madt_plan_row){ 0 };
	if (blocks == 0)
		return false;
	struct madt_plan_rows rows = madt_plan_rows_from(index, count, blocks - 1);
	for (unsigned i = 0; i < MADT_PLAN_ROWS; i++) {
		if (!madt_plan_rows_next(&rows) || rows.row.key > key)
			break;
		*found = rows.row;
	}
	return true;
}

/* ------------------------------------------------------------------ what the rows are */

#define MADT_PLAN_JUMP 5u  /* bytes of e9 rel32 */
#define MADT_PLAN_SHORT 2u /* of eb rel8 */

/* Value: where its jump leads. Extra: length + MADT_PLAN_TACTIC * tactic. */
#define MADT_PLAN_TACTIC 64u

/* Bytes from the patch's address to where `relative` counts from. */
static inline uint32_t madt_plan_patch_jump(uint8_t length, uint8_t tactic)
{
	return tactic == MADT_TACTIC_NEAR ? MADT_PLAN_SHORT : length == 1 ? 0 : MADT_PLAN_JUMP;
}

static inline struct madt_plan_patch madt_plan_patch_of(struct madt_plan_row row)
{
	const uint8_t length = row.extra % MADT_PLAN_TACTIC;
	const uint8_t tactic = (uint8_t)(row.extra / MADT_PLAN_TACTIC);
	return (struct madt_plan_patch){ row.key, length, tactic,
		(int32_t)(row.value - row.key - madt_plan_patch_jump(length, tactic)) };
}

static inline struct madt_plan_row madt_plan_patch_row(const struct madt_plan_patch *patch)
{
	return (struct madt_plan_row){ patch->address,
		patch->address + madt_plan_patch_jump(patch->length, patch->tactic)
				+ (uint32_t)patch->relative,
		patch->length + MADT_PLAN_TACTIC * patch->tactic };
}

/* Value: the place. Extra: the step's index + 1, or 0. */
static inline struct madt_plan_entry madt_plan_entry_of(struct madt_plan_row row)
{
	return (struct madt_plan_entry){ row.key, row.value, row.extra - 1 };
}

static inline struct madt_plan_row madt_plan_entry_row(const struct madt_plan_entry *entry)
{
	return (struct madt_plan_row){ entry->address, entry->place, entry->step + 1 };
}

/* Value: where the thread goes on. Extra: the register. */
static inline struct madt_plan_load madt_plan_load_of(struct madt_plan_row row)
{
	return (struct madt_plan_load){ row.key, row.value, (uint8_t)row.extra };
}

static inline struct madt_plan_row madt_plan_load_row(const struct madt_plan_load *load)
{
	return (struct madt_plan_row){ load->place, load->resume, load->to };
}

/* Value: the address. Extra: 1 if a record is open, + 2 * (held[0] + 1) + 64 * (held[1] + 1). */
static inline struct madt_plan_boundary madt_plan_boundary_of(struct madt_plan_row row)
{
	return (struct madt_plan_boundary){ row.key, row.value, row.extra & 1,
		{ (uint8_t)((row.extra >> 1 & 31) - 1), (uint8_t)((row.extra >> 6) - 1) } };
}

static inline struct madt_plan_row madt_plan_boundary_row(const struct madt_plan_boundary *boundary)
{
	return (struct madt_plan_row){ boundary->place, boundary->address,
		boundary->open | (uint32_t)(uint8_t)(boundary->held[0] + 1) << 1
				| (uint32_t)(uint8_t)(boundary->held[1] + 1) << 6 };
}

#endif
