/*
 * The marks of MadT's own mappings: one place per mapping, here and, once there is a control file,
 * at the same place in that file, where the collector reads them. A place is taken by its start and
 * given back by its start, without locks.
 */
#include "base/base.h"

static struct madt_range own[MADT_OWN_RANGES];
static struct madt_range *shown; /* in the control file, or NULL */

void own_add(uintptr_t at, size_t bytes)
{
	uintptr_t end = (at + bytes + MADT_PAGE - 1) & ~(uintptr_t)(MADT_PAGE - 1);
	struct madt_range *file = LOAD_ACQUIRE(&shown);

	for (uint32_t i = 0; i < MADT_OWN_RANGES; i++) {
		uint64_t unused = 0;

		if (LOAD_ACQUIRE(&own[i].start)
				|| !__atomic_compare_exchange_n(&own[i].start, &unused, at, false, __ATOMIC_ACQ_REL,
						__ATOMIC_RELAXED))
			continue;
		STORE_RELEASE(&own[i].end, end);
		if (file) {
			STORE_RELEASE(&file[i].end, end);
			STORE_RELEASE(&file[i].start, at);
		}
		return;
	}
}

void own_remove(uintptr_t at)
{
	struct madt_range *file = LOAD_ACQUIRE(&shown);

	for (uint32_t i = 0; at && i < MADT_OWN_RANGES; i++) {
		if (LOAD_ACQUIRE(&own[i].start) != at)
			continue;
		if (file)
			STORE_RELEASE(&file[i].start, 0);
		STORE_RELEASE(&own[i].start, 0);
		return;
	}
}

void own_share(struct madt_range *shared)
{
	STORE_RELEASE(&shown, NULL);
	if (!shared)
		return;
	for (uint32_t i = 0; i < MADT_OWN_RANGES; i++) {
		if (!LOAD_ACQUIRE(&own[i].start))
			continue;
		shared[i].end = own[i].end;
		STORE_RELEASE(&shared[i].start, own[i].start);
	}
	STORE_RELEASE(&shown, shared);
}
