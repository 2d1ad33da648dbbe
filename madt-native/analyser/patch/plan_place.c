/*
 * Gives every trampoline its place. An area is the module's own range, shifted by a fixed distance,
 * so that areas of different modules never meet; the distances are more than the span of all
 * modules apart, so that areas of different shifts do not meet either. The shifts are chosen for
 * the bytes of rel32: a jump from an address to the same place in an area has byte 2 = 0xcc from 48
 * KiB before to 16 KiB behind that place, and in some areas of each variant byte 3 traps as well.
 *
 *   below:  -(16 n + 3.25) MiB + 48 KiB    rel32 = XXccc000 onwards,
 *                                          n = 51: ccccc000, 101: 9accc000, 125: 82ccc000
 *   above:  +(16 n + 12.75) MiB + 48 KiB   n = 63: 3fccc000, 96: 60ccc000
 *   far:    as below from n = 51 on, the first ones twice as far from each other; of a module that
 *           is linked so low that none is there, as above from n = 96 on
 *
 * The 48 KiB bring byte 1 = 0xcc within a small module's range: it is so from 3 to 3.25 KiB on, and
 * each 64 KiB more.
 *
 * The tightest constraints are served first. A patch whose constraint cannot be met becomes int3.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "probe/plan.h"
#include "patch/plan_room.h"

#define MIB INT64_C(1048576)
#define REACH (INT64_C(2047) * MIB)
#define SHIFT_MORE INT64_C(0xc000)
#define NO_PLACE INT32_MAX
#define JUMP_LENGTH 5

static const uint8_t below[] = { 14, 28, 51, 65, 79, 101, 113, 125 };
/* Those behind the first are for small modules with more code than finds room there. */
static const uint8_t far[] = { 51, 79, 107, 125, 101, 65, 93, 58, 86 };
static const uint8_t above[] = { 63, 77, 96, 110, 124, 70, 84, 103, 117 };
static const uint8_t beyond[] = { 96, 110, 124, 103, 117 };
#define FAR_WIDE 3
#define ABOVE_WIDE 5
#define BEYOND_WIDE 3
#define SMALL (INT64_C(100) * MIB)
#define UNIT (16 * MIB)

/* Which shifts a variant has, in units of 16 MiB. */
struct units {
	const uint8_t *chosen;
	unsigned count, wide; /* in all; for modules that are not small */
	int64_t more;         /* bytes */
	int sign;
};

static const struct units variants[MADT_PLAN_VARIANTS] = {
	[MADT_PLAN_BELOW] = { below, sizeof below, sizeof below, 13 * MIB / 4, -1 },
	[MADT_PLAN_ABOVE] = { above, sizeof above, ABOVE_WIDE, 51 * MIB / 4, 1 },
	[MADT_PLAN_FAR] = { far, sizeof far, FAR_WIDE, 13 * MIB / 4, -1 },
};

static const struct units far_above = { beyond, sizeof beyond, BEYOND_WIDE, 51 * MIB / 4, 1 };

/*
 * The kernel begins the heap of a program at a fixed address anywhere in the gibibyte behind it, where
 * the first place of variant above lies.
 */
static const struct units *units_of(const struct plan *plan)
{
	const unsigned variant = plan->options.choice->variant;
	const struct units *units = &variants[variant];
	const int64_t nearest = units->chosen[0] * UNIT + units->more;
	return variant == MADT_PLAN_FAR && plan->module_start && plan->module_start < nearest
			? &far_above
			: units;
}

/* bytes: the range for byte 2 begins and ends within */
#define NEAR UINT64_C(0x10000)
#define GAPS_BEHIND UINT64_C(0x10000) /* bytes */

/* Of constraints, by how much they leave to choose. */
enum class {
	CLASS_BYTES,
	CLASS_TOP,
	CLASS_BYTE_1,
	CLASS_BYTE_2,
	CLASS_BYTE_0,
	CLASS_FREE,
	CLASSES
};

struct area {
	int64_t shift; /* from the module */
	uint8_t top;   /* the top byte of rel32, where that traps as an instruction; else 0 */
	struct room room;
	uint64_t low; /* what is taken lies between these two */
	uint64_t high;
	uint64_t reached; /* how far trampolines that may lie anywhere have come */
};

struct places {
	struct area areas[PLAN_AREAS_MAX];
	unsigned count;
	uint64_t span; /* bytes of an area */
	/* of the plan, before any patch was given up: both are in the order of addresses */
	size_t patches;
	size_t entries;
};

/*
 * A module that does not fit between these has as many areas as there are within reach, one behind
 * the other.
 */
