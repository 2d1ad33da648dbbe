/* Where control goes from each block of a function. */
#include "graph/graph.h"

struct edges {
	struct graph *graph;
	const struct madt_graph_function *function;
	struct madt_graph_block *block;
	bool full; /* no memory, or more than a block's number of them can tell */
};

static void edge_add(struct edges *edges, uint32_t address, enum madt_graph_edge_kind kind)
{
	struct graph *graph = edges->graph;
	if (edges->block->edges == UINT16_MAX
			|| !array_reserve(&graph->edges, &graph->edge_capacity, graph->edge_count,
					sizeof *graph->edges)) {
		edges->full = true;
		return;
	}
	graph->edges[graph->edge_count++] = (struct madt_graph_edge){ address,
		address ? graph_block_at(graph, edges->function, address) : MADT_GRAPH_NONE, kind };
	edges->block->edges++;
}

/* Adds the edge to what follows the block, if that is of the function. */
static void next_add(struct edges *edges, enum madt_graph_edge_kind kind)
{
	const uint32_t end = edges->block->end;
	const bool here = end < edges->function->end
			&& graph_block_at(edges->graph, edges->function, end) != MADT_GRAPH_NONE;
	if (here || (kind == MADT_GRAPH_TO_NEXT && plan_text_insn(&edges->graph->plan->text, end)))
		edge_add(edges, end, kind);
}

/* Each target once, in the order of the table. */
static void cases_add(struct edges *edges, const struct insn *insn)
{
	const struct plan_text *text = &edges->graph->plan->text;
	const struct jump_table table = plan_text_table(text, insn->address);
	for (uint32_t i = 0; i < table.count; i++) {
		bool known = false;
		for (uint32_t k = 0; k < i && !known; k++)
			known = table.targets[k] == table.targets[i];
		if (!known)
			edge_add(edges, table.targets[i], MADT_GRAPH_TO_CASE);
	}
	if (!table.count)
		edge_add(edges, 0, MADT_GRAPH_TO_UNKNOWN);
}

/* The ranges are in order, and those of one function do not overlap. */
static void pads_add(struct edges *edges)
{
	const struct plan_text *text = &edges->graph->plan->text;
	const struct madt_graph_block *block = edges->block;
	size_t low = 0, high = text->landing_count;
	uint32_t last = 0;
	while (low < high) {
		const size_t middle = low + (high - low) / 2;
		if (text->landings[middle].end <= block->start)
			low = middle + 1;
		else
			high = middle;
	}
	for (; low < text->landing_count && text->landings[low].start < block->end; low++)
		if (text->landings[low].pad != last) {
			last = text->landings[low].pad;
			edge_add(edges, last, MADT_GRAPH_TO_PAD);
		}
}

static void block_edges_add(struct edges *edges)
{
	const struct madt_graph_block *block = edges->block;
	const struct insn *last = plan_text_insn(&edges->graph->plan->text, block->end - block->last);
	switch (block->ends) {
	case MADT_GRAPH_FALL:
		next_add(edges, MADT_GRAPH_TO_NEXT);
		break;
	case MADT_GRAPH_BRANCH:
		edge_add(edges, last->target, MADT_GRAPH_TO_TARGET);
		next_add(edges, MADT_GRAPH_TO_NEXT);
		break;
	case MADT_GRAPH_JUMP:
		edge_add(edges, last->target, MADT_GRAPH_TO_TARGET);
		break;
	case MADT_GRAPH_JUMP_INDIRECT:
		cases_add(edges, last);
		break;
	case MADT_GRAPH_CALL:
		edge_add(edges, last->target, MADT_GRAPH_TO_CALLED);
		next_add(edges, MADT_GRAPH_TO_RETURN);
		break;
	case MADT_GRAPH_CALL_INDIRECT:
		edge_add(edges, 0, MADT_GRAPH_TO_UNKNOWN);
		next_add(edges, MADT_GRAPH_TO_RETURN);
		break;
	default:
		break;
	}
}

bool graph_edges_add(struct graph *graph, const struct madt_graph_function *function)
{
	struct edges edges = { .graph = graph, .function = function };
	for (uint32_t i = 0; i < function->blocks; i++) {
		edges.block = &graph->blocks[function->first_block + i];
		edges.block->first_edge = (uint32_t)graph->edge_count;
		block_edges_add(&edges);
		pads_add(&edges);
	}
	return !edges.full;
}
