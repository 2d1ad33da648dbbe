/*
 * Which functions a module has: one for each place where .eh_frame or a symbol says that one
 * begins. What .eh_frame says of its end counts more than a symbol's size, which may take in
 * constants. Entries of the PLT are none.
 */
#include "graph/graph.h"

/*
 * Returns where a function ends of which it is only known that it begins: with the last proven code
 * in front of the next one.
 */
static uint32_t open_end(const struct graph *graph, size_t next, uint32_t start)
{
	const struct plan_text *text = &graph->plan->text;
	const struct functions *functions = &text->functions;
	const uint32_t limit = next < functions->count ? functions->items[next].start : UINT32_MAX;
	uint32_t end = start;
	for (uint32_t at = start; at < limit && plan_text_holds(text, at); at++)
		end = text->marks[at - text->start] & MARK_PROVEN ? at + 1 : end;
	return end;
}

/* Joins what the rows from `first` to `next`, all of one start, say. */
static struct madt_graph_function rows_join(const struct graph *graph, size_t first, size_t next)
{
	const struct madt_code_function *rows = graph->plan->text.functions.items;
	struct madt_graph_function function = { .start = rows[first].start };
	uint32_t symbol_end = 0;
	for (size_t i = first; i < next; i++) {
		function.kinds |= rows[i].kinds;
		if (rows[i].kinds & MADT_FUNCTION_UNWIND && rows[i].end > function.end)
			function.end = rows[i].end;
		else if (!(rows[i].kinds & MADT_FUNCTION_STUB) && rows[i].end > symbol_end)
			symbol_end = rows[i].end;
	}
	if (!function.end)
		function.end = symbol_end;
	if (function.end <= function.start)
		function.end = open_end(graph, next, function.start);
	return function;
}

static bool is_function(const struct graph *graph, const struct madt_graph_function *function)
{
	const uint32_t told = MADT_FUNCTION_UNWIND | MADT_FUNCTION_SYMBOL | MADT_FUNCTION_START;
	return function->kinds & told && function->end > function->start
			&& plan_text_holds(&graph->plan->text, function->start);
}

static uint32_t unproven_count(const struct plan_text *text, uint32_t start, uint32_t end)
{
	uint32_t count = 0;
	for (uint32_t at = start; at < end && plan_text_holds(text, at); at++)
		count += !(text->marks[at - text->start] & (MARK_PROVEN | MARK_PADDING));
	return count;
}

bool graph_functions_add(struct graph *graph, uint32_t start, uint32_t end)
{
	const struct functions *functions = &graph->plan->text.functions;
	for (size_t first = 0, next; first < functions->count; first = next) {
		const uint32_t at = functions->items[first].start;
		for (next = first; next < functions->count && functions->items[next].start == at; next++)
			;
		if (at < start || at >= end)
			continue;
		struct madt_graph_function function = rows_join(graph, first, next);
		if (!is_function(graph, &function))
			continue;
		function.unproven = unproven_count(&graph->plan->text, function.start, function.end);
		if (!array_reserve(&graph->functions, &graph->function_capacity, graph->function_count,
					sizeof *graph->functions))
			return false;
		graph->functions[graph->function_count++] = function;
	}
	return true;
}
