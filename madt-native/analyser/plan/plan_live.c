/*
 * Which registers matter where: the least solution of
 *
 *   live before = read there, or live behind and not overwritten there
 *   live behind = live before any instruction that may come next; all registers where that is not known
 *
 * Only proven code and direct branches are followed: behind a call, a return or an indirect jump everything is live. What a
 * landing pad needs is live wherever its exceptions come from: with -fnon-call-exceptions a load may throw.
 */
#include <stdlib.h>

#include "plan/plan.h"

static register_set live_at(const struct plan *plan, uint64_t address)
{
	const struct insn *insn = plan_text_insn(&plan->text, address);
	return insn ? plan->live[insn - plan->text.insns] : REGISTERS_ALL;
}

static register_set live_behind(const struct plan *plan, const struct insn *insn)
{
	register_set live = 0;
	if (insn->kind == INSN_JUMP_INDIRECT || insn->kind == INSN_RETURN || insn->kind == INSN_CALL_INDIRECT
			|| insn->kind == INSN_CALL)
		return REGISTERS_ALL;
	if (insn->kind == INSN_ODD && !(insn->flags & INSN_BRANCHES) && insn->flags & INSN_ENDS)
		return REGISTERS_ALL;
	if (insn->flags & INSN_BRANCHES)
		live |= live_at(plan, insn->target);
	if (!(insn->flags & INSN_ENDS))
		live |= live_at(plan, insn->address + insn->length);
	return live;
}

static bool landing_changes(struct plan *plan, const struct landing *landing)
{
	const register_set needed = live_at(plan, landing->pad);
	bool changed = false;
	for (uint32_t at = landing->start; at < landing->end; at++) {
		const struct insn *insn = plan_text_insn(&plan->text, at);
		register_set *live = insn ? &plan->live[insn - plan->text.insns] : NULL;
		if (!live || !(needed & ~*live))
			continue;
		*live |= needed;
		changed = true;
	}
	return changed;
}

/* Against the flow, so that only loops need another round. */
static bool round_changes(struct plan *plan)
{
	bool changed = false;
	for (size_t i = plan->text.count; i-- > 0; ) {
		const struct insn *insn = &plan->text.insns[i];
		register_set live = (register_set)(insn->reads | (live_behind(plan, insn) & ~insn->kills) | 1u << REGISTER_RSP
				| plan->live[i]);
		changed |= live != plan->live[i];
		plan->live[i] = live;
	}
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
