/* The graphs of a module in the making: rows as madt_graph.h has them. */
#ifndef MADT_GRAPH_MAKE_H
#define MADT_GRAPH_MAKE_H

#include "madt_graph.h"
#include "probe/plan.h"

struct graph {
	struct plan *plan; /* with its patches, as far as they are chosen */
	struct madt_graph_function *functions;
	size_t function_count;
	size_t function_capacity;
	struct madt_graph_block *blocks;
	size_t block_count;
	size_t block_capacity;
	struct madt_graph_edge *edges;
	size_t edge_count;
	size_t edge_capacity;
	struct madt_graph_insn *insns;
	size_t insn_count;
	size_t insn_capacity;
	char *text;
	size_t text_count;
	size_t text_capacity;
};

/* Each adds rows. False: no memory. */

/* The functions that begin in a range, without blocks. */
bool graph_functions_add(struct graph *graph, uint32_t start, uint32_t end);
/* The blocks of a function that was added; whether instruments can stand there; its edges. */
bool graph_blocks_add(struct graph *graph, struct madt_graph_function *function);
void graph_blocks_judge(struct graph *graph, struct madt_graph_function *function);
bool graph_edges_add(struct graph *graph, const struct madt_graph_function *function);
/* The text of its instructions. */
bool graph_text_add(struct graph *graph, const struct madt_graph_function *function);

/* The number, in its function, of the block that begins at an address, or MADT_GRAPH_NONE. */
uint32_t graph_block_at(const struct graph *graph, const struct madt_graph_function *function,
		uint32_t address);

#endif
