/*
 * What is done about sites that have no room for a jump of five bytes, in this order:
 *
 *   near      a short jump to a springboard (plan_springboard.c). Sites that follow one another
 *             share it
 *   sources   what leads to a site of one byte, as far as that is known, gets patches as well: the
 *             copies of branches lead to the site's trampoline, not to the site (plan_image.c)
 *
 * Control that comes to such a site from elsewhere traps.
 */
#include <stdlib.h>

#include "patch/plan_springboard.h"

#define BACKWARD_MAX 3 /* instructions before the site */
#define SHARED_MAX 3   /* more sites */
#define NEAR_MAX (2 + BACKWARD_MAX)

/* ---------------------------------------------------------------- near patches */

/* The patches of two bytes or more that an instruction may have, best first. Returns how many. */
static unsigned near_patches(const struct plan *plan, const struct insn *insn,
		struct patch patches[NEAR_MAX])
{
	unsigned count = 0;
	const struct insn *first = insn;
	for (unsigned with_calls = 0; with_calls < 2; with_calls++)
		if (!count && patch_grow(plan, insn, insn, SPRINGBOARD_SHORT, with_calls, &patches[count]))
			count++;
	if (insn->length >= SPRINGBOARD_SHORT)
		return count;
	for (unsigned i = 0; i < BACKWARD_MAX; i++) {
		first = insn_before(plan, first);
		if (!first || first->flags & INSN_ENDS || insn_calls(first))
			break;
		if (patch_grow(plan, first, insn, SPRINGBOARD_SHORT, true, &patches[count]))
			count++;
	}
	return count;
}

static void mark_set(struct plan *plan, uint32_t address, bool set)
{
	uint8_t *mark = &plan->text.marks[address - plan->text.start];
	*mark = (uint8_t)(set ? *mark | MARK_PATCH : *mark & ~MARK_PATCH);
}

/* Returns how many patches of one byte stand from this one on, one instruction behind the other. */
static unsigned singles_count(const struct plan *plan, size_t number)
{
	unsigned count = 1;
	while (count <= SHARED_MAX && number + count < plan->patch_count) {
		const struct patch *last = &plan->patches[number + count - 1];
		if (last[1].tactic != MADT_TACTIC_INT3
				|| last->address + plan_text_insn(&plan->text, last->address)->length
						!= last[1].address)
			break;
		count++;
	}
	return count;
}

/* Takes away the patches that a near patch has taken in: they are of no instruction any more. */
static void singles_absorb(struct plan *plan, size_t number, unsigned count)
{
	const struct patch *near = &plan->patches[number];
	for (unsigned i = 0; i < count; i++) {
		struct patch *patch = &plan->patches[number + i];
		if (i && patch->address - near->address >= near->length) {
			mark_set(plan, patch->address, true);
			continue;
		}
		plan->header.sites[MADT_TACTIC_INT3]--;
		plan->header.sites[MADT_TACTIC_NEAR]++;
		plan->header.sites_shared += i > 0;
		patch->count = i ? 0 : patch->count;
	}
}

static void near_choose(struct plan *plan, struct springboards *springboards, size_t number)
{
	struct patch patches[NEAR_MAX];
	struct choice choice;
	const unsigned singles = singles_count(plan, number);
	const struct insn *insn = plan_text_insn(&plan->text, plan->patches[number].address);
	for (unsigned i = 0; i < singles; i++)
		mark_set(plan, plan->patches[number + i].address, false);
	const unsigned count = near_patches(plan, insn, patches);
	for (unsigned i = 0; i < singles; i++)
		mark_set(plan, plan->patches[number + i].address, true);
	if (!springboard_find(plan, springboards, patches, count, &choice))
		return;
	for (unsigned i = 1; i < singles; i++)
		mark_set(plan, plan->patches[number + i].address, false);
	springboard_take(plan, springboards, &choice, &plan->patches[number]);
	singles_absorb(plan, number, singles);
}

/* ---------------------------------------------------------------- patches in order */

static int patch_compare(const void *a, const void *b)
{
	const struct patch *left = a;
	const struct patch *right = b;
	return (left->address > right->address) - (left->address < right->address);
}

/* Without those that were taken in; a near patch may begin before its site. */
static void windows_clean(struct plan *plan)
{
	size_t kept = 0;
	for (size_t i = 0; i < plan->patch_count; i++)
		if (plan->patches[i].count)
			plan->patches[kept++] = plan->patches[i];
	plan->patch_count = kept;
}

