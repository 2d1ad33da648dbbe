/* A thread's state: the step at hand, and its robust mutexes. */
#ifndef MADT_TRAP_PART_H
#define MADT_TRAP_PART_H

#include "base/base.h"

#include <linux/futex.h>

#define STEP_PAGES_MAX 72

struct step {
	bool active;
	bool elements;  /* the instruction accesses several, one after the other */
	uint64_t begun; /* time stamp */
	uint8_t pages;
	uint64_t mask;   /* the target's signal mask */
	uintptr_t code;  /* the instruction */
	uintptr_t wrote; /* where it stores, or 0 */
	bool flag;       /* the target had set the trap flag itself */
	uintptr_t page[STEP_PAGES_MAX];
};

struct trap_part {
	struct step step;
	/* the last fault that was over before it was looked at */
	uintptr_t past_code, past_address;

	uintptr_t robust;                       /* the head of the target's list, see robust.c */
	uintptr_t robust_first, robust_pending; /* what it held at the last look */
	/* the one that the kernel has, if there are nodes */
	struct robust_list_head robust_own;
	uintptr_t robust_nodes;
	uint32_t robust_changes;
};

#endif
