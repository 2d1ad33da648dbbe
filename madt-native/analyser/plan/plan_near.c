/*
 * What is done about sites that have no room for a jump of five bytes, in this order:
 *
 *   near      a short jump to a door (plan_door.c). Sites that follow one another share it
 *   sources   what leads to a site of one byte, as far as that is known, gets windows as well: the
 *             copies of branches lead to the site's trampoline, not to the site (plan_image.c)
 *
 * Control that comes to such a site from elsewhere traps.
 */
#include <stdlib.h>

#include "plan/plan_door.h"

#define BACKWARD_MAX 3 /* instructions before the site */
#define SHARED_MAX 3   /* more sites */
#define NEAR_MAX (2 + BACKWARD_MAX)

/* ---------------------------------------------------------------- near windows */

/* The windows of two bytes or more that an instruction may have, best first. Returns how many. */
static unsigned near_windows(const struct plan *plan, const struct insn *insn,
		struct window windows[NEAR_MAX])
{
	unsigned count = 0;
	const struct insn *first = insn;
	for (unsigned with_calls = 0; with_calls < 2; with_calls++)
		if (!count && window_grow(plan, insn, insn, DOOR_SHORT, with_calls, &windows[count]))
			count++;
	if (insn->length >= DOOR_SHORT)
		return count;
	for (unsigned i = 0; i < BACKWARD_MAX; i++) {
		first = insn_before(plan, first);
		if (!first || first->flags & INSN_ENDS || insn_calls(first))
			break;
		if (window_grow(plan, first, insn, DOOR_SHORT, true, &windows[count]))
			count++;
	}
	return count;
}

static void mark_set(struct plan *plan, uint32_t address, bool set)
{
	uint8_t *mark = &plan->text.marks[address - plan->text.start];
	*mark = (uint8_t)(set ? *mark | MARK_WINDOW : *mark & ~MARK_WINDOW);
}

/* How many windows of one byte stand from this one on, one instruction behind the other. */
static unsigned singles_count(const struct plan *plan, size_t number)
{
	unsigned count = 1;
	while (count <= SHARED_MAX && number + count < plan->window_count) {
		const struct window *last = &plan->windows[number + count - 1];
		if (last[1].tactic != MADT_TACTIC_INT3
				|| last->address + plan_text_insn(&plan->text, last->address)->length
						!= last[1].address)
			break;
		count++;
	}
	return count;
}

/* Those that a near window has taken in are no windows any more: of no instruction. */
static void singles_absorb(struct plan *plan, size_t number, unsigned count)
{
	const struct window *near = &plan->windows[number];
	for (unsigned i = 0; i < count; i++) {
		struct window *window = &plan->windows[number + i];
		if (i && window->address - near->address >= near->length) {
			mark_set(plan, window->address, true);
			continue;
		}
		plan->header.sites[MADT_TACTIC_INT3]--;
		plan->header.sites[MADT_TACTIC_NEAR]++;
		plan->header.sites_shared += i > 0;
		window->count = i ? 0 : window->count;
	}
}

static void near_choose(struct plan *plan, struct doors *doors, size_t number)
{
	struct window windows[NEAR_MAX];
	struct choice choice;
	const unsigned singles = singles_count(plan, number);
	const struct insn *insn = plan_text_insn(&plan->text, plan->windows[number].address);
	for (unsigned i = 0; i < singles; i++)
		mark_set(plan, plan->windows[number + i].address, false);
	const unsigned count = near_windows(plan, insn, windows);
	for (unsigned i = 0; i < singles; i++)
		mark_set(plan, plan->windows[number + i].address, true);
	if (!door_find(plan, doors, windows, count, &choice))
		return;
	for (unsigned i = 1; i < singles; i++)
		mark_set(plan, plan->windows[number + i].address, false);
	door_take(plan, doors, &choice, &plan->windows[number]);
	singles_absorb(plan, number, singles);
}

/* ---------------------------------------------------------------- windows in order */

static int window_compare(const void *a, const void *b)
{
	const struct window *left = a;
	const struct window *right = b;
	return (left->address > right->address) - (left->address < right->address);
}

