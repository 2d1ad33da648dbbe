#include "graph/graph.h"

#include <errno.h>
#include <stdlib.h>

#include "base/file_replace.h"
#include "elf/unwind.h"

/* What is asked for. */
struct request {
	uint32_t start; /* the functions that begin in this range */
	uint32_t end;
	bool text;
};

/* All accesses in the range are recorded, and there is an instrument at both ends of each block. */
struct instruments {
	struct madtcode_choice choice;
	struct madtcode_probe probes[3];
};

static int landing_compare(const void *a, const void *b)
{
	const struct landing *left = a;
	const struct landing *right = b;
	return (left->start > right->start) - (left->start < right->start);
}

/* The steps of a plan up to its patches. */
static int patches_make(struct plan *plan, const struct elf_file *file)
{
	struct plan_text *text = &plan->text;
	int code = plan_text_read(text, file, false, false);
	if (code)
		return code;
	if (text->landing_count)
		qsort(text->landings, text->landing_count, sizeof *text->landings, landing_compare);
	plan_sites_find(plan);
	code = plan_probes_find(plan, file);
	if (!code) {
		plan_overlaps_find(plan);
		code = plan_patches_choose(plan) && plan_springboards_choose(plan) ? 0 : ENOMEM;
	}
	return code == ENOMEM ? failure_set(file->failure, ENOMEM, "no memory for its graphs") : code;
}

/*
 * Adds what signal handlers return to (glibc's __restore_rt). The plan knows no function there: the
 * FDE of a signal frame begins one byte in front of its code.
 */
static bool restorer_take(void *context, const struct unwind_range *range)
{
	return !range->signal || range->covered <= 1
			|| functions_add(context, range->start + 1, range->covered - 1, MADT_FUNCTION_UNWIND,
					range->record);
}

static int restorers_add(struct plan *plan, const struct elf_file *file)
{
	struct functions *functions = &plan->text.functions;
	int code = unwind_each(file, restorer_take, functions);
	functions_sort(functions);
	return code;
}

static bool rows_make(struct graph *graph, const struct request *request)
{
	if (!graph_functions_add(graph, request->start, request->end))
		return false;
	for (size_t i = 0; i < graph->function_count; i++) {
		struct madt_graph_function *function = &graph->functions[i];
		if (!graph_blocks_add(graph, function))
			return false;
		graph_blocks_judge(graph, function);
		if (!graph_edges_add(graph, function)
				|| (request->text && !graph_text_add(graph, function)))
			return false;
	}
	return graph->block_count < MADT_GRAPH_NONE && graph->edge_count < MADT_GRAPH_NONE
			&& graph->text_count < UINT32_MAX;
}

static int rows_write(const struct graph *graph, const char *path, struct failure *failure)
{
	const struct madt_graph head = {
		.magic = MADT_GRAPH_MAGIC,
		.functions = (uint32_t)graph->function_count,
		.blocks = (uint32_t)graph->block_count,
		.edges = (uint32_t)graph->edge_count,
		.insns = (uint32_t)graph->insn_count,
		.text = (uint32_t)graph->text_count,
		.text_bytes = (uint32_t)graph->plan->text.text_bytes,
	};
	const struct file_part parts[] = {
		{ &head, sizeof head },
		{ graph->functions, graph->function_count * sizeof *graph->functions },
		{ graph->blocks, graph->block_count * sizeof *graph->blocks },
		{ graph->edges, graph->edge_count * sizeof *graph->edges },
		{ graph->insns, graph->insn_count * sizeof *graph->insns },
		{ graph->text, graph->text_count },
	};
	return file_replace(path, parts, sizeof parts / sizeof *parts, "control-flow graphs", failure);
}

static void graph_free(struct graph *graph)
{
	free(graph->functions);
	free(graph->blocks);
	free(graph->edges);
	free(graph->insns);
	free(graph->text);
}

static int graph_make(const struct elf_file *file, const char *out_path,
		const struct request *request)
{
	const struct instruments all = {
		{ .count = 3 },
		{ { .kind = MADT_PROBE_ACCESS, .end = UINT32_MAX },
				{ .kind = MADT_PROBE_BLOCK, .end = UINT32_MAX },
				{ .kind = MADT_PROBE_BLOCK_END, .end = UINT32_MAX } },
	};
	struct plan plan = { .options.choice = &all.choice };
	struct graph graph = { .plan = &plan };
	int code = patches_make(&plan, file);
	if (!code)
		code = restorers_add(&plan, file);
	if (!code && !rows_make(&graph, request))
		code = failure_set(file->failure, ENOMEM, "no memory for its graphs");
	if (!code)
		code = rows_write(&graph, out_path, file->failure);
	graph_free(&graph);
	plan_free(&plan);
	return code;
}

int madtcode_graph(const char *elf_path, const char *out_path, uint64_t range, unsigned text,
		char *error, size_t error_size)
{
	struct failure failure = { elf_path, error, error_size };
	const struct request request = { (uint32_t)range, (uint32_t)(range >> 32), text != 0 };
	struct elf_file file;
	int code = elf_file_open(&file, elf_path, &failure);
	if (!code)
		code = graph_make(&file, out_path, &request);
	elf_file_close(&file);
	return code;
}
