/*
 * Machine code in the making: x86-64 instructions that touch no flags, with what is to be filled in
 * once it has its place.
 */
#ifndef MADT_EMIT_H
#define MADT_EMIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/pack.h"

/*
 * base, index: as in madt_code_operand; base RIP: `displacement` is the address itself, or
 * EMIT_EPOCH.
 */
struct emit_address {
	uint8_t base;
	uint8_t index;
	uint8_t scale;
	int64_t displacement;
};

/*
 * A disp32 to be filled in. Until then its target stands in its place: an address, EMIT_EPOCH for
 * the epoch's, or EMIT_FAR.
 */
struct emit_fixup {
	uint32_t at;    /* its offset */
	uint8_t behind; /* bytes of the instruction that follow it */
} __attribute__((packed));

#define EMIT_EPOCH UINT32_MAX
#define EMIT_FAR (UINT32_MAX - 1)

/*
 * A target that does not fit there: a compiler may have folded an index into an address, so that it
 * is negative.
 */
struct emit_far {
	uint32_t at; /* of its fixup */
	int64_t target;
};

/* A load that may fault, and where its thread goes on then, with all ones in the register. */
struct emit_load {
	uint32_t at; /* offsets, as those of fixups */
	uint32_t resume;
	uint8_t to;
};

struct emit {
	uint8_t *bytes;
	size_t size;
	size_t capacity;
	struct emit_fixup *fixups;
	size_t fixup_count;
	size_t fixup_capacity;
	struct emit_far *fars; /* in the order of fixups */
	size_t far_count;
	size_t far_capacity;
	/* place: offset in `bytes`, until the code has its place; anew from each trampoline's start */
	struct pack boundaries;
	uint32_t *relocations; /* likewise offsets */
	size_t relocation_count;
	size_t relocation_capacity;
	struct emit_load *loads;
	size_t load_count;
	size_t load_capacity;
	bool full; /* no memory: nothing was added since */
};

void emit_free(struct emit *emit);

bool emit_grow(struct emit *emit, size_t size);

static inline void emit_bytes(struct emit *emit, const void *bytes, size_t size)
{
	if (size > emit->capacity - emit->size && !emit_grow(emit, size))
		return;
	memcpy(emit->bytes + emit->size, bytes, size);
	emit->size += size;
}

void emit_boundary(struct emit *emit, uint32_t address);
/* A record is open here, and the registers `held` are in the spill slots. */
void emit_boundary_open(struct emit *emit, uint32_t address, const uint8_t held[2]);

/* A disp32 that leads to an address; `behind`: bytes of the instruction that follow it. */
void emit_displacement(struct emit *emit, int64_t target, unsigned behind);

void emit_gs_load(struct emit *emit, unsigned to, unsigned slot);
void emit_gs_store(struct emit *emit, unsigned from, unsigned slot);
/* `kept`: from the thread's block, where it may not be read by rdfsbase. */
void emit_fs_base(struct emit *emit, unsigned to, bool kept);
void emit_lea(struct emit *emit, unsigned to, struct emit_address address, bool cut_to_32);
void emit_load32(struct emit *emit, unsigned to, struct emit_address address);
void emit_store32(struct emit *emit, unsigned from, struct emit_address address);
void emit_store64(struct emit *emit, unsigned from, struct emit_address address);
void emit_load64(struct emit *emit, unsigned to, struct emit_address address);
/*
 * Likewise of 1, 2, 4 or 8 bytes, from where there may be nothing; and where those from `first` on
 * go on: here.
 */
void emit_load_safe(struct emit *emit, unsigned to, struct emit_address address, unsigned size);
void emit_loads_resume(struct emit *emit, size_t first);
/* The low 64 bits of a vector register, one of the first sixteen. */
void emit_store_vector(struct emit *emit, unsigned from, struct emit_address address);
void emit_store_ones(struct emit *emit, struct emit_address address); /* 64 bits */
/* 32 bits, relocated */
void emit_store_template(struct emit *emit, uint32_t number, struct emit_address address);
void emit_move_constant(struct emit *emit, unsigned to, uint64_t value);
void emit_move_al(struct emit *emit, unsigned to);

/*
 * The words of a masked operand, from [base + words] on; `address` holds its first element's
 * address, and another value afterwards.
 */
void emit_masked(struct emit *emit, const struct madt_code_operand *operand, unsigned base,
		int32_t words, unsigned address);

void emit_jump(struct emit *emit, int64_t target);
void emit_branch(struct emit *emit, unsigned condition, int64_t target);

#endif
