/* A thread's state: the last chain of calls that was asked for. */
#ifndef MADT_CHAIN_PART_H
#define MADT_CHAIN_PART_H

#include "base/base.h"

/* A call that has not returned, as the call within it finds it. */
struct chain_frame {
	uintptr_t code;  /* an address inside the call instruction, or the interrupted instruction */
	uintptr_t stack; /* rsp when the call within it has returned */
	uintptr_t base;  /* rbp then */
	uint64_t rule;   /* chain_rule.h */
	uint32_t node;   /* of the chain from here outwards */
	bool exact;      /* `code` is an interrupted instruction */
};

/* MadT's own calls may stand among those that are told. */
#define CHAIN_FRAMES (MADT_CHAIN_CALLS + 16)

struct chain_frames {
	uint32_t count;
	uint32_t cut; /* enum madt_cut */
	struct chain_frame frame[CHAIN_FRAMES];
};

struct chain_part {
	uint32_t gone;                 /* modules_gone, when it was made */
	uint32_t last;                 /* which of both is the last one */
	struct chain_frames frames[2]; /* the other is put together from it */
};

#endif