static unsigned unit_of(const struct units *units, int64_t span, unsigned i)
{
	const unsigned step = (unsigned)((span + UNIT - 1) / UNIT);
	if (span <= (int64_t)PLAN_SPAN_USUAL)
		return units->chosen[i];
	return units->sign < 0 ? step * (i + 1) : units->chosen[0] + step * i;
}

unsigned plan_area_shifts(const struct plan *plan, int64_t shifts[PLAN_AREAS_MAX])
{
	const struct units *units = units_of(plan);
	const int64_t span = (int64_t)plan->module_end - plan->module_start;
	unsigned count = 0;
	for (unsigned i = 0; i < (span < SMALL ? units->count : units->wide); i++) {
		int64_t shift = units->sign * (unit_of(units, span, i) * UNIT + units->more) + SHIFT_MORE;
		if (llabs(shift) + span < REACH)
			shifts[count++] = shift;
	}
	return count;
}

/* The module itself, since no area is further from it. */
void plan_reach_find(struct plan *plan)
{
	int64_t shifts[PLAN_AREAS_MAX];
	const unsigned count = plan_area_shifts(plan, shifts);
	plan->reach_start = INT64_MIN;
	plan->reach_end = INT64_MAX;
	for (unsigned i = 0; i < count; i++) {
		const int64_t start = plan->module_end + shifts[i] - REACH;
		const int64_t end = plan->module_start + shifts[i] + REACH;
		plan->reach_start = start > plan->reach_start ? start : plan->reach_start;
		plan->reach_end = end < plan->reach_end ? end : plan->reach_end;
	}
}

bool plan_top_traps(uint8_t byte)
{
	return byte == 0xcc || byte == 0x3f || byte == 0x60 || byte == 0x61 || byte == 0x82
			|| byte == 0x9a;
}

bool plan_byte_traps(uint8_t byte)
{
	static const uint8_t bytes[] = { 0x06, 0x07, 0x0e, 0x16, 0x17, 0x1e, 0x1f, 0x27, 0x2f, 0x37,
		0xce, 0xea };
	return plan_top_traps(byte) || memchr(bytes, byte, sizeof bytes);
}

/* ---------------------------------------------------------------- constraints on rel32 */

/*
 * The least number from `from` on whose masked bytes are those of `value`; above 32 bits if there
 * is none.
 */
static uint64_t match_next(uint64_t from, uint32_t mask, uint32_t value)
{
	while (from <= UINT32_MAX && ((from ^ value) & mask)) {
		unsigned shift = 24;
		while (!(((from ^ value) & mask) >> shift & 0xff))
			shift -= 8; /* the topmost byte that differs */
		uint64_t byte = UINT64_C(0xff) << shift;
		uint64_t below_byte = (UINT64_C(1) << shift) - 1;
		if ((from & byte) < (value & byte))
			from = (from & ~byte & ~below_byte) | (value & byte) | (value & mask & below_byte);
		else
			/* carry into the byte above */
			from = (from & ~byte & ~below_byte) + (byte + (below_byte + 1));
	}
	return from;
}

/* From a match on: how many numbers in a row match. */
static uint64_t match_length(uint64_t from, uint32_t mask)
{
	if (!mask)
		return UINT64_C(1) << 32;
	uint64_t unit = UINT64_C(1) << __builtin_ctz(mask);
	return unit - (from & (unit - 1));
}

/*
 * The first place between two offsets for a constrained trampoline, or ROOM_NONE; `base` is rel32
 * of offset 0.
 */
static uint64_t range_fit(struct area *area, const struct trampoline *trampoline, uint64_t base,
		uint64_t from, uint64_t to)
{
	uint64_t at = match_next(base + from, trampoline->mask, trampoline->value);
	while (at - base < to) {
		uint64_t near = room_next(&area->room, at - base, trampoline->size);
		if (near >= to)
			return ROOM_NONE;
		if (near > at - base) {
			at = match_next(base + near, trampoline->mask, trampoline->value);
			continue;
		}
		uint64_t end = at - base + match_length(at, trampoline->mask);
		uint64_t found = room_find(&area->room, at - base, end < to ? end : to, trampoline->size);
		if (found != ROOM_NONE)
			return found;
		at = match_next(base + end, trampoline->mask, trampoline->value);
	}
	return ROOM_NONE;
}

/* How far afield to look. */
enum reach { REACH_NEAR, REACH_FAR, REACH_ALL, REACHES };

/*
 * Finds room: what follows one another stays together; gaps that one left behind are for the next
 * ones that fit. First between what is taken, so that areas become no longer than need be.
 */
