/* A thread's state: its steps in trampolines, see splice_step.c. */
#ifndef MADT_SPLICE_PART_H
#define MADT_SPLICE_PART_H

#include "base/base.h"

struct splice_part {
	uintptr_t stepped;  /* the instruction of the step on the way out of a trampoline */
	bool step_own;      /* the target's own trap flag takes it there */
	uintptr_t own_from; /* the target steps itself, here in a trampoline; 0: not yet */
	/* its instruction that is done and has not been shown yet; 0: none */
	uintptr_t own_due;
	bool own_last; /* which took the trap flag back */
	/* on the way to a function of a probe's it stepped, and goes on so behind it: call_out.c */
	uint32_t out_steps;
	uintptr_t out_way;       /* where its way back leads */
	uintptr_t library_stack; /* it is in a function of the user's: library_enter.S; or 0 */
	uintptr_t over;          /* the point behind which it steps, or 0: splice_points.c */
	uint64_t over_mask;      /* its signals meanwhile */
	/* the latest change of text for which it has tried once more what it could not execute */
	uint32_t fetched;
	/* the same of copies of text, for this page: splice_copies.c */
	uint32_t copies;
	uintptr_t copies_page;
};

#endif
