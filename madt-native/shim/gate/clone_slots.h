/* Calls that return twice and are on their way: each has a stub of its own. */
#ifndef MADT_CLONE_SLOTS_H
#define MADT_CLONE_SLOTS_H

#include "base/state.h"
#include "signal/signal.h"

struct clone_slot {
	uint32_t users;
	struct pending pending;
	struct inherited inherited;
	struct madt_thread *child; /* that of a vfork */
};
extern struct clone_slot clone_slots[MADT_STUB_SLOTS];

/*
 * `users`: parent and child if they share memory, else the parent alone, for the child of fork
 * frees its own copy.
 */
unsigned clone_slot_take(uint32_t users);
/* Returns 0 where as many are taken as calls of vfork may have. */
unsigned clone_slot_of_vfork(void);
void clone_slot_release(unsigned i);

#endif
