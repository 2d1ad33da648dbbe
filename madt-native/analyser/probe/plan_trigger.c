/*
 * Triggers (MADT_EVENT, madt.h): a jump of two bytes over a no-operation of seven. Instruments at
 * the jump stand at the no-operation instead, whose patch has room, and the jump stays: the byte
 * that says how far it goes decides whether control comes there (shim/text/text_triggers.c).
 *
 *   off   eb 07   e9 rel32 cc cc   …        on   eb 00   e9 rel32 cc cc   …
 *         └──────────────────────▲                └──────▲
 *
 * Where something else is recorded at the jump, or an instrument has no switch, its patch takes
 * the place of the jump, as anywhere else.
 */
#include <string.h>

#include "probe/plan.h"

/* 0f 1f 80 disp32: nop dword [rax] */
static const uint8_t room[MADT_TRIGGER_ROOM] = { 0x0f, 0x1f, 0x80 };

static bool is_trigger(const struct plan *plan, const struct insn *jump, const struct insn *nop)
{
	return jump->probed && jump->kind == INSN_JUMP && jump->length == MADT_TRIGGER_JUMP
			&& nop->address == jump->address + jump->length && nop->length == sizeof room
			&& jump->target == nop->address + nop->length
			&& memcmp(insn_bytes(plan, nop), room, sizeof room) == 0;
}

/* Returns whether its first step asks a switch. */
static bool is_switched(const struct probe *probe)
{
	return probe->kind == MADT_PROBE_INSTRUMENT && probe->guards
			&& (probe->guard->piece & MADT_GUARD_STEP) == MADT_GUARD_SWITCH;
}

static bool is_free(const struct plan *plan, const struct insn *jump, const struct insn *nop)
{
	const struct probe_list list = probes_of(&plan->probes, jump);
	bool free = !jump->hook && !jump->overlaps && !nop->probed && !nop->overlaps && !nop->words
			&& plan_copies(plan, jump) && plan_copies(plan, nop)
			&& !plan_text_has(&plan->text, nop->address, nop->length, MARK_TARGET);
	for (size_t i = 0; i < list.count; i++)
		free &= is_switched(&list.items[i]);
	return free;
}

/* False: no memory. */
static bool trigger_take(struct plan *plan, struct insn *jump, struct insn *nop)
{
	const struct probe_list list = probes_of(&plan->probes, jump);
	for (size_t i = 0; i < list.count; i++) {
		if (!array_reserve(&plan->triggers, &plan->trigger_capacity, plan->trigger_count,
					sizeof *plan->triggers))
			return false;
		plan->triggers[plan->trigger_count++] = (struct madt_plan_trigger){ jump->address,
			(uint32_t)list.items[i].guard->displacement[0] };
	}
	jump->probed = false;
	nop->probed = true;
	nop->trigger = true;
	plan_text_mark(&plan->text, jump->address, jump->length, MARK_FROZEN);
	return true;
}

bool plan_triggers_find(struct plan *plan)
{
	struct insn *insns = plan->text.insns;
	for (size_t i = 0; i + 1 < plan->text.count && plan->probes.count; i++)
		if (is_trigger(plan, &insns[i], &insns[i + 1]) && is_free(plan, &insns[i], &insns[i + 1])
				&& !trigger_take(plan, &insns[i], &insns[i + 1]))
			return false;
	return true;
}