static uint64_t free_fit(struct area *area, uint64_t size, enum reach reach)
{
	uint64_t from = reach != REACH_ALL && area->reached > GAPS_BEHIND ? area->reached - GAPS_BEHIND
																	  : 0;
	if (reach == REACH_NEAR && from < area->low)
		from = area->low;
	uint64_t found = room_find(&area->room, from,
			reach == REACH_NEAR ? area->high : area->room.span, size);
	if (found != ROOM_NONE && found + size > area->reached)
		area->reached = found + size;
	return found;
}

/*
 * The place in the area, as an offset, or ROOM_NONE. `behind` is the offset in the module behind
 * the jump: most searches begin there, so that the constrained ones do not crowd at the area's
 * start.
 */
static uint64_t area_fit(struct area *area, const struct trampoline *trampoline, uint64_t behind,
		enum class class, enum reach reach)
{
	const uint64_t span = area->room.span;
	const uint64_t base = (uint32_t)(area->shift - (int64_t)behind);
	if (class == CLASS_FREE)
		return free_fit(area, trampoline->size, reach);
	if (reach == REACH_NEAR)
		return range_fit(area, trampoline, base, behind > NEAR ? behind - NEAR : 0,
				behind + NEAR < span ? behind + NEAR : span);
	if (class == CLASS_BYTE_2 || class == CLASS_TOP)
		return range_fit(area, trampoline, base, 0, span);
	uint64_t found = range_fit(area, trampoline, base, behind, span);
	return found != ROOM_NONE ? found : range_fit(area, trampoline, base, 0, behind);
}

static enum class class_of(const struct trampoline *trampoline) {
	switch (trampoline->mask){
		case 0 : return CLASS_FREE; case 0xff : return CLASS_BYTE_0;
		case 0xff00 : return CLASS_BYTE_1;
		case 0xff0000 : return CLASS_BYTE_2;
		case 0xff000000 : return CLASS_TOP;
		default : return CLASS_BYTES;
	}
}

static bool trampoline_fit(const struct plan *plan, struct places *places,
		struct trampoline *trampoline, enum class class, enum reach reach)
{
	uint64_t behind = trampoline->patch == MADT_PLAN_NONE
			? 0
			: patch_jump(&plan->patches[trampoline->patch]) + JUMP_LENGTH - plan->module_start;
	for (unsigned i = 0; i < places->count; i++) {
		struct area *area = &places->areas[i];
		if (trampoline->mask >> 24) {
			if (!area->top)
				continue;
			trampoline->value = (trampoline->value & 0xffffff) | (uint32_t)area->top << 24;
		}
		uint64_t found = area_fit(area, trampoline, behind, class, reach);
		if (found == ROOM_NONE)
			continue;
		room_take(&area->room, found, trampoline->size);
		area->low = area->high && area->low < found ? area->low : found;
		area->high = area->high > found + trampoline->size ? area->high : found + trampoline->size;
		trampoline->place = (int32_t)(area->shift + (int64_t)found);
		return true;
	}
	return false;
}

/* The other ranges for the same byte 2, 16 MiB away, are where other patches have theirs. */
static bool trampoline_place(const struct plan *plan, struct places *places,
		struct trampoline *trampoline, enum class class)
{
	enum reach reach = class == CLASS_BYTE_2 || class == CLASS_FREE ? REACH_NEAR : REACH_FAR;
	for (; reach < REACHES; reach++)
		if (trampoline_fit(plan, places, trampoline, class, reach))
			return true;
	return false;
}

/* ---------------------------------------------------------------- giving up */

/*
 * Drops the entries within a patch that are none of its sites'. Of all entries the first `count`
 * are by address.
 */
static void entries_drop(struct plan *plan, size_t count, const struct patch *patch, uint64_t sites)
{
	const size_t all = count;
	size_t low = 0;
	while (low < count) {
		size_t middle = low + (count - low) / 2;
		if (plan->entries[middle].address < patch->address)
			low = middle + 1;
		else
			count = middle;
	}
	for (; low < all && plan->entries[low].address - patch->address < patch->length; low++)
		if (!(sites >> (plan->entries[low].address - patch->address) & 1))
			plan->entries[low].place = MADT_PLAN_NONE;
}

/*
 * Each site of the patch becomes a patch of one byte; entries there are already, but for the
 * first instruction.
 */
