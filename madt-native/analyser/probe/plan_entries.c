#include <stdlib.h>

#include "probe/plan.h"

void plan_entries_mark(struct plan *plan)
{
	const struct functions *functions = &plan->text.functions;
	for (size_t i = 0; i < functions->count; i++) {
		struct insn *insn = plan_entry(&plan->text, functions->items[i].start);
		if (insn && functions->items[i].kinds & MADT_FUNCTION_ENTRY)
			insn->entry = true;
	}
}

bool plan_entries_await(struct plan *plan)
{
	const struct functions *functions = &plan->text.functions;
	plan->awaited = malloc((functions->count + 1) * sizeof *plan->awaited);
	for (size_t i = 0; i < functions->count && plan->awaited; i++) {
		const struct insn *insn = plan_entry(&plan->text, functions->items[i].start);
		if (insn)
			plan->awaited[plan->awaited_count++] = insn->address;
	}
	return plan->awaited;
}

static int address_compare(const void *a, const void *b)
{
	const uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;
	return (left > right) - (left < right);
}

bool plan_leads_past(const struct plan *plan, const struct patch *patch)
{
	return patch->tactic == MADT_TACTIC_INT3
			&& (!plan->awaited_count
					|| !bsearch(&patch->address, plan->awaited, plan->awaited_count,
							sizeof *plan->awaited, address_compare));
}
