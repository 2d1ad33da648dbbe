#include "image/plan_image.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int64_t page_down(int64_t address)
{
	return address & ~(int64_t)(MADT_PAGE - 1);
}

/* The pages of one area that hold trampolines. */
static void area_add(struct image *image, int64_t start, int64_t end)
{
	struct madt_plan_area *area = &image->areas[image->area_count];
	int64_t low = INT64_MAX;
	int64_t high = INT64_MIN;
	for (size_t i = 0; i < image->plan->trampoline_count; i++) {
		const struct trampoline *trampoline = &image->plan->trampolines[i];
		const int64_t place = trampoline_at(image->plan, trampoline);
		if (place < start || place >= end)
			continue;
		low = place < low ? place : low;
		high = place + trampoline->size > high ? place + trampoline->size : high;
	}
	if (low > high)
		return;
	area->address = page_down(low);
	area->size = (uint32_t)(page_down(high + MADT_PAGE - 1) - area->address);
	image->area_count++;
}

static int area_compare(const void *a, const void *b)
{
	const struct madt_plan_area *left = a;
	const struct madt_plan_area *right = b;
	return (left->address > right->address) - (left->address < right->address);
}

void image_areas_find(struct image *image)
{
	int64_t shifts[PLAN_AREAS_MAX];
	unsigned count = plan_area_shifts(image->plan, shifts);
	for (unsigned i = 0; i < count; i++)
		area_add(image, image->plan->module_start + shifts[i], image->plan->module_end + shifts[i]);
	qsort(image->areas, image->area_count, sizeof *image->areas, area_compare);
}

static uint32_t place_of_address(const struct image *image, int64_t address)
{
	const struct madt_plan_area *area = image->areas;
	while (address - area->address >= area->size)
		area++;
	return area->offset + (uint32_t)(address - area->address);
}

/*
 * The trampoline that an offset in the emitted code belongs to; `near` is one that was asked for
 * before it, most often.
 */
static const struct trampoline *trampoline_of(const struct plan *plan, uint32_t code,
		const struct trampoline *near)
{
	const struct trampoline *end = plan->trampolines + plan->trampoline_count;
	size_t low = 0;
	size_t high = plan->trampoline_count;
	for (unsigned i = 0; i < 4 && near < end && near->code <= code; i++, near++)
		if (near + 1 == end || code < near[1].code)
			return near;
	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;
		if (plan->trampolines[middle].code <= code)
			low = middle;
		else
			high = middle;
	}
	return &plan->trampolines[low];
}

uint32_t image_place(const struct image *image, uint32_t code, const struct trampoline **near)
{
	const struct trampoline *trampoline = trampoline_of(image->plan, code, *near);
	*near = trampoline;
	return place_of_address(image, trampoline_at(image->plan, trampoline))
			+ (code - trampoline->code);
}

/*
 * The target that stands in the place of a displacement; *far: the next one that does not fit
 * there.
 */
static int64_t fixup_target(const struct plan *plan, const uint8_t *bytes,
		const struct emit_far **far)
{
	uint32_t code;
	memcpy(&code, bytes, sizeof code);
	if (code == EMIT_FAR)
		return (*far)++->target;
	return code == EMIT_EPOCH ? plan->epoch : code;
}

/* A jump, not the operand of another instruction: that has a ModRM byte before it, of RIP. */
static bool fixup_is_jump(const uint8_t *bytes)
{
	return bytes[-1] == 0xe9 || (bytes[-2] == 0x0f && (bytes[-1] & 0xf0) == 0x80);
}

/* ---------------------------------------------------------------- past patches of one byte */

/* The entries are in the order of addresses, but for those at the end, of patches given up. */
static void singles_lead(struct image *image)
{
	const struct plan *plan = image->plan;
	size_t next = 0;
	for (size_t i = 0; i < plan->entry_count; i++) {
		const struct madt_plan_entry *entry = &plan->entries[i];
		if (i && entry[-1].address > entry->address)
			next = 0;
		while (next < image->single_count && image->singles[next].address < entry->address)
			next++;
		if (next < image->single_count && image->singles[next].address == entry->address)
			image->singles[next].code = entry->place;
	}
}

