/* The table of what is mapped, by address: no two regions overlap, neighbours differ. */
#include "region/region.h"
#include "region/region_table.h"

#include "base/spin.h"

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
	struct region *bigger = sys_pages(more * sizeof *region_table), *former = region_table;

	if (!bigger)
		return false;
	if (former)
		bytes_copy(bigger, former, region_count * sizeof *former);
	STORE_RELEASE(&region_table, bigger); /* another thread may fork at any time */
	if (former)
		sys_unmap((uintptr_t)former, room * sizeof *former);
	room = more;
	return true;
}

bool region_table_insert(uint32_t i, struct region region)
{
	if (region_count == room && !table_grow())
		return false;
	for (uint32_t k = region_count; k > i; k--)
		region_table[k] = region_table[k - 1];
	region_table[i] = region;
	region_count++;
	return true;
}

void region_table_drop(uint32_t i)
{
	for (region_count--; i < region_count; i++)
		region_table[i] = region_table[i + 1];
}

/* Cuts whatever lies across `address` in two. */
void region_table_split(uintptr_t address)
{
	uint32_t i = region_at(address);
	struct region upper;

	if (i == region_count || region_table[i].start >= address)
		return;
	upper = region_table[i];
	upper.start = address;
	if (region_table_insert(i + 1, upper))
		region_table[i].end = address;
}

void region_table_remove(uintptr_t start, uintptr_t end)
{
	region_table_split(start);
	region_table_split(end);
	for (uint32_t i = region_at(start); i < region_count && region_table[i].start < end;)
		region_table_drop(i);
}

static bool joins(const struct region *a, const struct region *b)
{
	return a->end == b->start && a->protection == b->protection && a->flags == b->flags;
}

void region_table_merge(uint32_t i)
{
	if (i + 1 < region_count && joins(&region_table[i], &region_table[i + 1])) {
		region_table[i].end = region_table[i + 1].end;
		region_table_drop(i + 1);
	}
	if (i > 0 && joins(&region_table[i - 1], &region_table[i])) {
		region_table[i - 1].end = region_table[i].end;
		region_table_drop(i);
	}
}

void region_drop_apart(void)
{
	for (uint32_t i = region_count; i-- > 0;)
		if (region_table[i].flags & REGION_APART)
			region_table_drop(i);
}
