/*
 * Switches of instruments (struct madt_switch): trampolines ask them, by an address that GS leads
 * to; the launcher changes them, and so do instruments. They lie in the session's file, at
 * MADT_SWITCHES_AT of the process's area, and begin as those of area 0. The child of a fork goes on
 * with those of its parent.
 */
#include "session/session.h"

#include "base/state.h"
#include "session/area.h"

static struct madt_switch *switches;

uintptr_t switches_place(void)
{
	return (uintptr_t)switches;
}

bool switch_may_be_on(uint32_t instrument)
{
	const struct madt_switch *one = switches + instrument;

	return switches && instrument < session.page->switches
			&& (!LOAD_ACQUIRE(&one->off) || one->turns);
}

static size_t switches_bytes(void)
{
	const uint32_t count = session.page && session.page->engine == MADT_ENGINE_SPLICE
			? session.page->switches
			: 0;

	return count > MADT_SWITCHES_MOST ? 0 : PAGE_UP(count * sizeof(struct madt_switch));
}

/* NULL: there is no memory. */
static struct madt_switch *switches_map(uint64_t area)
{
	const size_t size = switches_bytes();
	long at = area_map(area + MADT_SWITCHES_AT, size);

	if (sys_failed(at))
		return NULL;
	if (area_allocate((void *)at, size))
		return (struct madt_switch *)at;
	sys_unmap((uintptr_t)at, size);
	return NULL;
}

/* Takes them over, and drops where they were. */
static bool switches_move(struct madt_switch *from)
{
	struct madt_switch *own = from ? switches_map(MADT_AREA(session.serial)) : NULL;

	if (own)
		bytes_copy(own, from, switches_bytes());
	if (from)
		sys_unmap((uintptr_t)from, switches_bytes());
	switches = own;
	self.switches_at = (uintptr_t)switches;
	return own;
}

bool switches_set_up(void)
{
	return !switches_bytes() || switches_move(switches_map(0));
}

bool switches_after_fork(void)
{
	return !switches_bytes() || switches_move(switches);
}
