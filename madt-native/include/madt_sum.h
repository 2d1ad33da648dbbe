/*
 * A sum of many bytes: whether they are those of before. Lanes are polynomials modulo 2^61 - 1 at
 * a secret point, whose coefficients are the bytes, seven at a time; a second point joins the
 * lanes. Two different texts of n bytes have the same sum for n/28 of 2^58 points at most, so who
 * does not know the points cannot make a second one (Carter and Wegman, "Universal classes of hash
 * functions", 1979). Four lanes, since each multiplication waits for the one before; general
 * registers are enough.
 *
 *   lane i:   every fourth seven bytes, from the i-th on       lane = (lane + bytes) * point
 *   sum:      ((lane 0 * join + lane 1) * join + lane 2) * join + lane 3
 */
#ifndef MADT_SUM_H
#define MADT_SUM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MADT_SUM_LANES 4u
#define MADT_SUM_BYTES 7u /* to a lane */
#define MADT_SUM_BLOCK (MADT_SUM_LANES * MADT_SUM_BYTES)
#define MADT_SUM_PRIME ((UINT64_C(1) << 61) - 1)

struct madt_sum_key {
	uint64_t point; /* any numbers; 0 and 1 would be bad ones */
	uint64_t join;
};

/* Of mapped text, which anybody may know: edits are noticed by it, and not forgeries. */
#define MADT_SUM_TEXT_KEY \
	((struct madt_sum_key){ UINT64_C(0x0364ac8d24f96a55), UINT64_C(0x1a3d70e9c1b52f87) })

struct madt_sum {
	uint64_t point; /* below 2^58: the lanes stay below 2^62 */
	uint64_t join;
	uint64_t lanes[MADT_SUM_LANES];
};

/* Congruent to the product; below 2^61 + product / 2^61. */
static inline uint64_t madt_sum_times(uint64_t left, uint64_t right)
{
	unsigned __int128 product = (unsigned __int128)left * right;

	return ((uint64_t)product & MADT_SUM_PRIME) + (uint64_t)(product >> 61);
}

static inline uint64_t madt_sum_fold(uint64_t value)
{
	value = (value & MADT_SUM_PRIME) + (value >> 61);
	return value >= MADT_SUM_PRIME ? value - MADT_SUM_PRIME : value;
}

static inline struct madt_sum madt_sum_begin(struct madt_sum_key key)
{
	return (struct madt_sum){ .point = key.point & ((UINT64_C(1) << 58) - 1),
		.join = madt_sum_fold(key.join) };
}

static inline uint64_t madt_sum_lane(uint64_t lane, uint64_t point, const uint8_t *bytes)
{
	const struct {
		uint64_t value;
	} __attribute__((packed, may_alias)) *word = (const void *)bytes;

	return madt_sum_times(lane + (word->value & ((UINT64_C(1) << 8 * MADT_SUM_BYTES) - 1)), point);
}

/* Whole blocks; a byte more is read. The lanes stay in registers. */
static inline void madt_sum_blocks(struct madt_sum *sum, const uint8_t *bytes, size_t count)
{
	const uint64_t point = sum->point;
	uint64_t a = sum->lanes[0], b = sum->lanes[1], c = sum->lanes[2], d = sum->lanes[3];

	for (; count; count--, bytes += MADT_SUM_BLOCK) {
		a = madt_sum_lane(a, point, bytes);
		b = madt_sum_lane(b, point, bytes + MADT_SUM_BYTES);
		c = madt_sum_lane(c, point, bytes + 2 * MADT_SUM_BYTES);
		d = madt_sum_lane(d, point, bytes + 3 * MADT_SUM_BYTES);
	}
	sum->lanes[0] = a;
	sum->lanes[1] = b;
	sum->lanes[2] = c;
	sum->lanes[3] = d;
}

/* Of what is added in parts, all but the last have a multiple of MADT_SUM_BLOCK bytes. */
static inline void madt_sum_add(struct madt_sum *sum, const void *bytes, size_t size)
{
	const size_t blocks = size ? (size - 1) / MADT_SUM_BLOCK : 0;
	const uint8_t *rest = (const uint8_t *)bytes + blocks * MADT_SUM_BLOCK;
	uint8_t last[MADT_SUM_BLOCK + 1] = { 0 };

	madt_sum_blocks(sum, bytes, blocks);
	for (size_t i = 0; i < size - blocks * MADT_SUM_BLOCK; i++)
		last[i] = rest[i];
	madt_sum_blocks(sum, last, size ? 1 : 0);
}

/* A length in front of what is added tells parts from each other. */
static inline void madt_sum_number(struct madt_sum *sum, uint64_t number)
{
	uint8_t bytes[MADT_SUM_BLOCK + 1] = { [MADT_SUM_BLOCK - 1] = 1 };

	for (unsigned i = 0; i < sizeof number; i++)
		bytes[i] = (uint8_t)(number >> 8 * i);
	madt_sum_blocks(sum, bytes, 1);
}

static inline uint64_t madt_sum_end(const struct madt_sum *sum)
{
	uint64_t all = 0;

	for (unsigned i = 0; i < MADT_SUM_LANES; i++)
		all = madt_sum_fold(madt_sum_fold(madt_sum_times(all, sum->join)) + sum->lanes[i]);
	return all;
}

/* ------------------------------------------------------------------ of a module's text
 *
 * Of each executable segment, in the order of the program headers, that is in memory as it is in
 * the file: the length of what the file holds of it, and these bytes. What can be written may have
 * been relocated.
 */
#define MADT_SEGMENT_X 1u /* ELF gABI, "Segment Flag Bits" */
#define MADT_SEGMENT_W 2u
#define MADT_SEGMENT_R 4u

static inline bool madt_segment_stays(uint32_t flags)
{
	return (flags & (MADT_SEGMENT_X | MADT_SEGMENT_W | MADT_SEGMENT_R))
			== (MADT_SEGMENT_X | MADT_SEGMENT_R);
}

#endif
