/*
 * Chooses what is overwritten. A patch is whole instructions of at least five bytes, with the
 * site's among them; at each instruction start within, the patch has a byte that traps. So a jump
 * that nobody foresaw costs time, never correctness, and what is known of control flow is used only
 * to avoid that cost:
 *
 *   plain      the site alone
 *   forward    the site and what follows
 *   backward   what comes before, the site, and what follows if need be
 *   joined     where what comes before is in another patch: that patch takes in the site
 *              (counted as its other sites)
 *   int3       one byte; the handler goes to the trampoline. plan_near.c finds springboards for
 *              most of these
 *
 * A system call has a patch too, backward first: the instruction before it gives its number, and
 * behind the patch the thread goes on in the original code, whoever made the call.
 *
 * A call in a patch is its last instruction, and such patches come last: its return is
 * mispredicted.
 */
#include "probe/plan.h"

#define JUMP_LENGTH 5
#define BACKWARD_MAX 3 /* instructions before the site */
#define JOINED_MAX 16  /* bytes of a patch that may take in more */

/* fs:[base + index * scale + displacement], in 64 bits */
static bool operand_is_thread_sum(const struct madt_code_operand *operand)
{
	return operand->shape == MADT_SHAPE_PLAIN && operand->base != MADT_REGISTER_RIP
			&& !(operand->flags & MADT_OPERAND_ADDRESS32)
			&& operand->displacement == (int32_t)operand->displacement;
}

static bool operand_is_inline(const struct madt_code_operand *operand)
{
	if (operand->segment == MADT_SEGMENT_FS)
		return operand_is_thread_sum(operand);
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
			&& !plan_text_has(text, insn->address, insn->length, MARK_PATCH)
			&& !(inside && plan_text_has(text, insn->address, 1, MARK_TARGET));
}

bool insn_calls(const struct insn *insn)
{
	return insn->kind == INSN_CALL || insn->kind == INSN_CALL_INDIRECT;
}

/* Takes in the padding behind an instruction from which control does not go on. */
static bool padding_take(const struct plan *plan, struct patch *patch, unsigned bytes)
{
	for (; patch->length < bytes; patch->length++) {
		uint64_t at = patch->address + patch->length;
		if (!plan_text_holds(&plan->text, at)
				|| plan->text.marks[at - plan->text.start] != (MARK_CODE | MARK_PADDING))
			return false;
	}
	return true;
}

