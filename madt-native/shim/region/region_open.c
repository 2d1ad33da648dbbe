/*
 * Gives traced pages their own protection, or none; the pins that keep pages open while the kernel
 * uses them; and the ranges that a call in the kernel is changing, which other threads leave alone
 * until the table says what has become of them.
 */
#include "region/region.h"
#include "region/region_table.h"

#include "base/state.h"
#include "session/session.h"

#include <errno.h>
#include <sys/mman.h>

#define EVERYWHERE (UINTPTR_MAX - MADT_PAGE)

#define PINS_MAX 4096

static struct range pins[PINS_MAX];
static uint32_t pin_count; /* slots ever used; a free slot has end 0 */
static uint32_t pins_of_all;

static struct range changing[2];
static uint32_t changer; /* the thread; 0: none */

static bool overlap(struct range range, uintptr_t start, uintptr_t end)
{
	return range.start < end && range.end > start;
}

static bool changing_in(uintptr_t start, uintptr_t end)
{
	uint32_t tid = LOAD_ACQUIRE(&changer);

	return tid && tid != self.tid
			&& (overlap(changing[0], start, end) || overlap(changing[1], start, end));
}

bool region_changing(uintptr_t address)
{
	return changing_in(address, address + 1);
}

/* Takes the lock once nobody else's call is changing the range. */
static void lock_unchanging(uintptr_t start, uintptr_t end)
{
	for (region_lock(); changing_in(PAGE_DOWN(start), PAGE_UP(end)); region_lock()) {
		region_unlock();
		SYS0(__NR_sched_yield);
	}
}

void region_change_begin(const struct range range[2])
{
	region_lock();
	changing[0] = range[0];
	changing[1] = range[1];
	STORE_RELEASE(&changer, self.tid);
	region_unlock();
}

void region_change_end(void)
{
	STORE_RELEASE(&changer, 0);
}

static bool pin_add(struct range range)
{
	for (uint32_t i = 0; i < PINS_MAX; i++)
		if (!pins[i].end) {
			pins[i] = range;
			if (i >= pin_count)
				pin_count = i + 1;
			return true;
		}
	return false;
}

static void pin_drop(struct range range)
{
	for (uint32_t i = 0; i < pin_count; i++)
		if (pins[i].start == range.start && pins[i].end == range.end) {
			pins[i].end = 0;
			break;
		}
	while (pin_count && !pins[pin_count - 1].end)
		pin_count--;
}

/*
 * Makes `first` the range if that overlaps [start, end) and begins before it. `first` is empty as
 * long as there is none.
 */
static void first_of(struct range range, uintptr_t start, uintptr_t end, struct range *first)
{
	range = (struct range){ PAGE_DOWN(range.start), PAGE_UP(range.end) };
	if (overlap(range, start, end) && (!first->end || range.start < first->start))
		*first = range;
}

/*
 * The first range that overlaps [start, end) and is not to be closed, page by page; false if none
 * does.
 */
static bool pin_in(uintptr_t start, uintptr_t end, struct range *pin)
{
	*pin = (struct range){ 0, 0 };
	for (uint32_t i = 0; i < pin_count; i++)
		if (pins[i].end)
			first_of(pins[i], start, end, pin);
	for (unsigned i = 0; i < 2 && changing_in(start, end); i++)
		first_of(changing[i], start, end, pin);
	return pin->end;
}

/* ---------------------------------------------------------------- open and close */

/*
 * RLIMIT_DATA counts pages that are private and may be written: not closed ones, but MadT's own. It
 * is lifted for pages that the target has, if the process may do that.
 */
static long open_unlimited(uintptr_t from, uintptr_t to, uint32_t protection)
{
	struct rlimit limit;
	long result = -ENOMEM;

	if (sys_limit_lift(RLIMIT_DATA, &limit)) {
		result = SYS3(__NR_mprotect, from, to - from, protection);
		sys_limit_restore(RLIMIT_DATA, &limit);
	}
	return result;
}

/*
 * Long runs only: each change of protection inside a mapping splits it, and the kernel allows
 * 65,530 of them.
 */
