/*
 * Looking backwards in a function: from an instruction to those that may run before it, as far as
 * direct branches tell, for what registers hold.
 */
#ifndef MADT_SLICE_H
#define MADT_SLICE_H

#include "cfg/plan_text.h"

/* A branch from `source`: a direct one, or one that is known by its table. */
struct flow {
	uint32_t source;
	uint32_t next; /* of the same target, one more than its number; 0: there is none */
};

/* The branches to one target, by address: one more than the numbers of the first and the last. */
struct flow_list {
	uint32_t first;
	uint32_t last;
};

struct slice {
	const struct plan_text *text;
	ZydisDecoder decoder;
	uint32_t start; /* the function */
	uint32_t end;
	struct flow *flows; /* its own */
	size_t flow_count;
	size_t flow_capacity;
	struct flow_list *targets; /* one for each byte of the function */
	size_t target_capacity;
	unsigned steps; /* instructions that may still be looked at */
	/* what an address of a table is taken for that is not known otherwise; 0: for nothing */
	uint64_t assumed;
};

/* False: Zydis cannot decode 64-bit code. Free in either case. */
bool slice_make(struct slice *slice, const struct plan_text *text);
void slice_free(struct slice *slice);
/* Goes over to a function. False: no memory. */
bool slice_enter(struct slice *slice, uint32_t start, uint32_t end);

/* The jump leads there, too. False: no memory. */
bool slice_lead(struct slice *slice, uint32_t jump, const uint32_t *targets, uint32_t count);

bool slice_decode(const struct slice *slice, const struct insn *insn, struct decoded *decoded);

/* The instruction in front, from which control goes on to this one, or NULL. */
const struct insn *slice_previous(const struct slice *slice, const struct insn *insn);
/* Returns the first of the branches that lead to it, by their addresses, or NULL. */
const struct flow *slice_branches(const struct slice *slice, const struct insn *insn);
/* Returns the next one, or NULL. */
const struct flow *slice_next(const struct slice *slice, const struct flow *flow);

/* Returns whether the instruction may change a register, by the ABI's rules for calls. */
bool slice_writes(const struct insn *insn, unsigned number);

/* As instructions number it; 16: it is none of 32 or 64 bits, nor a part of one. */
#define SLICE_NO_REGISTER 16u
unsigned slice_register(ZydisRegister name);

/* ---------------------------------------------------------------- what a register holds */

enum value_kind {
	VALUE_UNKNOWN,
	VALUE_NONE,     /* nobody comes this way */
	VALUE_CONSTANT, /* number */
	VALUE_POINTER,  /* number, and what the register `index` held at the instruction `at` */
	VALUE_DISTANCE, /* four bytes loaded from such a pointer */
	VALUE_LABEL,    /* eight bytes loaded from there */
	VALUE_TARGET    /* `base` and such a distance */
};

struct value {
	enum value_kind kind;
	uint64_t number;
	uint64_t base;
	uint32_t at;
	uint8_t index;
	uint8_t unit; /* the number of bytes by which the address grows with the index */
};

/* Finds out where an indirect jump leads: VALUE_LABEL, VALUE_TARGET, or nothing of use. */
struct value slice_target(struct slice *slice, const struct insn *jump);

/*
 * Returns how many values the index of a pointer can have as the code in front compares it; 0:
 * nobody knows. Not *sure: no more than so many, by the bits that it has.
 */
uint32_t slice_bound(struct slice *slice, const struct value *pointer, unsigned entry, bool *sure);

#endif
