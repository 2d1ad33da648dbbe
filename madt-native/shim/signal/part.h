/* A thread's state: its signals, as the target sees them. */
#ifndef MADT_SIGNAL_PART_H
#define MADT_SIGNAL_PART_H

#include "base/base.h"

#define SIGNALS_OWN_COUNT 4

struct action_table;

struct signal_part {
	struct action_table *actions; /* shared as the kernel's is: CLONE_SIGHAND */
	uint64_t virtual_mask;        /* signals of MadT's that the target believes blocked */
	uint64_t own_pending;         /* and that were sent to it meanwhile */
	siginfo_t own_signal[SIGNALS_OWN_COUNT];
	bool waits;         /* in a call with a signal mask of its own */
	uint64_t wait_mask; /* that one, as the target passed it */
	/* in a call during which MadT's signals that the target blocks are blocked in the kernel too */
	bool masked;
	stack_t virtual_stack; /* the target's sigaltstack */
	/* the stack of the call that gives it to the kernel: neither that one nor MadT's */
	char between[512] __attribute__((aligned(16)));
};

#endif
