/* What a plan overwrites: patches, springboards, and the entries, where control traps. */
#include <errno.h>
#include <stdlib.h>

#include "probe/plan.h"
#include "image/plan_view.h"

#define JUMP_LENGTH MADT_PLAN_JUMP
#define SHORT_LENGTH MADT_PLAN_SHORT
#define INT3 0xcc

int view_patches_check(const struct view *view)
{
	struct madt_plan_rows rows = ROWS(view, patches);
	uint64_t end = 0;
	while (madt_plan_rows_next(&rows)) {
		const struct madt_plan_patch patch = madt_plan_patch_of(rows.row);
		bool near = patch.length >= SHORT_LENGTH && patch.length <= MADT_PLAN_PATCH_MAX
				&& patch.tactic == MADT_TACTIC_NEAR && patch.relative == (int8_t)patch.relative;
		bool jump = patch.length >= JUMP_LENGTH && patch.length <= MADT_PLAN_PATCH_MAX
				&& patch.tactic < MADT_TACTIC_NEAR
				&& view_address_is_in_area(view,
						(int64_t)patch.address + JUMP_LENGTH + patch.relative);
		bool trap = patch.length == 1 && patch.tactic >= MADT_TACTIC_INT3 && patch.relative == 0;
		if (!(jump || near || trap) || rows.row.extra >= MADT_TACTICS * MADT_PLAN_TACTIC
				|| !view_address_is_good(view, patch.address) || end > patch.address)
			return DAMAGED_ROW(view, patches, &rows);
		end = (uint64_t)patch.address + patch.length;
	}
	return 0;
}

/* The patch that begins at an address. False: none does. */
static bool patch_at(const struct view *view, uint32_t address, struct madt_plan_patch *patch)
{
	struct madt_plan_row row;
	if (!madt_plan_rows_find(view_at(view, view->header->patches.offset),
				view->header->patches.count, address, &row)
			|| row.key != address)
		return false;
	*patch = madt_plan_patch_of(row);
	return true;
}

static uint32_t near_patches(const struct view *view)
{
	struct madt_plan_rows rows = ROWS(view, patches);
	uint32_t count = 0;
	while (madt_plan_rows_next(&rows))
		count += madt_plan_patch_of(rows.row).tactic == MADT_TACTIC_NEAR;
	return count;
}

/* Patches one after the other; `patch` is the one at hand, if there is `any`. */
struct patches {
	struct madt_plan_rows rows;
	struct madt_plan_patch patch;
	bool any;
};

static void patches_next(struct patches *patches)
{
	patches->any = madt_plan_rows_next(&patches->rows);
	if (patches->any)
		patches->patch = madt_plan_patch_of(patches->rows.row);
}

static struct patches patches_begin(const struct view *view)
{
	struct patches patches = { .rows = ROWS(view, patches) };
	patches_next(&patches);
	return patches;
}

static bool in_one_page(uint32_t from, uint32_t to)
{
	return from / MADT_PAGE == to / MADT_PAGE;
}

/* Behind each trigger's jump, which is in no patch, is a patch with a jump of its own. */
int view_triggers_check(const struct view *view)
{
	const struct madt_plan_trigger *triggers = TABLE(view, triggers, madt_plan_trigger);
	for (uint32_t i = 0; i < view->header->triggers.count; i++) {
		const struct madt_plan_trigger *trigger = &triggers[i];
		struct madt_plan_patch patch;
		if (!view_address_is_good(view, trigger->address)
				|| (i && trigger[-1].address > trigger->address)
				|| trigger->instrument >= MADT_SWITCHES_MOST
				|| !patch_at(view, trigger->address + MADT_TRIGGER_JUMP, &patch)
				|| patch.length < JUMP_LENGTH || patch.tactic >= MADT_TACTIC_NEAR)
			return DAMAGED(view, triggers, madt_plan_trigger, i);
	}
	return 0;
}

/* Each near patch leads to a springboard of its own, in its page, and that lies behind the jump of
 * another patch. */
