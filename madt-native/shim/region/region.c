/*
 * What is mapped, and which of it is traced. The table is the target's view: `protection` is what
 * the target asked for; while recording, traced pages have none in reality. Changed in handlers and
 * critical sections only, hence the plain lock.
 */
#include "region/region.h"
#include "region/region_table.h"

#include <sys/mman.h>

void region_add(uintptr_t start, uintptr_t end, uint32_t protection, uint32_t flags)
{
	struct region region = { start, end, protection, flags };
	uint32_t i;

	if (start >= end)
		return;
	if (protection & PROT_EXEC)
		region.flags &= ~(uint32_t)REGION_TRACED;
	region_lock();
	region_table_remove(start, end);
	i = region_at(start);
	if (region_table_insert(i, region))
		region_table_merge(i);
	region_unlock();
}

void region_remove(uintptr_t start, uintptr_t end)
{
	region_lock();
	region_table_remove(start, end);
	region_unlock();
}

void region_protect(uintptr_t start, uintptr_t end, uint32_t protection)
{
	region_lock();
	region_table_split(start);
	region_table_split(end);
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
	region_table_split(start);
	region_table_split(end);
	for (uint32_t i = region_at(start); i < region_count && region_table[i].start < end; i++)
		region_table[i].flags &= ~(uint32_t)REGION_TRACED;
	region_unlock();
}

void region_set_apart(uintptr_t start, uintptr_t end, bool apart)
{
	region_lock();
	region_table_split(start);
	region_table_split(end);
	for (uint32_t i = region_at(start); i < region_count && region_table[i].start < end; i++)
		if (apart)
			region_table[i].flags |= REGION_APART;
		else
			region_table[i].flags &= ~(uint32_t)REGION_APART;
	region_unlock();
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
