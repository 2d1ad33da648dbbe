/* A plan's file in memory, while it is checked. */
#ifndef MADT_PLAN_VIEW_H
#define MADT_PLAN_VIEW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/failure.h"
#include "madt_templates.h"

struct view {
	int descriptor;
	const uint8_t *bytes; /* of the file, from its tables on */
	uint64_t size;        /* of the file */
	const struct madt_plan *header;
	struct failure *failure;
};

/* From this byte of the file on, which is one of the tables'. */
static inline const void *view_at(const struct view *view, uint32_t offset)
{
	return view->bytes + (offset - view->header->tables);
}

#define TABLE(view, name, type) ((const struct type *)view_at((view), (view)->header->name.offset))

/* All rows of a packed table; madt_plan_rows_next turns to the first one. */
#define ROWS(view, name) \
	madt_plan_rows_from(view_at((view), (view)->header->name.offset), (view)->header->name.count, 0)

/* EINVAL, with the text: this item of a table is damaged, at this byte of the file. */
int view_damaged(const struct view *view, const char *table, uint32_t index, size_t offset);

#define DAMAGED(view, name, type, index) \
	view_damaged(view, #name, index,     \
			(view)->header->name.offset + (size_t)(index) * sizeof(struct type))

/* The same of the row of a packed table that was turned to last. */
#define DAMAGED_ROW(view, name, rows)                                        \
	view_damaged(view, #name, (view)->header->name.count - (rows)->left - 1, \
			(view)->header->name.offset - (size_t)((const uint8_t *)(rows)->index - (rows)->at))

/* Places are those of areas alone. */
bool view_place_is_good(const struct view *view, uint32_t place, uint32_t bytes);
bool view_address_is_good(const struct view *view, uint32_t address);
bool view_address_is_in_area(const struct view *view, int64_t address);

/*
 * Returns whether each block of a packed table begins where the one before it ends, within the
 * tables.
 */
bool view_index_is_good(const struct view *view, uint32_t offset, uint32_t rows);

/* 0, or an errno value with the text. */
int view_read(const struct view *view, void *to, uint64_t size, uint64_t offset);

/* Each: 0, or an errno value with the text. The springboards after the patches, the entries and the
 * patched text image after both. */
int view_patches_check(const struct view *view);
int view_templates_check(const struct view *view);
int view_steps_check(const struct view *view);
int view_springboards_check(const struct view *view);
int view_triggers_check(const struct view *view);
int view_entries_check(const struct view *view);
int view_patched_text_check(const struct view *view);

#endif