/* Puts the new patches among the others. False: no memory. */
static bool hosts_merge(struct plan *plan, struct springboards *springboards)
{
	size_t left = springboards->host_count;
	windows_clean(plan);
	if (!left)
		return true;
	qsort(springboards->hosts, left, sizeof *springboards->hosts, patch_compare);
	while (plan->patch_capacity < plan->patch_count + left)
		if (!array_grow(&plan->patches, &plan->patch_capacity, sizeof *plan->patches))
			return false;
	size_t from = plan->patch_count;
	plan->patch_count += left;
	for (size_t to = plan->patch_count; left; to--)
		if (from && plan->patches[from - 1].address > springboards->hosts[left - 1].address)
			plan->patches[to - 1] = plan->patches[--from];
		else
			plan->patches[to - 1] = springboards->hosts[--left];
	springboards->host_count = 0;
	return true;
}

/* ---------------------------------------------------------------- sources */

/* Addresses of patches of one byte, in order. */
struct singles {
	uint32_t *items;
	size_t count;
	size_t capacity;
};

/* False: no memory. */
static bool singles_find(const struct plan *plan, struct singles *singles)
{
	for (size_t i = 0; i < plan->patch_count; i++) {
		if (!plan_leads_past(plan, &plan->patches[i]))
			continue;
		if (!array_reserve(&singles->items, &singles->capacity, singles->count,
					sizeof *singles->items))
			return false;
		singles->items[singles->count++] = plan->patches[i].address;
	}
	return true;
}

static bool singles_have(const struct singles *singles, uint32_t address)
{
	size_t low = 0;
	size_t high = singles->count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (singles->items[middle] < address)
			low = middle + 1;
		else
			high = middle;
	}
	return low < singles->count && singles->items[low] == address;
}

/*
 * Returns whether control may come from here to one of them, in a way that a copy would have as
 * well.
 */
static bool is_source(const struct singles *singles, const struct insn *insn)
{
	if (insn->kind == INSN_ODD || insn->kind == INSN_CALL_INDIRECT)
		return false;
	if (insn->flags & INSN_BRANCHES && singles_have(singles, insn->target))
		return true;
	return !(insn->flags & INSN_ENDS) && insn->kind != INSN_CALL
			&& singles_have(singles, insn->address + insn->length);
}

static void source_cover(struct plan *plan, struct springboards *springboards,
		const struct insn *insn)
{
	struct patch patches[NEAR_MAX];
	struct choice choice;
	patch_choose(plan, insn, &patches[0]);
	if (patches[0].tactic < MADT_TACTIC_NEAR) {
		patch_mark(plan, &patches[0]);
		springboards->hosts[springboards->host_count++] = patches[0];
		return;
	}
	if (insn->step
			|| !springboard_find(plan, springboards, patches, near_patches(plan, insn, patches),
					&choice))
		return;
	struct patch patch;
	springboard_take(plan, springboards, &choice, &patch);
	springboards->hosts[springboards->host_count++] = patch;
}

/* False: no memory. */
static bool sources_cover(struct plan *plan, struct springboards *springboards)
{
	struct singles singles = { .count = 0 };
	bool good = singles_find(plan, &singles);
	for (size_t i = 0; i < plan->text.count && singles.count && good; i++) {
		const struct insn *insn = &plan->text.insns[i];
		if (!is_source(&singles, insn)
				|| plan_text_has(&plan->text, insn->address, insn->length, MARK_PATCH))
			continue;
		source_cover(plan, springboards, insn);
		good = springboards_reserve(springboards);
	}
	free(singles.items);
	return good && hosts_merge(plan, springboards);
}

bool plan_springboards_choose(struct plan *plan)
{
	struct springboards springboards = { .count = 0 };
	bool good = springboards_reserve(&springboards);
	for (size_t i = 0; i < plan->patch_count && good; i++) {
		if (plan->patches[i].tactic != MADT_TACTIC_INT3 || !plan->patches[i].count)
			continue;
		near_choose(plan, &springboards, i);
		good = springboards_reserve(&springboards);
	}
	good = good && hosts_merge(plan, &springboards) && sources_cover(plan, &springboards);
	free(springboards.found);
	free(springboards.hosts);
	return good;
}