/* Without those that were taken in; a near window may begin before its site. */
static void windows_clean(struct plan *plan)
{
	size_t kept = 0;
	for (size_t i = 0; i < plan->window_count; i++)
		if (plan->windows[i].count)
			plan->windows[kept++] = plan->windows[i];
	plan->window_count = kept;
}

/* Puts the new windows among the others. False: no memory. */
static bool hosts_merge(struct plan *plan, struct doors *doors)
{
	size_t left = doors->host_count;
	windows_clean(plan);
	if (!left)
		return true;
	qsort(doors->hosts, left, sizeof *doors->hosts, window_compare);
	while (plan->window_capacity < plan->window_count + left)
		if (!array_grow(&plan->windows, &plan->window_capacity, sizeof *plan->windows))
			return false;
	size_t from = plan->window_count;
	plan->window_count += left;
	for (size_t to = plan->window_count; left; to--)
		if (from && plan->windows[from - 1].address > doors->hosts[left - 1].address)
			plan->windows[to - 1] = plan->windows[--from];
		else
			plan->windows[to - 1] = doors->hosts[--left];
	doors->host_count = 0;
	return true;
}

/* ---------------------------------------------------------------- sources */

/* Addresses of windows of one byte, in order. */
struct singles {
	uint32_t *items;
	size_t count;
	size_t capacity;
};

/* False: no memory. */
static bool singles_find(const struct plan *plan, struct singles *singles)
{
	for (size_t i = 0; i < plan->window_count; i++) {
		if (plan->windows[i].tactic != MADT_TACTIC_INT3)
			continue;
		if (!array_reserve(&singles->items, &singles->capacity, singles->count,
					sizeof *singles->items))
			return false;
		singles->items[singles->count++] = plan->windows[i].address;
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

/* Whether control may come from here to one of them, in a way that a copy would have as well. */
static bool is_source(const struct singles *singles, const struct insn *insn)
{
	if (insn->kind == INSN_ODD || insn->kind == INSN_CALL_INDIRECT)
		return false;
	if (insn->flags & INSN_BRANCHES && singles_have(singles, insn->target))
		return true;
	return !(insn->flags & INSN_ENDS) && insn->kind != INSN_CALL
			&& singles_have(singles, insn->address + insn->length);
}

static void source_cover(struct plan *plan, struct doors *doors, const struct insn *insn)
{
	struct window windows[NEAR_MAX];
	struct choice choice;
	window_choose(plan, insn, &windows[0]);
	if (windows[0].tactic < MADT_TACTIC_NEAR) {
		window_mark(plan, &windows[0]);
		doors->hosts[doors->host_count++] = windows[0];
		return;
	}
	if (insn->step || !door_find(plan, doors, windows, near_windows(plan, insn, windows), &choice))
		return;
	struct window window;
	door_take(plan, doors, &choice, &window);
	doors->hosts[doors->host_count++] = window;
}

/* False: no memory. */
static bool sources_cover(struct plan *plan, struct doors *doors)
{
	struct singles singles = { .count = 0 };
	bool good = singles_find(plan, &singles);
	for (size_t i = 0; i < plan->text.count && singles.count && good; i++) {
		const struct insn *insn = &plan->text.insns[i];
		if (!is_source(&singles, insn)
				|| plan_text_has(&plan->text, insn->address, insn->length, MARK_WINDOW))
			continue;
		source_cover(plan, doors, insn);
		good = doors_reserve(doors);
	}
	free(singles.items);
	return good && hosts_merge(plan, doors);
}

bool plan_doors_choose(struct plan *plan)
{
	struct doors doors = { .count = 0 };
	bool good = doors_reserve(&doors);
	for (size_t i = 0; i < plan->window_count && good; i++) {
		if (plan->windows[i].tactic != MADT_TACTIC_INT3 || !plan->windows[i].count)
			continue;
		near_choose(plan, &doors, i);
		good = doors_reserve(&doors);
	}
	good = good && hosts_merge(plan, &doors) && sources_cover(plan, &doors);
	free(doors.found);
	free(doors.hosts);
	return good;
}