bool image_singles_find(struct image *image)
{
	const struct plan *plan = image->plan;
	size_t capacity = 0;
	for (size_t i = 0; i < plan->patch_count; i++) {
		if (!plan_leads_past(plan, &plan->patches[i]))
			continue;
		if (!array_reserve(&image->singles, &capacity, image->single_count, sizeof *image->singles))
			return false;
		image->singles[image->single_count++] = (struct single){ plan->patches[i].address, 0 };
	}
	singles_lead(image);
	return true;
}

static int single_compare(const void *a, const void *b)
{
	const struct single *left = a;
	const struct single *right = b;
	return (left->address > right->address) - (left->address < right->address);
}

/*
 * Returns what a jump to this address of the module should lead to: the trampoline, if int3 stands
 * there.
 */
static int64_t jump_target(const struct image *image, int64_t target)
{
	const struct plan *plan = image->plan;
	const struct single wanted = { (uint32_t)target, 0 };
	const struct single *found = NULL;
	if (target >= plan->module_start && target < plan->module_end && image->single_count)
		found = bsearch(&wanted, image->singles, image->single_count, sizeof wanted,
				single_compare);
	if (!found)
		return target;
	const struct trampoline *trampoline = trampoline_of(plan, found->code, plan->trampolines);
	return trampoline_at(plan, trampoline) + (found->code - trampoline->code);
}

int image_fixups_apply(struct image *image)
{
	struct plan *plan = image->plan;
	const struct trampoline *trampoline = plan->trampolines;
	const struct emit_far *far = plan->emit.fars;
	for (size_t i = 0; i < plan->emit.fixup_count; i++) {
		const struct emit_fixup *fixup = &plan->emit.fixups[i];
		uint8_t *bytes = plan->emit.bytes + fixup->at;
		trampoline = trampoline_of(plan, fixup->at, trampoline);
		int64_t behind = trampoline_at(plan, trampoline)
				+ (fixup->at + 4 + fixup->behind - trampoline->code);
		int64_t target = fixup_target(plan, bytes, &far);
		if (fixup_is_jump(bytes))
			target = jump_target(image, target);
		int32_t value = (int32_t)(target - behind);
		if (value != target - behind)
			return failure_set(plan->text.failure, EFBIG,
					"code at 0x%llx is out of reach of address 0x%llx", (unsigned long long)behind,
					(unsigned long long)target);
		memcpy(bytes, &value, sizeof value);
	}
	return 0;
}

#define DIGIT 11 /* bits */

/* By place, a digit at a time from the last. False: no memory. */
bool image_order(struct image *image)
{
	const size_t count = image->plan->trampoline_count;
	struct placed *from = malloc((count + 1) * sizeof *from);
	struct placed *to = malloc((count + 1) * sizeof *to);
	for (size_t i = 0; from && to && i < count; i++)
		from[i] = (struct placed){
			place_of_address(image, trampoline_at(image->plan, &image->plan->trampolines[i])),
			(uint32_t)i
		};
	for (unsigned shift = 0; from && to && shift < 32; shift += DIGIT) {
		size_t begins[(1u << DIGIT) + 1] = { 0 };
		for (size_t i = 0; i < count; i++)
			begins[(from[i].place >> shift) % (1u << DIGIT) + 1]++;
		for (unsigned i = 0; i < 1u << DIGIT; i++)
			begins[i + 1] += begins[i];
		for (size_t i = 0; i < count; i++)
			to[begins[(from[i].place >> shift) % (1u << DIGIT)]++] = from[i];
		struct placed *swap = from;
		from = to;
		to = swap;
	}
	free(to);
	image->order = from;
	return from && to;
}

int32_t image_jump(const struct plan *plan, const struct patch *patch)
{
	return (int32_t)(trampoline_at(plan, &plan->trampolines[patch->trampoline])
			- ((int64_t)patch_jump(patch) + MADT_PLAN_JUMP));
}

struct madt_plan_patch image_patch_row(const struct plan *plan, const struct patch *patch)
{
	struct madt_plan_patch row = {
		.address = patch->address, .length = patch->length, .tactic = patch->tactic
	};
	if (patch->tactic == MADT_TACTIC_NEAR)
		row.relative = patch->springboard - (int32_t)MADT_PLAN_SHORT;
	else if (patch_jumps(patch))
		row.relative = image_jump(plan, patch);
	return row;
}
