/* The packed tables of a splice plan as arrays, for the checks. */
#ifndef MADT_PLAN_ARRAYS_H
#define MADT_PLAN_ARRAYS_H

#include <stdlib.h>

#include "madt_templates.h"

static inline struct madt_plan_rows plan_rows(const void *plan, struct madt_plan_table table)
{
	return madt_plan_rows_from((const void *)((const uint8_t *)plan + table.offset), table.count,
			0);
}

/* All templates; madt_plan_templates_next turns to the first one. */
static inline struct madt_plan_templates plan_templates(const struct madt_plan *plan)
{
	const uint8_t *bytes = (const uint8_t *)plan;
	return (struct madt_plan_templates){
		.bytes = bytes + plan->templates.offset,
		.index = (const void *)(bytes + plan->words.offset),
		.count = plan->templates.count,
	};
}

/* An array of what `convert` makes of each row; to be freed. */
#define PLAN_ARRAY(name, type, convert)                                      \
	static inline type *name(const void *plan, struct madt_plan_table table) \
	{                                                                        \
		type *array = malloc((table.count + 1) * sizeof *array);             \
		struct madt_plan_rows rows = plan_rows(plan, table);                 \
		if (!array)                                                          \
			exit(1);                                                         \
		for (uint32_t i = 0; madt_plan_rows_next(&rows); i++)                \
			array[i] = convert(rows.row);                                    \
		return array;                                                        \
	}

PLAN_ARRAY(plan_patches, struct madt_plan_patch, madt_plan_patch_of)
PLAN_ARRAY(plan_entries, struct madt_plan_entry, madt_plan_entry_of)
PLAN_ARRAY(plan_boundaries, struct madt_plan_boundary, madt_plan_boundary_of)

#endif