int view_springboards_check(const struct view *view)
{
	const struct madt_plan_springboard *springboards = TABLE(view, springboards,
			madt_plan_springboard);
	struct patches hosts = patches_begin(view);
	const struct madt_plan_patch *host = &hosts.patch;
	for (uint32_t i = 0; i < view->header->springboards.count; i++) {
		const struct madt_plan_springboard *springboard = &springboards[i];
		struct madt_plan_patch near;
		while (hosts.any && host->address + host->length <= springboard->address)
			patches_next(&hosts);
		bool held = hosts.any && host->tactic < MADT_TACTIC_NEAR
				&& springboard->address >= host->address + JUMP_LENGTH
				&& springboard->address + JUMP_LENGTH <= host->address + host->length
				&& (i == 0 || springboard[-1].address + JUMP_LENGTH <= springboard->address);
		bool led = patch_at(view, springboard->patch, &near) && near.tactic == MADT_TACTIC_NEAR
				&& near.address + SHORT_LENGTH + (uint32_t)near.relative == springboard->address
				&& in_one_page(near.address, springboard->address)
				&& in_one_page(near.address, near.address + SHORT_LENGTH - 1)
				&& in_one_page(springboard->address, springboard->address + JUMP_LENGTH - 1);
		if (!held || !led
				|| !view_address_is_in_area(view,
						(int64_t)springboard->address + JUMP_LENGTH + springboard->relative))
			return DAMAGED(view, springboards, madt_plan_springboard, i);
	}
	return near_patches(view) == view->header->springboards.count
			? 0
			: failure_set(view->failure, EINVAL, "damaged: near patches without springboard");
}

/* Returns whether this byte of a jump traps, but for the first one. */
static bool jump_traps(int32_t relative, uint32_t offset)
{
	uint8_t byte = (uint8_t)((uint32_t)relative >> 8 * (offset - 1));
	return offset == JUMP_LENGTH - 1 ? plan_top_traps(byte) : byte == INT3;
}

/* Returns whether control that comes to this byte of the patch traps. */
static bool patch_traps(const struct madt_plan_patch *patch, uint32_t offset)
{
	if (patch->length == 1 || offset >= JUMP_LENGTH)
		return true;
	if (offset == 0)
		return false;
	if (patch->tactic == MADT_TACTIC_NEAR)
		return offset >= SHORT_LENGTH || plan_byte_traps((uint8_t)patch->relative);
	return jump_traps(patch->relative, offset);
}

/* The same of the springboard that this address lies in, if there is one; *springboard: the first
 * that does not end before it. */
static bool springboard_traps(const struct view *view, uint32_t address,
		const struct madt_plan_springboard **springboard)
{
	const struct madt_plan_springboard *end = TABLE(view, springboards, madt_plan_springboard)
			+ view->header->springboards.count;
	while (*springboard < end && (*springboard)->address + JUMP_LENGTH <= address)
		++*springboard;
	return *springboard == end || (*springboard)->address > address
			|| (address > (*springboard)->address
					&& jump_traps((*springboard)->relative, address - (*springboard)->address));
}

/* Each entry lies in a patch, at a byte that traps. Each patch of one byte has one. */
int view_entries_check(const struct view *view)
{
	struct madt_plan_rows rows = ROWS(view, entries);
	struct patches patches = patches_begin(view);
	const struct madt_plan_patch *patch = &patches.patch;
	const struct madt_plan_springboard *springboard = TABLE(view, springboards,
			madt_plan_springboard);
	uint32_t singles = 0;
	while (madt_plan_rows_next(&rows)) {
		const struct madt_plan_entry entry = madt_plan_entry_of(rows.row);
		for (; patches.any && patch->address + patch->length <= entry.address;
				patches_next(&patches))
			singles -= patch->length == 1;
		bool good = patches.any && patch->address <= entry.address
				&& patch_traps(patch, entry.address - patch->address)
				&& springboard_traps(view, entry.address, &springboard)
				&& view_place_is_good(view, entry.place, 1)
				&& (entry.step < view->header->steps.count) == (patch->tactic == MADT_TACTIC_STEP)
				&& (entry.step == MADT_PLAN_NONE || patch->tactic == MADT_TACTIC_STEP);
		if (!good)
			return DAMAGED_ROW(view, entries, &rows);
		singles += patch->length == 1;
	}
	for (; patches.any; patches_next(&patches))
		singles -= patch->length == 1;
	return singles
			? failure_set(view->failure, EINVAL, "damaged: patches of one byte without entry")
			: 0;
}