static bool part_protect(struct region *region, uintptr_t from, uintptr_t to, bool open)
{
	uint32_t protection = open ? region->protection : PROT_NONE;
	long result;

	if (from >= to)
		return true;
	result = SYS3(__NR_mprotect, from, to - from, protection);
	if (open && result == -ENOMEM)
		result = open_unlimited(from, to, protection);
	if (!open && sys_failed(result))
		region->flags &= ~(uint32_t)REGION_TRACED;
	return !sys_failed(result);
}

static bool region_part(struct region *region, uintptr_t from, uintptr_t to, bool open)
{
	struct range pin;

	while (!open && from < to && pin_in(from, to, &pin)) {
		if (!part_protect(region, from, pin.start, false))
			return false;
		from = pin.end < to ? pin.end : to;
	}
	return part_protect(region, from, to, open);
}

bool range_protect(uintptr_t start, uintptr_t end, bool open)
{
	bool good = true;

	if (!engine.closes || (!open && pins_of_all))
		return true;
	start = PAGE_DOWN(start);
	end = PAGE_UP(end);
	for (uint32_t i = region_at(start); i < region_count && region_table[i].start < end; i++) {
		uintptr_t from = region_table[i].start > start ? region_table[i].start : start;
		uintptr_t to = region_table[i].end < end ? region_table[i].end : end;

		if ((region_table[i].flags & REGION_TRACED) && region_table[i].protection != PROT_NONE)
			good &= region_part(&region_table[i], from, to, open);
	}
	return good;
}

bool region_open(uintptr_t start, uintptr_t end)
{
	bool good;

	lock_unchanging(start, end);
	good = range_protect(start, end, true);
	region_unlock();
	return good;
}

void region_close(uintptr_t start, uintptr_t end)
{
	region_lock();
	if (recording)
		range_protect(start, end, false);
	region_unlock();
}

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

/*
 * A private anonymous mapping that was never written loses its VM_ACCOUNT flag when it becomes
 * inaccessible, and then never merges again with the pages that are opened in it one by one
 * (mm/mprotect.c): each would stay a mapping of its own. So one page is made present before; its
 * contents do not change.
 */
void region_close_new(uintptr_t start, uintptr_t end)
{
	region_lock();
	for (uint32_t i = region_at(start);
			recording && engine.closes && i < region_count && region_table[i].start < end; i++)
		if ((region_table[i].flags & REGION_TRACED) && (region_table[i].flags & REGION_PRIVATE)
				&& (region_table[i].protection & PROT_WRITE))
			SYS3(__NR_madvise, region_table[i].start > start ? region_table[i].start : start,
					MADT_PAGE, MADV_POPULATE_WRITE);
	if (recording)
		range_protect(start, end, false);
	region_unlock();
}

void region_open_all(void)
{
	region_open(0, EVERYWHERE);
}

void region_close_all(void)
{
	region_close(0, EVERYWHERE);
}

bool region_pin(struct range range)
{
	bool added;

	lock_unchanging(range.start, range.end);
	added = pin_add(range);
	if (added)
		range_protect(range.start, range.end, true);
	region_unlock();
	return added;
}

void region_unpin(struct range range)
{
	region_lock();
	pin_drop(range);
	if (recording)
		range_protect(range.start, range.end, false);
	region_unlock();
}

void region_pin_all(void)
{
	lock_unchanging(0, EVERYWHERE);
	pins_of_all++;
	range_protect(0, EVERYWHERE, true);
	region_unlock();
}

void region_unpin_all(void)
{
	region_lock();
	pins_of_all--;
	if (recording)
		range_protect(0, EVERYWHERE, false);
	region_unlock();
}

/* A child of fork is alone: the pins of the other threads' calls are not its own. */
void region_after_fork(void)
{
	bytes_set(pins, 0, pin_count * sizeof *pins);
	pin_count = 0;
	pins_of_all = 0;
	region_change_end();
	region_drop_apart();
	region_unlock();
	region_close_all();
}
