/* The blocks of a function, as probes have them. */
#include "graph/graph.h"
#include "probe/plan_block.h"

static uint8_t end_of(const struct insn *insn)
{
	switch (insn->kind) {
	case INSN_CALL:
		return MADT_GRAPH_CALL;
	case INSN_CALL_INDIRECT:
		return MADT_GRAPH_CALL_INDIRECT;
	case INSN_JUMP_INDIRECT: /* or xabort, which goes on where nothing is to be aborted */
		return insn->flags & INSN_ENDS ? MADT_GRAPH_JUMP_INDIRECT : MADT_GRAPH_FALL;
	case INSN_RETURN:
		return MADT_GRAPH_RETURN;
	default:
		break;
	}
	if (insn->flags & INSN_BRANCHES)
		return insn->flags & INSN_ENDS ? MADT_GRAPH_JUMP : MADT_GRAPH_BRANCH;
	return insn->flags & INSN_ENDS ? MADT_GRAPH_STOP : MADT_GRAPH_FALL;
}

static bool block_add(struct graph *graph, struct madt_graph_function *function,
		const struct insn *first, const struct insn *last)
{
	const bool endbr = plan_is_endbr(&graph->plan->text, first->address);
	if (!array_reserve(&graph->blocks, &graph->block_capacity, graph->block_count,
				sizeof *graph->blocks))
		return false;
	graph->blocks[graph->block_count++] = (struct madt_graph_block){
		.start = first->address,
		.end = last->address + last->length,
		.ends = end_of(last),
		.probe = endbr && first != last ? first->length : 0,
		.last = last->length,
		.after = !insn_leads(last),
	};
	function->blocks++;
	return true;
}

/* Returns whether it is the last one of its block. With an endbr64 goes what follows it. */
static bool is_last(const struct plan_text *text, const struct insn *insn, uint32_t end)
{
	const uint32_t behind = insn->address + insn->length;
	const struct insn *next = plan_text_insn(text, behind);
	if (behind >= end)
		return true;
	if (plan_is_endbr(text, insn->address) && next == insn + 1)
		return block_is_joined(text, next);
	return block_ends(text, insn);
}

/* A function may end within an instruction, as its symbol has it: that one belongs to it. */
bool graph_blocks_add(struct graph *graph, struct madt_graph_function *function)
{
	const struct plan_text *text = &graph->plan->text;
	const struct insn *end = text->insns + text->count;
	const struct insn *insn = plan_text_insn(text, function->start);
	const struct insn *first = NULL;
	function->first_block = (uint32_t)graph->block_count;
	for (uint32_t at = function->start; !insn && at < function->end; at++)
		insn = plan_text_insn(text, at);
	for (; insn && insn < end && insn->address < function->end; insn++) {
		if (!first && (block_begins(text, insn) || insn->address == function->start))
			first = insn;
		if (!first || !is_last(text, insn, function->end))
			continue;
		if (!block_add(graph, function, first, insn))
			return false;
		first = NULL;
	}
	return true;
}

uint32_t graph_block_at(const struct graph *graph, const struct madt_graph_function *function,
		uint32_t address)
{
	const struct madt_graph_block *blocks = graph->blocks + function->first_block;
	uint32_t low = 0, high = function->blocks;
	while (low < high) {
		const uint32_t middle = low + (high - low) / 2;
		if (blocks[middle].start < address)
			low = middle + 1;
		else
			high = middle;
	}
	return low < function->blocks && blocks[low].start == address ? low : MADT_GRAPH_NONE;
}