static bool patch_give_up(struct plan *plan, struct trampoline *trampoline, size_t entries)
{
	const struct patch patch = plan->patches[trampoline->patch];
	const uint64_t sites = plan->patch_sites[trampoline->patch];
	uint32_t begin = trampoline->code + (patch.hooked ? MADT_PLAN_HOOK_JUMP + 8 : 0);
	trampoline->mask = 0;
	trampoline->patch = MADT_PLAN_NONE;
	if (patch.hooked)
		plan_hook_drop(plan, patch.address);
	entries_drop(plan, entries, &patch, sites);
	for (unsigned i = 0; i < patch.length; i++) {
		if (!(sites >> i & 1))
			continue;
		if (!array_reserve(&plan->patches, &plan->patch_capacity, plan->patch_count,
					sizeof *plan->patches)
				|| !array_reserve(&plan->entries, &plan->entry_capacity, plan->entry_count,
						sizeof *plan->entries))
			return false;
		plan->patches[plan->patch_count++] = (struct patch){ .address = patch.address + i,
			.trampoline = MADT_PLAN_NONE,
			.length = 1,
			.count = 1,
			.tactic = MADT_TACTIC_INT3 };
		if (i == 0)
			plan->entries[plan->entry_count++] = (struct madt_plan_entry){ patch.address, begin,
				MADT_PLAN_NONE };
		plan->header.sites[patch.tactic]--;
		plan->header.sites[MADT_TACTIC_INT3]++;
	}
	return true;
}

/* A patch that is given up, with those whose springboards it has. */
static bool windows_give_up(struct plan *plan, uint32_t host, size_t patches, size_t entries,
		bool *given_up)
{
	const uint32_t start = plan->patches[host].address;
	const uint32_t end = start + plan->patches[host].length;
	size_t first = host;
	while (first > 0 && plan->patches[first - 1].address + SPRINGBOARD_REACH > start)
		first--;
	for (size_t i = first; i < patches && plan->patches[i].address < end + SPRINGBOARD_REACH; i++) {
		const struct patch *patch = &plan->patches[i];
		bool springboard = patch->tactic == MADT_TACTIC_NEAR
				&& patch_jump(patch) - start < end - start;
		if ((i != host && !springboard) || given_up[i])
			continue;
		given_up[i] = true;
		if (!patch_give_up(plan, &plan->trampolines[patch->trampoline], entries))
			return false;
	}
	return true;
}

static void windows_forget(struct plan *plan, const bool *given_up, size_t count)
{
	size_t kept = 0;
	for (size_t i = 0; i < plan->patch_count; i++)
		if (i >= count || !given_up[i])
			plan->patches[kept++] = plan->patches[i];
	plan->patch_count = kept;
}

/* ---------------------------------------------------------------- all of them */

static int class_place(struct plan *plan, struct places *places, enum class class, bool *given_up)
{
	for (size_t i = 0; i < plan->trampoline_count; i++) {
		struct trampoline *trampoline = &plan->trampolines[i];
		if (trampoline->place != NO_PLACE || class_of(trampoline) != class
				|| trampoline_place(plan, places, trampoline, class))
			continue;
		if (trampoline->patch == MADT_PLAN_NONE || !trampoline->mask)
			return failure_set(plan->text.failure, EFBIG,
					"its trampolines (%zu bytes) do not fit into %u areas of %llu "
					"bytes",
					plan->emit.size, places->count, (unsigned long long)places->span);
		if (!windows_give_up(plan, trampoline->patch, places->patches, places->entries, given_up))
			return failure_set(plan->text.failure, ENOMEM, "no memory for its patches");
	}
	return 0;
}

static int areas_make(const struct plan *plan, struct places *places)
{
	int64_t shifts[PLAN_AREAS_MAX];
	places->count = plan_area_shifts(plan, shifts);
	places->span = plan->module_end - plan->module_start;
	for (unsigned i = 0; i < places->count; i++) {
		uint8_t top = (uint8_t)((uint32_t)shifts[i] >> 24);
		places->areas[i].shift = shifts[i];
		places->areas[i].top = plan_top_traps(top) ? top : 0;
		if (!room_make(&places->areas[i].room, places->span))
			return failure_set(plan->text.failure, ENOMEM, "no memory for its areas");
	}
	room_take(&places->areas[0].room, 0, MADT_PAGE);
	return 0;
}

int plan_place(struct plan *plan)
{
	struct places places = { .patches = plan->patch_count, .entries = plan->entry_count };
	bool *given_up = calloc(places.patches + 1, sizeof *given_up);
	int code = areas_make(plan, &places);
	if (!given_up && !code)
		code = failure_set(plan->text.failure, ENOMEM, "no memory for its patches");
	for (size_t i = 0; i < plan->trampoline_count; i++)
		plan->trampolines[i].place = NO_PLACE;
	for (unsigned class = 0; class < CLASSES && !code; class ++)
		code = class_place(plan, &places, class, given_up);
	if (!code)
		/* what was given up in the round before */
		code = class_place(plan, &places, CLASS_FREE, given_up);
	if (!code)
		windows_forget(plan, given_up, places.patches);
	for (unsigned i = 0; i < places.count; i++)
		room_free(&places.areas[i].room);
	free(given_up);
	return code;
}
