/* What a plan overwrites: patches, doors, and the entries, where control traps. */
#include <errno.h>
#include <stdlib.h>

#include "plan/plan.h"
#include "plan/plan_view.h"

#define JUMP_LENGTH 5
#define SHORT_LENGTH 2
#define JUMP_MAX 40 /* bytes of a window */
#define INT3 0xcc

int view_patches_check(const struct view *view)
{
	const struct madt_plan_patch *patches = TABLE(view, patches, madt_plan_patch);
	for (uint32_t i = 0; i < view->header->patches.count; i++) {
		const struct madt_plan_patch *patch = &patches[i];
		bool near = patch->length >= SHORT_LENGTH && patch->length <= JUMP_MAX
				&& patch->tactic == MADT_TACTIC_NEAR && patch->relative == (int8_t)patch->relative;
		bool jump = patch->length >= JUMP_LENGTH && patch->length <= JUMP_MAX
				&& patch->tactic < MADT_TACTIC_NEAR
				&& view_address_is_in_area(view,
						(int64_t)patch->address + JUMP_LENGTH + patch->relative);
		bool trap = patch->length == 1 && patch->tactic >= MADT_TACTIC_INT3 && patch->relative == 0;
		if (!(jump || near || trap) || patch->tactic >= MADT_TACTICS || patch->reserved
				|| !view_address_is_good(view, patch->address)
				|| (i && patch[-1].address + patch[-1].length > patch->address))
			return DAMAGED(view, patches, madt_plan_patch, i);
	}
	return 0;
}

/* The patch that begins at an address, or NULL. */
static const struct madt_plan_patch *patch_at(const struct view *view, uint32_t address)
{
	const struct madt_plan_patch *patches = TABLE(view, patches, madt_plan_patch);
	uint32_t low = 0;
	uint32_t high = view->header->patches.count;
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		if (patches[middle].address < address)
			low = middle + 1;
		else
			high = middle;
	}
	return low < view->header->patches.count && patches[low].address == address ? &patches[low]
																				: NULL;
}

static uint32_t near_patches(const struct view *view)
{
	const struct madt_plan_patch *patches = TABLE(view, patches, madt_plan_patch);
	uint32_t count = 0;
	for (uint32_t i = 0; i < view->header->patches.count; i++)
		count += patches[i].tactic == MADT_TACTIC_NEAR;
	return count;
}

static bool in_one_page(uint32_t from, uint32_t to)
{
	return from / MADT_PAGE == to / MADT_PAGE;
}

/* Each near patch leads to a door of its own, in its page, and that lies behind the jump of another
 * patch. */
int view_doors_check(const struct view *view)
{
	const struct madt_plan_door *doors = TABLE(view, doors, madt_plan_door);
	const struct madt_plan_patch *host = TABLE(view, patches, madt_plan_patch);
	const struct madt_plan_patch *end = host + view->header->patches.count;
	for (uint32_t i = 0; i < view->header->doors.count; i++) {
		const struct madt_plan_door *door = &doors[i];
		const struct madt_plan_patch *near = patch_at(view, door->patch);
		while (host < end && host->address + host->length <= door->address)
			host++;
		bool held = host < end && host->tactic < MADT_TACTIC_NEAR
				&& door->address >= host->address + JUMP_LENGTH
				&& door->address + JUMP_LENGTH <= host->address + host->length
				&& (i == 0 || door[-1].address + JUMP_LENGTH <= door->address);
		bool led = near && near->tactic == MADT_TACTIC_NEAR
				&& near->address + SHORT_LENGTH + (uint32_t)near->relative == door->address
				&& in_one_page(near->address, door->address)
				&& in_one_page(near->address, near->address + SHORT_LENGTH - 1)
				&& in_one_page(door->address, door->address + JUMP_LENGTH - 1);
		if (!held || !led
				|| !view_address_is_in_area(view,
						(int64_t)door->address + JUMP_LENGTH + door->relative))
			return DAMAGED(view, doors, madt_plan_door, i);
	}
	return near_patches(view) == view->header->doors.count
			? 0
			: failure_set(view->failure, EINVAL, "damaged: near patches without door");
}

/* Whether this byte of a jump traps, but for the first one. */
static bool jump_traps(int32_t relative, uint32_t offset)
{
	uint8_t byte = (uint8_t)((uint32_t)relative >> 8 * (offset - 1));
	return offset == JUMP_LENGTH - 1 ? plan_top_traps(byte) : byte == INT3;
}

/* Whether control that comes to this byte of the patch traps. */
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

/* The same of the door that this address lies in, if there is one; *door: the first that does not
 * end before it. */
static bool door_traps(const struct view *view, uint32_t address,
		const struct madt_plan_door **door)
{
	const struct madt_plan_door *end = TABLE(view, doors, madt_plan_door)
			+ view->header->doors.count;
	while (*door < end && (*door)->address + JUMP_LENGTH <= address)
		++*door;
	return *door == end || (*door)->address > address
			|| (address > (*door)->address
					&& jump_traps((*door)->relative, address - (*door)->address));
}

/* Each entry lies in a patch, at a byte that traps. Each patch of one byte has one. */
int view_entries_check(const struct view *view)
{
	const struct madt_plan_entry *entries = TABLE(view, entries, madt_plan_entry);
	const struct madt_plan_patch *patch = TABLE(view, patches, madt_plan_patch);
	const struct madt_plan_patch *end = patch + view->header->patches.count;
	const struct madt_plan_door *door = TABLE(view, doors, madt_plan_door);
	uint32_t singles = 0;
	for (uint32_t i = 0; i < view->header->entries.count; i++) {
		const struct madt_plan_entry *entry = &entries[i];
		while (patch < end && patch->address + patch->length <= entry->address)
			singles -= patch++->length == 1;
		bool good = patch < end && patch->address <= entry->address
				&& patch_traps(patch, entry->address - patch->address)
				&& door_traps(view, entry->address, &door)
				&& view_place_is_good(view, entry->place, 1)
				&& (i == 0 || entry[-1].address < entry->address)
				&& (entry->step < view->header->steps.count) == (patch->tactic == MADT_TACTIC_STEP);
		if (!good)
			return DAMAGED(view, entries, madt_plan_entry, i);
		singles += patch->length == 1;
	}
	while (patch < end)
		singles -= patch++->length == 1;
	return singles
			? failure_set(view->failure, EINVAL, "damaged: patches of one byte without entry")
			: 0;
}
