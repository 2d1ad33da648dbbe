/* The tables of a plan. */
#ifndef MADT_TEXT_PLAN_H
#define MADT_TEXT_PLAN_H

#include "madt_templates.h"

static inline const void *plan_table(const struct madt_plan *plan, struct madt_plan_table where)
{
	return (const char *)plan + where.offset;
}

/* All rows of a packed table. */
static inline struct madt_plan_rows plan_rows(const struct madt_plan *plan,
		struct madt_plan_table where)
{
	return madt_plan_rows_from(plan_table(plan, where), where.count, 0);
}

/* Its last row with this key or a smaller one, or false. */
static inline bool plan_row(const struct madt_plan *plan, struct madt_plan_table where,
		uint32_t key, struct madt_plan_row *row)
{
	return madt_plan_rows_find(plan_table(plan, where), where.count, key, row);
}

static inline const struct madt_plan_springboard *springboards_end(const struct madt_plan *plan)
{
	const struct madt_plan_springboard *all = plan_table(plan, plan->springboards);

	return all + plan->springboards.count;
}

/* The first springboard from this address of the file on; behind the last one: springboards_end. */
static inline const struct madt_plan_springboard *springboard_from(const struct madt_plan *plan,
		uintptr_t address)
{
	const struct madt_plan_springboard *all = plan_table(plan, plan->springboards);
	uint32_t low = 0, high = (intptr_t)address > 0 ? plan->springboards.count : 0;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (all[middle].address < address)
			low = middle + 1;
		else
			high = middle;
	}
	return all + low;
}

/* At any address; a string instruction takes ten times as long for so few bytes. */
struct number {
	uint32_t value;
} __attribute__((packed, may_alias));

#endif
