/*
 * A trampoline for each window, and where control goes that comes to an instruction within one. The
 * copy in the window's own trampoline will do unless a run begun before it is still open there:
 * then the rest of the window gets a second trampoline, in which each instruction has a run of its
 * own.
 */
#include <stdlib.h>

#include "plan/plan.h"

#define JUMP_LENGTH 5
#define INT3 0xccu
#define FORGET_WINDOWS 8192

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
static uint32_t trampoline_end(struct plan *plan, uint32_t window)
{
	if (plan->full)
		return 0;
	struct trampoline *trampoline = &plan->trampolines[plan->trampoline_count];
	trampoline->size = (uint32_t)plan->emit.size - trampoline->code;
	trampoline->window = window;
	return (uint32_t)plan->trampoline_count++;
}

static const struct insn *window_insns(const struct plan *plan, const struct window *window,
		const struct insn **insns)
{
	insns[0] = plan_text_insn(&plan->text, window->address);
	for (unsigned i = 1; i < window->count; i++)
		insns[i] = plan_next(plan, insns[i - 1]);
	return insns[0];
}

/*
 * What the jump's displacement must look like for a trap at each instruction start among its bytes.
 */
static void constraint_set(const struct plan *plan, const struct window *window,
		struct trampoline *trampoline)
{
	for (unsigned offset = 1; offset < JUMP_LENGTH; offset++) {
		const uint32_t address = window_jump(window) + offset;
		if (!plan_text_holds(&plan->text, address)
				|| !(plan->text.marks[address - plan->text.start] & MARK_INSIDE))
			continue;
		/* the area decides the top byte */
		uint32_t byte = offset == JUMP_LENGTH - 1 ? 0 : INT3;
		trampoline->mask |= UINT32_C(0xff) << 8 * (offset - 1);
		trampoline->value |= byte << 8 * (offset - 1);
	}
}

/* The window from instruction `from` on, each instruction by itself. */
static void tail_emit(struct plan *plan, const struct window *window,
		const struct insn *const *insns, unsigned from)
{
	struct stretch stretch = { .count = 0 };
	trampoline_begin(plan);
	for (unsigned i = from; i < window->count; i++)
		stretch_add(plan, &stretch, insns[i], true);
	stretch_emit(plan, &stretch);
	trampoline_end(plan, MADT_PLAN_NONE);
	for (unsigned i = from; i < window->count; i++)
		entry_add(plan, insns[i]->address, stretch.blocks[i - from], MADT_PLAN_NONE);
}

static void inside_emit(struct plan *plan, const struct window *window,
		const struct insn *const *insns, const struct stretch *stretch)
{
	for (unsigned i = 1; i < window->count; i++) {
		if (i >= stretch->count || stretch_open_run(stretch, i)) {
			tail_emit(plan, window, insns, i);
			return;
		}
		entry_add(plan, insns[i]->address, stretch->blocks[i], MADT_PLAN_NONE);
	}
}

/* Only a window that no earlier stretch covers is worth more than its own instructions. */
static bool window_is_covered(const struct window *window, const struct insn *const *insns)
{
	for (unsigned i = 0; i < window->count; i++)
		if (insns[i]->words && !insns[i]->covered)
			return false;
	return true;
}

static uint64_t sites_of(const struct window *window, const struct insn *const *insns)
{
	uint64_t sites = 0;
	for (unsigned i = 0; i < window->count; i++)
		sites |= (uint64_t)plan_is_site(insns[i]) << (insns[i]->address - window->address);
	return sites;
}

static void window_emit(struct plan *plan, uint32_t number)
{
	struct window *window = &plan->windows[number];
	const struct insn *insns[WINDOW_INSNS_MAX];
	struct stretch stretch = { .count = 0 };
	trampoline_begin(plan);
	window->hooked = window_insns(plan, window, insns)->hook;
	plan->window_sites[number] = sites_of(window, insns);
	if (window->hooked)
		plan_hook_emit(plan, insns[0]);
	for (unsigned i = 0; i < window->count && !(i && insns[i - 1]->flags & INSN_ENDS); i++)
		stretch_add(plan, &stretch, insns[i], false);
	if (!window_is_covered(window, insns))
		stretch_extend(plan, &stretch);
	stretch_emit(plan, &stretch);
	bool jumps = window_jumps(window);
	window->trampoline = trampoline_end(plan, jumps ? number : MADT_PLAN_NONE);
	if (plan->full)
		return;
	if (jumps)
		constraint_set(plan, window, &plan->trampolines[window->trampoline]);
	else
		entry_add(plan, window->address, stretch.blocks[0], MADT_PLAN_NONE);
	inside_emit(plan, window, insns, &stretch);
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

static void step_emit(struct plan *plan, const struct window *window)
{
	struct stretch stretch = { .count = 0 };
	uint32_t code = trampoline_begin(plan);
	struct insn copy = *plan_text_insn(&plan->text, window->address);
	struct run run = { .words = copy.words };
	const struct insn *insns[] = { plan_text_insn(&plan->text, window->address) };
	struct madt_plan_step step = {
		.address = window->address,
		.run = (uint32_t)plan->runs.count,
		.first_operand = (uint32_t)plan->operand_count,
	};
	run_begin(plan, &run, insns);
	if (!array_reserve(&plan->steps, &plan->step_capacity, plan->step_count, sizeof *plan->steps)
			|| !step_operands_add(plan, insns[0])) {
		plan->full = true;
		return;
	}
	step.operands = (uint32_t)plan->operand_count - step.first_operand;
	plan->steps[plan->step_count++] = step;
	copy.words = 0; /* the copy records nothing */
	stretch_add(plan, &stretch, &copy, true);
	stretch_emit(plan, &stretch);
	trampoline_end(plan, MADT_PLAN_NONE);
	entry_add(plan, window->address, code, (uint32_t)plan->step_count - 1);
}

/*
 * What lies before the window is done with. Memory is given back while that of the trampolines
 * grows.
 */
static void text_forget(struct plan *plan, const struct window *window)
{
	const struct insn *insn = plan_text_insn(&plan->text, window->address);
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
	return plan->full || plan->emit.full || plan->runs.full;
}

bool plan_trampolines_emit(struct plan *plan)
{
	plan->window_sites = calloc(plan->window_count + 1, sizeof *plan->window_sites);
	plan->full |= !plan->window_sites;
	for (uint32_t i = 0; i < plan->window_count && !is_full(plan); i++) {
		if (i % FORGET_WINDOWS == 0)
			text_forget(plan, &plan->windows[i]);
		if (plan->windows[i].tactic == MADT_TACTIC_STEP)
			step_emit(plan, &plan->windows[i]);
		else
			window_emit(plan, i);
	}
	text_release(plan);
	return !is_full(plan);
}
