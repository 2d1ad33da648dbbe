/*
 * How the caller of a frame is found, for an address of code: the canonical frame address (CFA,
 * rsp in front of the call's return address), and where rbp was saved. Of what .eh_frame says, the
 * usual forms are a rule of 64 bits; everything else is worked out anew each time
 * (chain_registers.c).
 */
#ifndef MADT_CHAIN_RULE_H
#define MADT_CHAIN_RULE_H

#include "base/base.h"

enum rule_frame {
	RULE_NO_TABLE = 0, /* nobody tells */
	RULE_END = 1,      /* nobody called: the return address is undefined */
	RULE_SIGNAL = 2,   /* a handler of the target's returns here: the frame is a signal's */
	RULE_OTHER = 3,    /* none of the usual forms */
	RULE_STACK = 4,    /* CFA = rsp + distance */
	RULE_BASE = 5,     /* CFA = rbp + distance */
	RULE_STORED = 6    /* CFA = the word at rbp + distance: a realigned stack */
};
enum rule_base {
	BASE_KEPT = 0,    /* rbp is the caller's */
	BASE_AT_CFA = 1,  /* it was saved at CFA + distance */
	BASE_AT_BASE = 2, /* it was saved at rbp + distance */
};

/* frame 0 to 2 | base 3, 4 | MadT's own 5 | distance of the frame 8 to 35 | of rbp 36 to 63 */
#define RULE_OWN (UINT64_C(1) << 5)
#define RULE_DISTANCE_BITS 28

static inline enum rule_frame rule_frame(uint64_t rule)
{
	return (enum rule_frame)(rule & 7);
}

static inline enum rule_base rule_base(uint64_t rule)
{
	return (enum rule_base)(rule >> 3 & 3);
}

static inline int64_t rule_frame_distance(uint64_t rule)
{
	return (int64_t)(rule << RULE_DISTANCE_BITS) >> (64 - RULE_DISTANCE_BITS);
}

static inline int64_t rule_base_distance(uint64_t rule)
{
	return (int64_t)rule >> (64 - RULE_DISTANCE_BITS);
}

static inline uint64_t rule_of(enum rule_frame frame, int64_t distance, enum rule_base base,
		int64_t base_distance)
{
	const uint64_t mask = (UINT64_C(1) << RULE_DISTANCE_BITS) - 1;

	return (uint64_t)frame | (uint64_t)base << 3 | ((uint64_t)distance & mask) << 8
			| (uint64_t)base_distance << (64 - RULE_DISTANCE_BITS);
}

static inline bool rule_has_room(int64_t distance)
{
	return distance
			== (int64_t)((uint64_t)distance << (64 - RULE_DISTANCE_BITS))
			>> (64 - RULE_DISTANCE_BITS);
}

bool rules_set_up(void); /* false: there is no memory */
/* The rule for an address of code. In a critical section. */
uint64_t rule_at(uintptr_t code);

#endif
