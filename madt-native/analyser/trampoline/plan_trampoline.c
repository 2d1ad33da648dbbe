/*
 * A trampoline for each patch, and where control goes that comes to an instruction within one. The
 * copy in the patch's own trampoline will do unless a record begun before it is still open there:
 * then the rest of the patch gets a second trampoline, in which each instruction has a record of
 * its own.
 */
#include <stdlib.h>

#include "probe/plan.h"

#define JUMP_LENGTH 5
#define INT3 0xccu
#define FORGET_PATCHS 8192

static void entry_add(struct plan *plan, uint32_t address, uint32_t code, uint32_t step)
{
	if (!array_reserve(&plan->entries, &plan->entry_capacity, plan->entry_count,
				sizeof *plan->entries)) {
		plan->full = true;
		return;
	}
	plan->entries[plan->entry_count++] = (struct madt_plan_entry){ address, code, step };
}

/* From here on code is emitted for the next trampoline. Returns where it begins. */
static uint32_t trampoline_begin(struct plan *plan)
{
	const uint32_t code = (uint32_t)plan->emit.size;
	if (!array_reserve(&plan->trampolines, &plan->trampoline_capacity, plan->trampoline_count,
				sizeof *plan->trampolines)) {
		plan->full = true;
		return code;
	}
	plan->emit.boundaries.last = (struct madt_plan_row){ .key = code };
	plan->trampolines[plan->trampoline_count] = (struct trampoline){
		.code = code,
		.boundaries = (uint32_t)plan->emit.boundaries.size,
		.relocations = (uint32_t)plan->emit.relocation_count,
	};
	return code;
}

/* Of what was emitted since. Returns its number. */
static uint32_t trampoline_end(struct plan *plan, uint32_t patch)
{
	if (plan->full)
		return 0;
	struct trampoline *trampoline = &plan->trampolines[plan->trampoline_count];
	trampoline->size = (uint32_t)plan->emit.size - trampoline->code;
	trampoline->patch = patch;
	return (uint32_t)plan->trampoline_count++;
}

static const struct insn *patch_insns(const struct plan *plan, const struct patch *patch,
		const struct insn **insns)
{
	insns[0] = plan_text_insn(&plan->text, patch->address);
	for (unsigned i = 1; i < patch->count; i++)
		insns[i] = plan_next(plan, insns[i - 1]);
	return insns[0];
}

/*
 * Decides what the jump's displacement must look like for a trap at each instruction start among
 * its bytes.
 */
static void constraint_set(const struct plan *plan, const struct patch *patch,
		struct trampoline *trampoline)
{
	for (unsigned offset = 1; offset < JUMP_LENGTH; offset++) {
		const uint32_t address = patch_jump(patch) + offset;
		if (!plan_text_holds(&plan->text, address)
				|| !(plan->text.marks[address - plan->text.start] & MARK_INSIDE))
			continue;
		/* the area decides the top byte */
		uint32_t byte = offset == JUMP_LENGTH - 1 ? 0 : INT3;
		trampoline->mask |= UINT32_C(0xff) << 8 * (offset - 1);
		trampoline->value |= byte << 8 * (offset - 1);
	}
}

/* The patch from instruction `from` on, each instruction by itself. */
static void tail_emit(struct plan *plan, const struct patch *patch, const struct insn *const *insns,
		unsigned from)
{
	struct ebb ebb = { .count = 0 };
	trampoline_begin(plan);
	for (unsigned i = from; i < patch->count; i++)
		ebb_add(plan, &ebb, insns[i], true);
	ebb_emit(plan, &ebb);
	trampoline_end(plan, MADT_PLAN_NONE);
	for (unsigned i = from; i < patch->count; i++)
		entry_add(plan, insns[i]->address, ebb.blocks[i - from], MADT_PLAN_NONE);
}

static void inside_emit(struct plan *plan, const struct patch *patch,
		const struct insn *const *insns, const struct ebb *ebb)
{
	for (unsigned i = 1; i < patch->count; i++) {
		if (i >= ebb->count || ebb_open_record(ebb, i)) {
			tail_emit(plan, patch, insns, i);
			return;
		}
		entry_add(plan, insns[i]->address, ebb->blocks[i], MADT_PLAN_NONE);
	}
}

/*
 * Only a patch that no earlier extended basic block covers is worth more than its own
 * instructions.
 */
static bool patch_is_covered(const struct patch *patch, const struct insn *const *insns)
{
	for (unsigned i = 0; i < patch->count; i++)
		if (insns[i]->words && !insns[i]->covered)
			return false;
	return true;
}

