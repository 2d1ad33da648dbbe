/*
 * A thread's state: what runs on it, what its wrappers hold open, where it has been seen, and its
 * GS.
 */
#ifndef MADT_THREAD_PART_H
#define MADT_THREAD_PART_H

#include "base/base.h"

/* What runs on a thread between the target's own frames, innermost last; see thread/frame.c. */
enum frame_kind { FRAME_ALLOCATION, FRAME_BLOCK, FRAME_STREAM, FRAME_SIGNAL, FRAME_NAMED };

struct frame {
	uintptr_t stack; /* its stack pointer: a frame below the thread's is gone */
	enum frame_kind kind;
	size_t moved;   /* FRAME_STREAM: bytes that read(2) gave to what runs in it */
	uintptr_t code; /* operator new and delete: the real one */
	uintptr_t old;  /* FRAME_NAMED: the block that it has ended, or 0 */
	bool maps;      /* FRAME_ALLOCATION: what it maps is a block of the target's */
	/* operator new: what was asked for, and by whom, or 0: an exception ends it without an event */
	size_t size;
	uintptr_t caller;
};

#define FRAMES_MAX 64
#define KEPT_MAX 48
#define HELD_BLOCKS 4

struct pace_page {
	uintptr_t page;
	uint64_t count;
};
#define PACE_PAGES 64
#define MISSED_UNIT 256 /* parts of an access */

/*
 * What the child of a clone takes over of its creator, which may have gone on or ended when the
 * child begins.
 */
struct inherited {
	uint64_t virtual_mask;
	stack_t virtual_stack;
	struct action_table *actions;
	uint32_t lender; /* number of the thread that lends its memory and waits: vfork; else 0 */
	uintptr_t virtual_gs;
	bool tsc_forbidden;
};

struct thread_part {
	uint32_t frames;
	/* the stack pointer of the innermost, if nothing in it is recorded or counted; or 0 */
	uintptr_t silent_to;
	struct frame frame[FRAMES_MAX];

	/*
	 * Blocks that were allocated within an allocator by another name, in their order; see
	 * wrap/wrap_named.c.
	 */
	uint32_t held;
	struct madt_event held_event[HELD_BLOCKS];

	uint32_t kept; /* ranges that a wrapper's faults opened; they close when it ends */
	struct range kept_open[KEPT_MAX];
	bool kept_all;
	uint64_t kept_since; /* time stamp of the first of them */

	struct pace_page pace[PACE_PAGES]; /* where this thread's accesses went, see missed.c */
	uint64_t pace_all, pace_last;
	uintptr_t pace_page; /* the last page */
	uint64_t pace_row;   /* how often in a row */
	uint64_t missed_rest;

	uintptr_t virtual_gs; /* the base that the target believes in */
	bool gs_wanted;       /* by the step at hand: the instruction uses GS */
	bool gs_lent;         /* it is in place: GS does not lead here */
	/* it has left, in an interposed function or a trampoline, which still look here */
	bool keeps_gs;

	/* envp handed to execve: memory that outlives a failed exec, and a vfork child */
	void *environment;
	size_t environment_size;
};

#endif
