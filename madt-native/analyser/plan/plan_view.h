/* A plan's file in memory, while it is checked. */
#ifndef MADT_PLAN_VIEW_H
#define MADT_PLAN_VIEW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/failure.h"
#include "madt_plan.h"

struct view {
	int descriptor;
	const uint8_t *bytes; /* of the file, up to the end of its tables */
	uint64_t kept;        /* so many */
	uint64_t size;        /* of the file */
	const struct madt_plan *header;
	struct failure *failure;
};

#define TABLE(view, name, type) ((const struct type *)((view)->bytes + (view)->header->name.offset))

/* EINVAL, with the text: this item of a table is damaged, at this byte of the file. */
int view_damaged(const struct view *view, const char *table, uint32_t index, size_t offset);

#define DAMAGED(view, name, type, index) \
	view_damaged(view, #name, index,     \
			(view)->header->name.offset + (size_t)(index) * sizeof(struct type))

/* Places are those of areas alone. */
bool view_place_is_good(const struct view *view, uint32_t place, uint32_t bytes);
bool view_address_is_good(const struct view *view, uint32_t address);
bool view_address_is_in_area(const struct view *view, int64_t address);

/* Each: 0, or an errno value with the text. The doors after the patches, the entries after both. */
int view_patches_check(const struct view *view);
int view_doors_check(const struct view *view);
int view_entries_check(const struct view *view);

#endif
