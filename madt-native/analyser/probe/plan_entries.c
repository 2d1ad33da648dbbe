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
