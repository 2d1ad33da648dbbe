/*
 * The marks of MadT's own mappings: one place per mapping, here and, once there is a control file,
 * at the same place in that file, where the collector reads them. A place is taken by its start and
 * given back by its start, without locks.
 */
#include "base/base.h"

static struct madt_range own[MADT_OWN_RANGES];
static uint32_t own_most;        /* places that were ever taken */
static struct madt_range *shown; /* in the control file, or NULL */

static void most_raise(uint32_t taken)
{
	uint32_t most = LOAD_ACQUIRE(&own_most);

	while (most < taken
			&& !__atomic_compare_exchange_n(&own_most, &most, taken, false, __ATOMIC_ACQ_REL,
					__ATOMIC_ACQUIRE))
		;
}

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
		most_raise(i + 1);
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

void own_unmap(uintptr_t kept)
{
	STORE_RELEASE(&shown, NULL); /* it may be among them */
	for (uint32_t i = 0; i < MADT_OWN_RANGES; i++) {
		const uintptr_t start = own[i].start;

		if (!start || start == kept)
			continue;
		STORE_RELEASE(&own[i].start, 0);
		SYS2(__NR_munmap, start, own[i].end - start);
	}
}

static uintptr_t own_end(uintptr_t at)
{
	uint32_t most = LOAD_ACQUIRE(&own_most);

	for (uint32_t i = 0; i < most; i++)
		if (LOAD_ACQUIRE(&own[i].start) && at - own[i].start < own[i].end - own[i].start)
			return own[i].end;
	return 0;
}

bool own_covers(uintptr_t start, uintptr_t end)
{
	uintptr_t at = start;

	while (at && at < end)
		at = own_end(at);
	return at && start < end;
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
