/*
 * Which instructions have probes: for each kind the places at which it may stand, and of these the
 * ones that are chosen. A function is left at each return, and where it jumps to what records
 * nothing.
 */
#include <errno.h>

#include "probe/plan.h"
#include "probe/plan_block.h"

/* Returns whether a probe of this kind may stand at the instruction. */
static bool is_place(const struct plan_text *text, const struct insn *insn, unsigned kind)
{
	switch (kind) {
	case MADT_PROBE_ENTER:
		return insn->entry;
	case MADT_PROBE_LEAVE:
		return insn->kind == INSN_RETURN;
	case MADT_PROBE_BLOCK:
		return block_is_probed(text, insn);
	case MADT_PROBE_BLOCK_END:
		return block_ends(text, insn);
	case MADT_PROBE_SYSTEM_CALL:
		return insn->kind == INSN_SYSTEM;
	case MADT_PROBE_GONE:
		return insn->gone;
	case MADT_PROBE_HOOK: /* plan_hook.c */
		return false;
	default:
		return kind == MADT_PROBE_INSTRUCTION || kind == MADT_PROBE_INSTRUMENT;
	}
}

unsigned plan_place_roles(const struct plan *plan, const struct insn *insn)
{
	const struct plan_text *text = &plan->text;
	const bool goes_on = insn->kind == INSN_PLAIN && !insn_leads(insn);
	return (block_is_probed(text, insn) ? MADTCODE_BEGINS_BLOCK : 0u)
			| (block_ends(text, insn) ? MADTCODE_ENDS_BLOCK : 0u)
			| (insn->kind == INSN_RETURN ? MADTCODE_RETURNS : 0u)
			| (goes_on ? MADTCODE_GOES_ON : 0u);
}

bool plan_probe_fits(const struct plan *plan, const struct insn *insn, bool after)
{
	const bool goes_on = insn->kind == INSN_PLAIN && !insn_leads(insn);
	return !insn->step && plan_copies(plan, insn) && (goes_on || !after);
}

/* The words of the payload that add to counts: the last ones. */
static uint16_t counts_of(const struct madtcode_word *payload, uint32_t words)
{
	uint16_t counts = 0;
	while (counts < words && payload[words - counts - 1].kind == MADT_PAYLOAD_COUNT)
		counts++;
	return counts;
}

static bool probe_add(struct probes *probes, uint32_t address, const struct madtcode_choice *choice,
		const struct madtcode_probe *chosen)
{
	if (!array_reserve(&probes->items, &probes->capacity, probes->count, sizeof *probes->items))
		return false;
	struct probe *probe = &probes->items[probes->count++];
	const struct madtcode_word *guard = madtcode_words(choice) + chosen->word;
	const uint16_t guards = words_of_guard(guard, chosen->words);
	const uint16_t calls = words_of_calls(guard + guards, chosen->words - guards);
	const uint16_t counts = counts_of(guard, chosen->words);
	const uint32_t kind = chosen->kind == MADT_PROBE_GONE ? MADT_PROBE_LEAVE : chosen->kind;
	*probe = (struct probe){ address, (uint8_t)kind, chosen->after,
		(uint16_t)(chosen->words - guards - calls - counts), counts, guards, calls,
		guard + guards + calls, guard };
	probes->registers |= probe_registers(probe) || probe_calls(probe);
	return true;
}

/* The ranges of all kinds, in the order in which the probes of one instruction are recorded. */
struct cursors {
	struct choice_cursor items[2 * MADT_PROBE_KINDS];
	unsigned count;
};

static struct cursors cursors_of(const struct madtcode_choice *choice)
{
	struct cursors cursors = { .count = 0 };
	for (unsigned i = 0; i < 2 * MADT_PROBE_KINDS; i++) {
		const struct choice_cursor cursor = choice_cursor(choice, i / 2, i % 2);
		if (i / 2 != MADT_PROBE_ACCESS && cursor.at < cursor.end)
			cursors.items[cursors.count++] = cursor;
	}
	return cursors;
}

/* False: no memory. */
static bool insn_probe(struct plan *plan, struct insn *insn, struct cursors *cursors)
{
	const struct plan_text *text = &plan->text;
	bool left = false;
	for (unsigned i = 0; i < cursors->count; i++) {
		struct choice_cursor *cursor = &cursors->items[i];
		const struct madtcode_probe *chosen = choice_at(cursor, insn->address);
		if (!chosen || !is_place(text, insn, chosen->kind))
			continue;
		for (; chosen < cursor->end && chosen->start <= insn->address; chosen++) {
			if (!plan_probe_fits(plan, insn, chosen->after))
				left = true;
			else if (!probe_add(&plan->probes, insn->address, plan->options.choice, chosen))
				return false;
			else
				insn->probed = true;
		}
	}
	plan->header.sites_left += left;
	return true;
}

static bool has(const struct plan *plan, unsigned kind)
{
	const struct choice_cursor cursor = choice_cursor(plan->options.choice, kind, false);
	return cursor.at < cursor.end;
}

int plan_probes_find(struct plan *plan, const struct elf_file *file)
{
	struct cursors cursors = cursors_of(plan->options.choice);
	const bool enters = has(plan, MADT_PROBE_ENTER);
	int code = 0;
	if (plan->options.awaited && !plan_entries_await(plan))
		return ENOMEM;
	if (enters || has(plan, MADT_PROBE_BLOCK) || has(plan, MADT_PROBE_BLOCK_END))
		plan_entries_mark(plan);
	if (enters && !code)
		code = leaps_find(&plan->leaps, &plan->text, file, plan->options.choice);
	for (size_t i = 0; i < plan->text.count && cursors.count && !code; i++)
		if (!insn_probe(plan, &plan->text.insns[i], &cursors))
			code = ENOMEM;
	return code;
}

register_set plan_probes_need(const struct plan *plan, const struct insn *insn, bool after)
{
	const struct probe_list list = probes_of(&plan->probes, insn);
	register_set set = 0;
	for (size_t i = 0; i < list.count; i++)
		if (list.items[i].after == after)
			set |= probe_calls(&list.items[i]) ? REGISTERS_ALL : probe_registers(&list.items[i]);
	return set;
}

bool plan_probes_are(const struct plan *plan, const struct insn *insn, bool after)
{
	const struct probe_list list = probes_of(&plan->probes, insn);
	for (size_t i = 0; i < list.count; i++)
		if (list.items[i].after == after)
			return true;
	return false;
}
