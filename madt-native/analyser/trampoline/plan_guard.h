/* Guards of instruments: code in front of what a hit does, and behind it. */
#ifndef MADT_PLAN_GUARD_H
#define MADT_PLAN_GUARD_H

#include "probe/plan.h"

#define GUARD_HOLES (2 * MADT_GUARD_STEPS)

/* Branches whose target comes later: offsets of their distances. */
struct guard_holes {
	size_t at[GUARD_HOLES];
	unsigned count;
};

/* One in the making. */
struct guard {
	struct plan *plan;
	struct scratch rax, rcx;
	size_t first_load, last_load; /* its own among those that may fault */
	unsigned depth;               /* of its stack */
	bool flags;                   /* are saved */
	/* where hits are refused: with flags saved, or before */
	struct guard_holes refused, unsaved;
	size_t ends[MADT_GUARD_DEPTH];
	unsigned open; /* of these */
};

/* `dead`: registers that the target does not need. */
void plan_guard_begin(struct plan *plan, const struct probe *probe, register_set dead,
		struct guard *guard);
void plan_guard_end(struct plan *plan, const struct guard *guard);

#endif
