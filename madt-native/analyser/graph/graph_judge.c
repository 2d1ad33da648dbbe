/*
 * Whether instruments can stand in front of blocks and behind them: the plan has a probe at each,
 * and its patches say what became of it.
 */
#include "graph/graph.h"

/* The patch that an address lies in, or NULL. */
static const struct patch *patch_around(const struct plan *plan, uint32_t address)
{
	size_t low = 0, high = plan->patch_count;
	while (low < high) {
		const size_t middle = low + (high - low) / 2;
		if (plan->patches[middle].address <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low && address - plan->patches[low - 1].address < plan->patches[low - 1].length
			? &plan->patches[low - 1]
			: NULL;
}

static uint8_t reason_of(const struct plan *plan, const struct insn *insn, bool after)
{
	const struct plan_text *text = &plan->text;
	if (!insn)
		return MADT_GRAPH_UNPROVEN;
	if (plan_text_has(text, insn->address, insn->length, MARK_FROZEN))
		return MADT_GRAPH_FROZEN;
	if (plan_text_has(text, insn->address, insn->length, MARK_DATA))
		return MADT_GRAPH_DATA;
	if (insn->step)
		return MADT_GRAPH_STEP;
	if (!plan_probe_fits(plan, insn, after))
		return MADT_GRAPH_IN_PLACE;
	if (!insn->probed)
		return MADT_GRAPH_OVERLAPS;
	const struct patch *patch = patch_around(plan, insn->address);
	return patch && patch_jumps(patch) ? MADT_GRAPH_POSSIBLE : MADT_GRAPH_NO_ROOM;
}

void graph_blocks_judge(struct graph *graph, struct madt_graph_function *function)
{
	const struct plan *plan = graph->plan;
	struct madt_graph_block *blocks = graph->blocks + function->first_block;
	for (uint32_t i = 0; i < function->blocks; i++) {
		struct madt_graph_block *block = &blocks[i];
		const struct insn *first = plan_text_insn(&plan->text, block->start + block->probe);
		const struct insn *last = plan_text_insn(&plan->text, block->end - block->last);
		block->front = reason_of(plan, first, false);
		block->behind = reason_of(plan, last, block->after);
	}
	function->reason = plan_text_has(&plan->text, function->start, 1, MARK_DATA)
			? MADT_GRAPH_DATA
			: reason_of(plan, plan_entry(&plan->text, function->start), false);
}
