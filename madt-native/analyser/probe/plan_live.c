/*
 * Which registers matter where: the least solution of
 *
 *   live before = read there, or live behind and not overwritten there
 *   live behind = live before any instruction that may come next;
 *                 all registers where that is not known
 *
 * Only proven code and direct branches are followed: behind a call, a return or an indirect jump
 * everything is live. What a landing pad needs is live wherever its exceptions come from: with
 * -fnon-call-exceptions a load may throw.
 */
#include <stdlib.h>

#include "probe/plan.h"

/*
 * Instructions that are gone through until nothing changes among them; what changes elsewhere is
 * for the next round.
 */
#define BLOCK 1024

static register_set live_at(const struct plan *plan, uint64_t address)
{
	const struct insn *insn = plan_text_insn(&plan->text, address);
	return insn ? plan->live[insn - plan->text.insns] : REGISTERS_ALL;
}

/*
 * Returns what lives where control goes on to the instruction behind; it is the next one unless two
 * overlap.
 */
static register_set live_next(const struct plan *plan, size_t number)
{
	const struct insn *insn = &plan->text.insns[number];
	const uint32_t behind = insn->address + insn->length;
	return number + 1 < plan->text.count && insn[1].address == behind ? plan->live[number + 1]
																	  : live_at(plan, behind);
}

static register_set live_behind(const struct plan *plan, size_t number)
{
	const struct insn *insn = &plan->text.insns[number];
	register_set live = 0;
	if (insn->kind == INSN_PLAIN && !(insn->flags & (INSN_BRANCHES | INSN_ENDS)))
		return live_next(plan, number);
	if (insn->kind == INSN_JUMP_INDIRECT || insn->kind == INSN_RETURN
			|| insn->kind == INSN_CALL_INDIRECT || insn->kind == INSN_CALL)
		return REGISTERS_ALL;
	if (insn->kind == INSN_ODD && !(insn->flags & INSN_BRANCHES) && insn->flags & INSN_ENDS)
		return REGISTERS_ALL;
	if (insn->flags & INSN_BRANCHES)
		live |= live_at(plan, insn->target);
	if (!(insn->flags & INSN_ENDS) || (number + 1 < plan->text.count && insn[1].trigger))
		live |= live_next(plan, number);
	return live;
}

static bool landing_changes(struct plan *plan, const struct landing *landing)
{
	const struct plan_text *text = &plan->text;
	const register_set needed = live_at(plan, landing->pad);
	const struct insn *insn = NULL;
	bool changed = false;
	for (uint32_t at = landing->start; !insn && at < landing->end; at++)
		insn = plan_text_insn(text, at);
	for (; insn && insn < text->insns + text->count && insn->address < landing->end; insn++) {
		register_set *live = &plan->live[insn - text->insns];
		changed |= (needed & ~*live) != 0;
		*live |= needed;
	}
	return changed;
}

/* In front of an instruction; `live` behind it. What its probes record matters too. */
static register_set live_before(const struct plan *plan, const struct insn *insn, register_set live)
{
	register_set needed = insn->reads | 1u << REGISTER_RSP;
	if (insn->probed && plan->probes.registers) {
		needed |= plan_probes_need(plan, insn, false);
		live |= plan_probes_need(plan, insn, true);
	}
	return (register_set)(needed | (live & ~insn->kills));
}

/* Against the flow, so that only loops need another round. */
static bool block_changes(struct plan *plan, size_t from, size_t to)
{
	bool changed = false;
	for (size_t i = to; i-- > from;) {
		const struct insn *insn = &plan->text.insns[i];
		const register_set live = live_before(plan, insn, live_behind(plan, i)) | plan->live[i];
		changed |= live != plan->live[i];
		plan->live[i] = live;
	}
	return changed;
}

static bool round_changes(struct plan *plan)
{
	bool changed = false;
	for (size_t to = plan->text.count; to; to -= (to - 1) % BLOCK + 1)
		while (block_changes(plan, to - ((to - 1) % BLOCK + 1), to))
			changed = true;
	for (size_t i = 0; i < plan->text.landing_count; i++)
		changed |= landing_changes(plan, &plan->text.landings[i]);
	return changed;
}

bool plan_live(struct plan *plan)
{
	plan->live = calloc(plan->text.count + 1, sizeof *plan->live);
	if (!plan->live)
		return false;
	while (round_changes(plan))
		;
	return true;
}
