/*
 * Chooses what is overwritten. A window is whole instructions of at least five bytes, with the
 * site's among them; at each instruction start within, the patch has a byte that traps. So a jump
 * that nobody foresaw costs time, never correctness, and what is known of control flow is used only
 * to avoid that cost:
 *
 *   plain      the site alone
 *   forward    the site and what follows
 *   backward   what comes before, the site, and what follows if need be
 *   joined     where what comes before is in another window: that window takes in the site
 *              (counted as its other sites)
 *   int3       one byte; the handler goes to the trampoline. plan_near.c finds doors for most of
 *              these
 *
 * A system call has a window too, backward first: the instruction before it gives its number, and
 * behind the window the thread goes on in the original code, whoever made the call.
 *
 * A call in a window is its last instruction, and such windows come last: its return is
 * mispredicted.
 */
#include "plan/plan.h"

#define JUMP_LENGTH 5
#define BACKWARD_MAX 3 /* instructions before the site */
#define JOINED_MAX 16  /* bytes of a window that may take in more */

static bool operand_is_inline(const struct madt_code_operand *operand)
{
	return operand->shape == MADT_SHAPE_PLAIN || operand->shape == MADT_SHAPE_XLAT
			|| plan_masks(operand);
}

static void site_find(struct plan *plan, struct insn *insn)
{
	const struct madt_code_operand *operands;
	unsigned count = plan_operands(plan, insn, &operands);
	unsigned words = 0;
	for (unsigned i = 0; i < count; i++)
		if (plan_records(plan, &operands[i])) {
			words += operands[i].elements;
			insn->step |= !operand_is_inline(&operands[i]);
			insn->flags |= plan_masks(&operands[i]) ? INSN_ALONE : 0;
		}
	insn->words = (uint8_t)words;
	if (!words)
		return;
	if (!plan_copies(plan, insn) || words > 64) {
		insn->words = 0;
		plan->header.sites_left++;
	}
}

void plan_sites_find(struct plan *plan)
{
	struct choice_cursor accesses = choice_cursor(plan->options.choice, MADT_PROBE_ACCESS, false);
	for (size_t i = 0; i < plan->text.count && !plan->options.hooks; i++)
		if (plan->text.insns[i].site != INSN_NO_SITE
				&& choice_at(&accesses, plan->text.insns[i].address))
			site_find(plan, &plan->text.insns[i]);
}

bool insn_fits(const struct plan *plan, const struct insn *insn, bool inside)
{
	const struct plan_text *text = &plan->text;
	return plan_copies(plan, insn) && !insn->step && !insn->overlaps && !plan_pops_flags(plan, insn)
			&& !plan_text_has(text, insn->address, insn->length, MARK_WINDOW)
			&& !(inside && plan_text_has(text, insn->address, 1, MARK_TARGET));
}

bool insn_calls(const struct insn *insn)
{
	return insn->kind == INSN_CALL || insn->kind == INSN_CALL_INDIRECT;
}

/* Takes in the padding behind an instruction from which control does not go on. */
static bool padding_take(const struct plan *plan, struct window *window, unsigned bytes)
{
	for (; window->length < bytes; window->length++) {
		uint64_t at = window->address + window->length;
		if (!plan_text_holds(&plan->text, at)
				|| plan->text.marks[at - plan->text.start] != (MARK_CODE | MARK_PADDING))
			return false;
	}
	return true;
}

bool window_grow(const struct plan *plan, const struct insn *insn, const struct insn *site,
		unsigned bytes, bool with_calls, struct window *window)
{
	bool ended = false;
	*window = (struct window){ .address = insn->address };
	for (;;) {
		if (!insn_fits(plan, insn, window->count > 0) || (ended && !(insn->flags & INSN_NOP))
				|| window->count == WINDOW_INSNS_MAX)
			return false;
		window->length += insn->length;
		window->count++;
		if (insn->address >= site->address && window->length >= bytes)
			return with_calls || !insn_calls(insn);
		if (insn_calls(insn))
			return false;
		ended |= insn->flags & INSN_ENDS;
		const struct insn *next = plan_next(plan, insn);
		if (!next)
			return ended && insn->address >= site->address && padding_take(plan, window, bytes);
		insn = next;
	}
}

/* With a lock prefix that is jumped over there may be two: the longer one. */
const struct insn *insn_before(const struct plan *plan, const struct insn *insn)
{
	const struct insn *found = NULL;
	for (unsigned back = 1; back <= 15 && back <= insn->address; back++) {
		const struct insn *before = plan_text_insn(&plan->text, insn->address - back);
		if (before && before->length == back)
			found = before;
	}
	return found;
}

static bool window_backward(const struct plan *plan, const struct insn *site, bool with_calls,
		struct window *window)
{
	const struct insn *first = site;
	for (unsigned i = 0; i < BACKWARD_MAX; i++) {
		first = insn_before(plan, first);
		if (!first || first->flags & INSN_ENDS || insn_calls(first))
			return false;
		if (window_grow(plan, first, site, JUMP_LENGTH, with_calls, window))
			return true;
	}
	return false;
}

