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
	/* where its caller's code and rbp were found; 0: there is more to it */
	uintptr_t code_at, base_at;
	uint32_t node;  /* of the chain from here outwards */
	uint16_t shown; /* frames from here outwards that are not MadT's own */
	bool exact;     /* `code` is an interrupted instruction */
};

/* Twice as many calls may be kept as are to be told, and MadT's own stand among them. */
#define CHAIN_FRAMES (2 * MADT_CHAIN_CALLS + 16)

#define CHAIN_PAGES 16u

struct chain_part {
	/* No fault can be handled now: memory is read where the kernel says that it is there. */
	bool careful;
	uintptr_t there[CHAIN_PAGES]; /* pages that are, by their numbers */
	uint32_t gone;                /* modules_gone, when it was made */
	uint32_t count;
	uint32_t cut;                           /* enum madt_cut */
	struct chain_frame frame[CHAIN_FRAMES]; /* the outermost first */
	uint32_t fresh_count;
	struct chain_frame fresh[CHAIN_FRAMES]; /* of the chain at hand, the innermost first */
};

#endif