bool patch_grow(const struct plan *plan, const struct insn *insn, const struct insn *site,
		unsigned bytes, bool with_calls, struct patch *patch)
{
	bool ended = false;
	*patch = (struct patch){ .address = insn->address };
	for (;;) {
		if (!insn_fits(plan, insn, patch->count > 0) || (ended && !(insn->flags & INSN_NOP))
				|| patch->count == PATCH_INSNS_MAX)
			return false;
		patch->length += insn->length;
		patch->count++;
		if (insn->address >= site->address && patch->length >= bytes)
			return with_calls || !insn_calls(insn);
		if (insn_calls(insn))
			return false;
		ended |= insn->flags & INSN_ENDS;
		const struct insn *next = plan_next(plan, insn);
		if (!next)
			return ended && insn->address >= site->address && padding_take(plan, patch, bytes);
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

static bool patch_backward(const struct plan *plan, const struct insn *site, bool with_calls,
		struct patch *patch)
{
	const struct insn *first = site;
	for (unsigned i = 0; i < BACKWARD_MAX; i++) {
		first = insn_before(plan, first);
		if (!first || first->flags & INSN_ENDS || insn_calls(first))
			return false;
		if (patch_grow(plan, first, site, JUMP_LENGTH, with_calls, patch))
			return true;
	}
	return false;
}

void patch_choose(const struct plan *plan, const struct insn *site, struct patch *patch)
{
	unsigned tactic = MADT_TACTIC_INT3;
	if (site->kind == INSN_SYSTEM && patch_backward(plan, site, false, patch))
		tactic = MADT_TACTIC_BACKWARD;
	else if (!site->step)
		for (unsigned with_calls = 0; with_calls < 2 && tactic == MADT_TACTIC_INT3; with_calls++) {
			if (patch_grow(plan, site, site, JUMP_LENGTH, with_calls, patch))
				tactic = patch->count == 1 ? MADT_TACTIC_PLAIN : MADT_TACTIC_FORWARD;
			else if (patch_backward(plan, site, with_calls, patch))
				tactic = MADT_TACTIC_BACKWARD;
		}
	if (tactic == MADT_TACTIC_INT3) {
		*patch = (struct patch){ .address = site->address, .length = 1, .count = 1 };
		tactic = site->step ? MADT_TACTIC_STEP : MADT_TACTIC_INT3;
	}
	patch->tactic = (uint8_t)tactic;
}

void patch_mark(struct plan *plan, const struct patch *patch)
{
	const struct insn *insn = plan_text_insn(&plan->text, patch->address);
	plan_text_mark(&plan->text, patch->address, patch->length, MARK_PATCH);
	for (unsigned i = 1; i < patch->count; i++) {
		insn = plan_next(plan, insn);
		plan_text_mark(&plan->text, insn->address, 1, MARK_INSIDE);
	}
}

/* Marks the patch and counts its sites. */
static void patch_take(struct plan *plan, const struct patch *patch)
{
	const struct insn *insn = plan_text_insn(&plan->text, patch->address);
	unsigned sites = 0;
	patch_mark(plan, patch);
	for (unsigned i = 0; i < patch->count; i++, insn = plan_next(plan, insn))
		sites += plan_is_site(insn);
	plan->header.sites[patch->tactic] += sites;
	plan->header.sites_shared += sites ? sites - 1 : 0;
}

/* Grows the last patch until it has the site, all of whose bytes lie behind the jump and trap. */
static bool patch_join(struct plan *plan, const struct insn *site)
{
	struct patch grown;
	const struct insn *insn;
	if (!plan->patch_count || site->step)
		return false;
	grown = plan->patches[plan->patch_count - 1];
	if (grown.length < JUMP_LENGTH)
		return false;
	do {
		insn = plan_text_insn(&plan->text, grown.address + grown.length);
		if (!insn || insn->address > site->address || grown.count == PATCH_INSNS_MAX
				|| grown.length > JOINED_MAX || !insn_fits(plan, insn, true)
				|| (insn != site && (insn_calls(insn) || insn->flags & INSN_ENDS)))
			return false;
		grown.length += insn->length;
		grown.count++;
	} while (insn != site);
	plan->patches[plan->patch_count - 1] = grown;
	return true;
}

/* Marks what joined. */
static void joined_take(struct plan *plan, uint32_t from)
{
	const struct patch *patch = &plan->patches[plan->patch_count - 1];
	const uint32_t end = patch->address + patch->length;
	for (const struct insn *insn = plan_text_insn(&plan->text, from); insn && insn->address < end;
			insn = plan_next(plan, insn))
		plan_text_mark(&plan->text, insn->address, 1, MARK_INSIDE);
	plan_text_mark(&plan->text, from, end - from, MARK_PATCH);
	plan->header.sites[patch->tactic]++;
	plan->header.sites_shared++;
}

/* Its jump needs room; what does not have it stays as it is. */
static bool hook_fits(const struct plan *plan, struct insn *insn)
{
	struct patch patch;
	insn->hook = insn->hook
			&& (patch_grow(plan, insn, insn, JUMP_LENGTH, false, &patch)
					|| patch_grow(plan, insn, insn, JUMP_LENGTH, true, &patch));
	return insn->hook;
}

/* A system call whose jump has no room stays as it is: a trap would cost as much as its signal. */
static bool system_fits(const struct plan *plan, const struct insn *insn)
{
	struct patch patch;
	return insn->kind == INSN_SYSTEM
			&& (patch_backward(plan, insn, false, &patch)
					|| patch_grow(plan, insn, insn, JUMP_LENGTH, false, &patch));
}

static bool patch_add(struct plan *plan, const struct insn *site)
{
	struct patch patch;
	const struct patch *last = plan->patch_count ? &plan->patches[plan->patch_count - 1] : NULL;
	uint32_t end = last ? last->address + last->length : 0;
	patch_choose(plan, site, &patch);
	if (patch.tactic == MADT_TACTIC_INT3 && patch_join(plan, site)) {
		joined_take(plan, end);
		return true;
	}
	if (!array_reserve(&plan->patches, &plan->patch_capacity, plan->patch_count,
				sizeof *plan->patches))
		return false;
	plan->patches[plan->patch_count++] = patch;
	patch_take(plan, &patch);
	return true;
}

bool plan_patches_choose(struct plan *plan)
{
	for (size_t i = 0; i < plan->text.count; i++) {
		struct insn *insn = &plan->text.insns[i];
		if ((hook_fits(plan, insn) || plan_is_site(insn) || insn->guards || system_fits(plan, insn))
				&& !plan_text_has(&plan->text, insn->address, 1, MARK_PATCH)
				&& !patch_add(plan, insn))
			return false;
	}
	return true;
}