void window_choose(const struct plan *plan, const struct insn *site, struct window *window)
{
	unsigned tactic = MADT_TACTIC_INT3;
	if (site->kind == INSN_SYSTEM && window_backward(plan, site, false, window))
		tactic = MADT_TACTIC_BACKWARD;
	else if (!site->step)
		for (unsigned with_calls = 0; with_calls < 2 && tactic == MADT_TACTIC_INT3; with_calls++) {
			if (window_grow(plan, site, site, JUMP_LENGTH, with_calls, window))
				tactic = window->count == 1 ? MADT_TACTIC_PLAIN : MADT_TACTIC_FORWARD;
			else if (window_backward(plan, site, with_calls, window))
				tactic = MADT_TACTIC_BACKWARD;
		}
	if (tactic == MADT_TACTIC_INT3) {
		*window = (struct window){ .address = site->address, .length = 1, .count = 1 };
		tactic = site->step ? MADT_TACTIC_STEP : MADT_TACTIC_INT3;
	}
	window->tactic = (uint8_t)tactic;
}

void window_mark(struct plan *plan, const struct window *window)
{
	const struct insn *insn = plan_text_insn(&plan->text, window->address);
	plan_text_mark(&plan->text, window->address, window->length, MARK_WINDOW);
	for (unsigned i = 1; i < window->count; i++) {
		insn = plan_next(plan, insn);
		plan_text_mark(&plan->text, insn->address, 1, MARK_INSIDE);
	}
}

/* Marks the window and counts its sites. */
static void window_take(struct plan *plan, const struct window *window)
{
	const struct insn *insn = plan_text_insn(&plan->text, window->address);
	unsigned sites = 0;
	window_mark(plan, window);
	for (unsigned i = 0; i < window->count; i++, insn = plan_next(plan, insn))
		sites += plan_is_site(insn);
	plan->header.sites[window->tactic] += sites;
	plan->header.sites_shared += sites ? sites - 1 : 0;
}

/* Grows the last window until it has the site, all of whose bytes lie behind the jump and trap. */
static bool window_join(struct plan *plan, const struct insn *site)
{
	struct window grown;
	const struct insn *insn;
	if (!plan->window_count || site->step)
		return false;
	grown = plan->windows[plan->window_count - 1];
	if (grown.length < JUMP_LENGTH)
		return false;
	do {
		insn = plan_text_insn(&plan->text, grown.address + grown.length);
		if (!insn || insn->address > site->address || grown.count == WINDOW_INSNS_MAX
				|| grown.length > JOINED_MAX || !insn_fits(plan, insn, true)
				|| (insn != site && (insn_calls(insn) || insn->flags & INSN_ENDS)))
			return false;
		grown.length += insn->length;
		grown.count++;
	} while (insn != site);
	plan->windows[plan->window_count - 1] = grown;
	return true;
}

/* Marks what joined. */
static void joined_take(struct plan *plan, uint32_t from)
{
	const struct window *window = &plan->windows[plan->window_count - 1];
	const uint32_t end = window->address + window->length;
	for (const struct insn *insn = plan_text_insn(&plan->text, from); insn && insn->address < end;
			insn = plan_next(plan, insn))
		plan_text_mark(&plan->text, insn->address, 1, MARK_INSIDE);
	plan_text_mark(&plan->text, from, end - from, MARK_WINDOW);
	plan->header.sites[window->tactic]++;
	plan->header.sites_shared++;
}

/* Its jump needs room; what does not have it stays as it is. */
static bool hook_fits(const struct plan *plan, struct insn *insn)
{
	struct window window;
	insn->hook = insn->hook
			&& (window_grow(plan, insn, insn, JUMP_LENGTH, false, &window)
					|| window_grow(plan, insn, insn, JUMP_LENGTH, true, &window));
	return insn->hook;
}

/* A system call whose jump has no room stays as it is: a trap would cost as much as its signal. */
static bool system_fits(const struct plan *plan, const struct insn *insn)
{
	struct window window;
	return insn->kind == INSN_SYSTEM
			&& (window_backward(plan, insn, false, &window)
					|| window_grow(plan, insn, insn, JUMP_LENGTH, false, &window));
}

static bool window_add(struct plan *plan, const struct insn *site)
{
	struct window window;
	const struct window *last = plan->window_count ? &plan->windows[plan->window_count - 1] : NULL;
	uint32_t end = last ? last->address + last->length : 0;
	window_choose(plan, site, &window);
	if (window.tactic == MADT_TACTIC_INT3 && window_join(plan, site)) {
		joined_take(plan, end);
		return true;
	}
	if (!array_reserve(&plan->windows, &plan->window_capacity, plan->window_count,
				sizeof *plan->windows))
		return false;
	plan->windows[plan->window_count++] = window;
	window_take(plan, &window);
	return true;
}

bool plan_windows_choose(struct plan *plan)
{
	for (size_t i = 0; i < plan->text.count; i++) {
		struct insn *insn = &plan->text.insns[i];
		if ((hook_fits(plan, insn) || plan_is_site(insn) || insn->guards || system_fits(plan, insn))
				&& !plan_text_has(&plan->text, insn->address, 1, MARK_WINDOW)
				&& !window_add(plan, insn))
			return false;
	}
	return true;
}
