/*
 * What is mapped, and which of it is traced. The table is the target's view: `protection` is what
 * the target asked for; while recording, traced pages have none in reality. Changed in handlers and
 * critical sections only, hence the plain lock.
 */
#include "region/region.h"
#include "region/region_table.h"

#include "base/spin.h"

#include <sys/mman.h>

struct region *region_table;
uint32_t region_count;
static uint32_t room;
static struct spin lock;

void region_lock(void)
{
	spin_lock(&lock);
}

void region_unlock(void)
{
	spin_unlock(&lock);
}

/* Index of the first region that ends behind `address`. */
uint32_t region_at(uintptr_t address)
{
	uint32_t low = 0, high = region_count;

	while (low < high) {
		uint32_t middle = (low + high) / 2;

		if (region_table[middle].end <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static bool table_grow(void)
{
	uint32_t more = room ? room * 2 : 4096;
	struct region *bigger = sys_pages(more * sizeof *region_table);

	if (!bigger)
		return false;
	if (region_table) {
		bytes_copy(bigger, region_table, region_count * sizeof *region_table);
		sys_unmap((uintptr_t)region_table, room * sizeof *region_table);
	}
	region_table = bigger;
	room = more;
	return true;
}

static bool table_insert(uint32_t i, struct region region)
{
	if (region_count == room && !table_grow())
		return false;
	for (uint32_t k = region_count; k > i; k--)
		region_table[k] = region_table[k - 1];
	region_table[i] = region;
	region_count++;
	return true;
}

static void table_drop(uint32_t i)
{
	for (region_count--; i < region_count; i++)
		region_table[i] = region_table[i + 1];
}

/* Cuts whatever lies across `address` in two. */
static void table_split(uintptr_t address)
{
	uint32_t i = region_at(address);
	struct region upper;

	if (i == region_count || region_table[i].start >= address)
		return;
	upper = region_table[i];
	upper.start = address;
	if (table_insert(i + 1, upper))
		region_table[i].end = address;
}

static void table_remove(uintptr_t start, uintptr_t end)
{
	table_split(start);
	table_split(end);
	for (uint32_t i = region_at(start); i < region_count && region_table[i].start < end;)
		table_drop(i);
}

static bool joins(const struct region *a, const struct region *b)
{
	return a->end == b->start && a->protection == b->protection && a->flags == b->flags;
}

static void table_merge(uint32_t i)
{
	if (i + 1 < region_count && joins(&region_table[i], &region_table[i + 1])) {
		region_table[i].end = region_table[i + 1].end;
		table_drop(i + 1);
	}
	if (i > 0 && joins(&region_table[i - 1], &region_table[i])) {
		region_table[i - 1].end = region_table[i].end;
		table_drop(i);
	}
}

void region_add(uintptr_t start, uintptr_t end, uint32_t protection, uint32_t flags)
{
	struct region region = { start, end, protection, flags };
	uint32_t i;

	if (start >= end)
		return;
	if (protection & PROT_EXEC)
		region.flags &= ~(uint32_t)REGION_TRACED;
	region_lock();
	table_remove(start, end);
	i = region_at(start);
	if (table_insert(i, region))
		table_merge(i);
	region_unlock();
}

void region_remove(uintptr_t start, uintptr_t end)
{
	region_lock();
	table_remove(start, end);
	region_unlock();
}

void region_protect(uintptr_t start, uintptr_t end, uint32_t protection)
{
	region_lock();
	table_split(start);
	table_split(end);
	for (uint32_t i = region_at(start); i < region_count && region_table[i].start < end; i++) {
		region_table[i].protection = protection;
		if (protection & PROT_EXEC)
			region_table[i].flags &= ~(uint32_t)REGION_TRACED;
	}
	region_unlock();
}

/* Opens a range for good: a thread's stack turned up in it. */
void region_untrace(uintptr_t start, uintptr_t end)
{
	region_lock();
	range_protect(start, end, true);
	table_split(start);
	table_split(end);
	for (uint32_t i = region_at(start); i < region_count && region_table[i].start < end; i++)
		region_table[i].flags &= ~(uint32_t)REGION_TRACED;
	region_unlock();
}

void region_set_apart(uintptr_t start, uintptr_t end, bool apart)
{
	region_lock();
	table_split(start);
	table_split(end);
	for (uint32_t i = region_at(start); i < region_count && region_table[i].start < end; i++)
		if (apart)
			region_table[i].flags |= REGION_APART;
		else
			region_table[i].flags &= ~(uint32_t)REGION_APART;
	region_unlock();
}

void region_drop_apart(void)
{
	for (uint32_t i = region_count; i-- > 0;)
		if (region_table[i].flags & REGION_APART)
			table_drop(i);
}

bool region_find(uintptr_t address, struct region *out)
{
	uint32_t i;
	bool found;

	region_lock();
	i = region_at(address);
	found = i < region_count && region_table[i].start <= address;
	if (found)
		*out = region_table[i];
	region_unlock();
	return found;
}

bool region_next(uintptr_t address, struct region *out)
{
	uint32_t i;
	bool found;

	region_lock();
	i = region_at(address);
	found = i < region_count;
	if (found)
		*out = region_table[i];
	region_unlock();
	return found;
}

bool region_traced(uintptr_t address)
{
	struct region region;

	return region_find(address, &region) && (region.flags & REGION_TRACED);
}

bool region_any_traced(struct range range)
{
	bool any = false;

	region_lock();
	for (uint32_t i = region_at(range.start);
			!any && i < region_count && region_table[i].start < range.end; i++)
		any = region_table[i].flags & REGION_TRACED;
	region_unlock();
	return any;
}