static uint64_t sites_of(const struct patch *patch, const struct insn *const *insns)
{
	uint64_t sites = 0;
	for (unsigned i = 0; i < patch->count; i++)
		sites |= (uint64_t)plan_is_site(insns[i]) << (insns[i]->address - patch->address);
	return sites;
}

static void patch_emit(struct plan *plan, uint32_t number)
{
	struct patch *patch = &plan->patches[number];
	const struct insn *insns[PATCH_INSNS_MAX];
	struct ebb ebb = { .count = 0 };
	trampoline_begin(plan);
	patch->hooked = patch_insns(plan, patch, insns)->hook;
	plan->patch_sites[number] = sites_of(patch, insns);
	if (patch->hooked)
		plan_hook_emit(plan, insns[0]);
	for (unsigned i = 0; i < patch->count && !(i && insns[i - 1]->flags & INSN_ENDS); i++)
		ebb_add(plan, &ebb, insns[i], false);
	if (!patch_is_covered(patch, insns))
		ebb_extend(plan, &ebb);
	ebb_emit(plan, &ebb);
	bool jumps = patch_jumps(patch);
	patch->trampoline = trampoline_end(plan, jumps ? number : MADT_PLAN_NONE);
	if (plan->full)
		return;
	if (jumps)
		constraint_set(plan, patch, &plan->trampolines[patch->trampoline]);
	else
		entry_add(plan, patch->address, ebb.blocks[0], MADT_PLAN_NONE);
	inside_emit(plan, patch, insns, &ebb);
}

/* ---------------------------------------------------------- sites whose words the handler finds */

static bool step_operands_add(struct plan *plan, const struct insn *insn)
{
	const struct madt_code_operand *operands;
	unsigned count = plan_operands(plan, insn, &operands);
	for (unsigned i = 0; i < count; i++) {
		if (!plan_records(plan, &operands[i]))
			continue;
		if (!array_reserve(&plan->operands, &plan->operand_capacity, plan->operand_count,
					sizeof *plan->operands))
			return false;
		plan->operands[plan->operand_count++] = operands[i];
	}
	return true;
}

static void step_emit(struct plan *plan, const struct patch *patch)
{
	struct ebb ebb = { .count = 0 };
	uint32_t code = trampoline_begin(plan);
	struct insn copy = *plan_text_insn(&plan->text, patch->address);
	struct record record = { .words = copy.words };
	const struct insn *insns[] = { plan_text_insn(&plan->text, patch->address) };
	struct madt_plan_step step = {
		.address = patch->address,
		.number = (uint32_t)plan->templates.count,
		.first_operand = (uint32_t)plan->operand_count,
	};
	record_begin(plan, &record, insns);
	if (!array_reserve(&plan->steps, &plan->step_capacity, plan->step_count, sizeof *plan->steps)
			|| !step_operands_add(plan, insns[0])) {
		plan->full = true;
		return;
	}
	step.operands = (uint32_t)plan->operand_count - step.first_operand;
	plan->steps[plan->step_count++] = step;
	copy.words = 0; /* the copy records nothing */
	ebb_add(plan, &ebb, &copy, true);
	ebb_emit(plan, &ebb);
	trampoline_end(plan, MADT_PLAN_NONE);
	entry_add(plan, patch->address, code, (uint32_t)plan->step_count - 1);
}

/*
 * Forgets what lies before the patch, which is done with. Memory is given back while that of the
 * trampolines grows.
 */
static void text_forget(struct plan *plan, const struct patch *patch)
{
	const struct insn *insn = plan_text_insn(&plan->text, patch->address);
	plan_text_forget(&plan->text, insn);
	pages_forget(plan->live, (size_t)(insn - plan->text.insns) * sizeof *plan->live);
}

static void text_release(struct plan *plan)
{
	plan_text_free(&plan->text);
	free(plan->live);
	plan->live = NULL;
}

static bool is_full(const struct plan *plan)
{
	return plan->full || plan->emit.full || plan->templates.full;
}

bool plan_trampolines_emit(struct plan *plan)
{
	plan->patch_sites = calloc(plan->patch_count + 1, sizeof *plan->patch_sites);
	plan->full |= !plan->patch_sites;
	for (uint32_t i = 0; i < plan->patch_count && !is_full(plan); i++) {
		if (i % FORGET_PATCHS == 0)
			text_forget(plan, &plan->patches[i]);
		if (plan->patches[i].tactic == MADT_TACTIC_STEP)
			step_emit(plan, &plan->patches[i]);
		else
			patch_emit(plan, i);
	}
	text_release(plan);
	return !is_full(plan);
}
