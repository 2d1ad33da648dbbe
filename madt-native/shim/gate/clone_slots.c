/* Calls that return twice and are on their way: see gate_clone.c. */
#include "gate/clone_slots.h"
#include "gate/gate_parts.h"

#define VFORK_SLOTS 48 /* the others are for those that wait for nobody */

struct clone_slot clone_slots[MADT_STUB_SLOTS];

/* Returns 0 where all below `end` are taken. */
static unsigned slot_try(uint32_t users, unsigned end)
{
	for (unsigned i = 1; i < end; i++) {
		uint32_t none = 0;

		if (__atomic_compare_exchange_n(&clone_slots[i].users, &none, users, false,
					__ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
			return i;
	}
	return 0;
}

unsigned clone_slot_take(uint32_t users)
{
	unsigned slot;

	while (!(slot = slot_try(users, MADT_STUB_SLOTS)))
		SYS0(__NR_sched_yield);
	return slot;
}

unsigned clone_slot_of_vfork(void)
{
	return slot_try(2, VFORK_SLOTS);
}

bool gate_stub_empty(void)
{
	for (unsigned i = 1; i < MADT_STUB_SLOTS; i++)
		if (LOAD_ACQUIRE(&clone_slots[i].users))
			return false;
	return true;
}

/* In the child of a fork: what other threads of the parent had on its way is not there. */
void gate_clones_after_fork(void)
{
	for (unsigned i = 1; i < MADT_STUB_SLOTS; i++) {
		if (clone_slots[i].users)
			signal_inherited_by_none(&clone_slots[i].inherited);
		clone_slots[i].child = NULL;
		clone_slots[i].users = 0;
	}
}

void clone_slot_release(unsigned i)
{
	if (i)
		__atomic_fetch_sub(&clone_slots[i].users, 1, __ATOMIC_ACQ_REL);
}

void gate_clone_cancel(unsigned i)
{
	if (!i)
		return;
	gate_close(&clone_slots[i].pending);
	signal_inherited_by_none(&clone_slots[i].inherited);
	STORE_RELEASE(&clone_slots[i].users, 0);
}
