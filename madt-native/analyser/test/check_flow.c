/*
 * Compares control-flow graphs with `objdump -d` and `readelf`: check_flow GRAPH MODULE…
 *
 *  - each unwind range of .eh_frame is a function, and of at most 1 % of all functions it is said
 *    that no instrument can stand at their entries
 *  - blocks are made of objdump's instructions, the last one alone leads elsewhere, and no direct
 *    branch and no function leads into their midst
 *  - each of objdump's instructions in a function is in a block, but for padding
 *  - a block has the edges that its last instruction tells, and no other direct ones
 */
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "madt_graph.h"
#include "madtcode.h"
#include "map_file.h"

#define ROOM (1u << 26) /* addresses */

enum kind { OTHER, BRANCH, JUMP, JUMP_INDIRECT, CALL, CALL_INDIRECT, RETURN, STOP };

struct line {
	uint32_t target;
	uint8_t length; /* 0: no instruction of objdump's begins here */
	uint8_t kind;
	bool nop;
	bool entered; /* a direct branch leads here, or a function begins */
};

static struct line *lines;
static bool *covered;
static const char *path;
static const struct madt_graph *graph;
static const struct madt_graph_function *functions;
static const struct madt_graph_block *blocks;
static const struct madt_graph_edge *edges;
static unsigned failures, module_failures;
static unsigned long checked_blocks, checked_edges, ranges;

static void differ(uint32_t address, const char *what)
{
	module_failures++;
	if (failures++ < 20)
		fprintf(stderr, "%s: 0x%x: %s\n", path, address, what);
}

/* ---------------------------------------------------------------- objdump, readelf */

static void command_read(const char *command, void (*note)(char *line))
{
	char line[2000];
	snprintf(line, sizeof line, "LC_ALL=C %s '%s' 2>/dev/null", command, path);
	FILE *output = popen(line, "r");
	while (output && fgets(line, sizeof line, output))
		note(line);
	if (!output || pclose(output) < 0)
		exit(1);
}

static const char *prefixes_skip(const char *text)
{
	static const char *const prefixes[] = { "bnd ", "notrack ", "cs ", "ds ", "es ", "ss ",
		"data16 ", "addr32 ", "rex.W ", "rex ", "rex.B ", "rex.R ", "rex.X " };
	for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
		if (strncmp(text, prefixes[i], strlen(prefixes[i])) == 0)
			return prefixes_skip(text + strlen(prefixes[i]));
	return text;
}

static bool begins(const char *text, const char *word)
{
	const size_t length = strlen(word);
	return strncmp(text, word, length) == 0 && !isalnum((unsigned char)text[length]);
}

/* "jne    28717 <…>": its number, or 0. */
static uint32_t target_of(const char *text)
{
	const char *operand = text + strcspn(text, " ");
	operand += strspn(operand, " ");
	char *end;
	const unsigned long target = strtoul(operand, &end, 16);
	return end > operand && (*end == ' ' || *end == '\n') ? (uint32_t)target : 0;
}

static enum kind kind_of(const char *text, uint32_t target)
{
	if (begins(text, "jmp"))
		return target ? JUMP : JUMP_INDIRECT;
	if (begins(text, "call"))
		return target ? CALL : CALL_INDIRECT;
	if (*text == 'j' || strncmp(text, "loop", 4) == 0 || begins(text, "xbegin"))
		return BRANCH;
	if (begins(text, "ret") || begins(text, "repz ret"))
		return RETURN;
	if (begins(text, "ud2") || begins(text, "hlt") || begins(text, "ud1") || begins(text, "iretq"))
		return STOP;
	return OTHER;
}

/* "   28710:\t75 05                \tjne    28717 <…>" */
static void instruction_note(char *from)
{
	char *end;
	const unsigned long address = strtoul(from, &end, 16);
	if (end == from || *end != ':' || end[1] != '\t' || address + 16 >= ROOM)
		return;
	const char *bytes = end + 2;
	unsigned length = 0;
	for (const char *at = bytes; isxdigit((unsigned char)at[0]) && isxdigit((unsigned char)at[1]);
			at += 3)
		length++;
	const char *text = strchr(bytes, '\t');
	if (!text || strstr(text, "(bad)"))
		return;
	text = prefixes_skip(text + 1);
	struct line line = { .length = (uint8_t)length, .target = target_of(text) };
	line.kind = (uint8_t)kind_of(text, line.target);
	line.nop = strncmp(text, "nop", 3) == 0 || strncmp(text, "xchg   ax,ax", 12) == 0;
	const bool waits = strncmp(bytes, "9b ", 3) == 0 && length > 1;
	line.entered = lines[address].entered;
	lines[address] = line;
	if (waits || strncmp(bytes, "f0 ", 3) == 0) { /* what is behind is an instruction, too */
		lines[address].length = waits ? 1 : lines[address].length;
		lines[address + 1] = (struct line){ .length = (uint8_t)(length - 1) };
	}
	if (line.target && line.target < ROOM && line.kind != OTHER)
		lines[line.target].entered = true;
}

static bool is_function(uint32_t start, uint32_t end)
{
	uint32_t from = 0, to = graph->functions;
	while (from < to) {
		const uint32_t middle = from + (to - from) / 2;
		if (functions[middle].start < start)
			from = middle + 1;
		else
			to = middle;
	}
	return from < graph->functions && functions[from].start == start && functions[from].end == end;
}

/* "00000018 … FDE cie=00000000 pc=0000000000001020..0000000000001040" */
static void range_note(char *line)
{
	unsigned long start, end;
	const char *from = strstr(line, " FDE ") ? strstr(line, " pc=") : NULL;
	if (!from || sscanf(from, " pc=%lx..%lx", &start, &end) != 2 || start == end)
		return;
	ranges++;
	/* the range of a signal's return begins one byte before it */
	if (!is_function((uint32_t)start, (uint32_t)end) && lines[start].length)
		differ((uint32_t)start, "readelf has a function here");
	if (start < ROOM)
		lines[start].entered = true;
}

/* ---------------------------------------------------------------- comparing */

static bool has_edge(const struct madt_graph_block *block, uint32_t to, unsigned kind)
{
	for (unsigned i = 0; i < block->edges; i++)
		if (edges[block->first_edge + i].address == to && edges[block->first_edge + i].kind == kind)
			return true;
	return false;
}

static unsigned direct_edges(const struct madt_graph_block *block)
{
	unsigned count = 0;
	for (unsigned i = 0; i < block->edges; i++) {
		const unsigned kind = edges[block->first_edge + i].kind;
		count += kind == MADT_GRAPH_TO_NEXT || kind == MADT_GRAPH_TO_TARGET
				|| kind == MADT_GRAPH_TO_CALLED || kind == MADT_GRAPH_TO_RETURN;
	}
	return count;
}

/* Returns whether there is an instruction of the function behind. */
static bool goes_on(const struct madt_graph_function *function, uint32_t address)
{
	return address < function->end && lines[address].length;
}

static void edges_check(const struct madt_graph_function *function,
		const struct madt_graph_block *block, const struct line *last)
{
	unsigned wanted = 0;
	bool good = true;
	if (last->kind == BRANCH || last->kind == JUMP) {
		good &= has_edge(block, last->target, MADT_GRAPH_TO_TARGET);
		wanted++;
	}
	if (last->kind == CALL) {
		good &= has_edge(block, last->target, MADT_GRAPH_TO_CALLED);
		wanted++;
	}
	if ((last->kind == CALL || last->kind == CALL_INDIRECT) && goes_on(function, block->end)) {
		good &= has_edge(block, block->end, MADT_GRAPH_TO_RETURN);
		wanted++;
	}
	if (last->kind == BRANCH || last->kind == OTHER) {
		const bool there = lines[block->end].length;
		good &= has_edge(block, block->end, MADT_GRAPH_TO_NEXT) || !there;
		wanted += there;
	}
	checked_edges += wanted;
	if (!good || direct_edges(block) != wanted)
		differ(block->end - block->last, "other edges than objdump's");
}

static void block_check(const struct madt_graph_function *function,
		const struct madt_graph_block *block)
{
	uint32_t at = block->start;
	checked_blocks++;
	while (at < block->end) {
		const struct line *line = &lines[at];
		const bool last = at == block->end - block->last;
		covered[at] = true;
		if (!line->length || at + line->length > block->end) {
			differ(at, "no instruction of objdump's, or none that ends with its block");
			return;
		}
		if (at > block->start && line->entered)
			differ(at, "something leads to the midst of a block");
		if (!last && line->kind != OTHER)
			differ(at, "a block goes on behind what leads elsewhere");
		if (last)
			edges_check(function, block, line);
		at += line->length;
	}
}

/* Nobody comes to padding, and no block has it. */
static void cover_check(const struct madt_graph_function *function)
{
	for (uint32_t at = function->start; at < function->end;) {
		const struct line *line = &lines[at];
		if (line->length && !covered[at] && !line->nop && line->entered)
			differ(at, "in no block");
		at += line->length ? line->length : 1;
	}
}

static void functions_check(void)
{
	unsigned without = 0;
	for (uint32_t i = 0; i < graph->functions; i++)
		for (uint32_t k = 0; k < functions[i].blocks; k++)
			block_check(&functions[i], &blocks[functions[i].first_block + k]);
	for (uint32_t i = 0; i < graph->functions; i++) {
		cover_check(&functions[i]);
		without += functions[i].reason != MADT_GRAPH_POSSIBLE
				&& functions[i].reason != MADT_GRAPH_NO_ROOM;
	}
	if (without * 100 > graph->functions)
		differ(without, "so many functions have no place for an instrument");
}

static void module_check(const char *graph_path)
{
	char error[300];
	size_t size;
	memset(lines, 0, ROOM * sizeof *lines);
	memset(covered, 0, ROOM);
	checked_blocks = checked_edges = ranges = 0;
	module_failures = 0;
	if (madtcode_graph(path, graph_path, MADTCODE_GRAPH_ALL, 0, error, sizeof error) != 0) {
		fprintf(stderr, "%s\n", error);
		exit(1);
	}
	graph = (const void *)file_bytes(graph_path, &size);
	functions = (const void *)(graph + 1);
	blocks = (const void *)(functions + graph->functions);
	edges = (const void *)(blocks + graph->blocks);
	command_read("objdump -d -w -M intel", instruction_note);
	command_read("readelf -wN --debug-dump=frames", range_note);
	functions_check();
	printf("check_flow: %s: %u functions for %lu unwind ranges, %lu blocks, %lu direct edges; %u "
		   "failed\n",
			path, graph->functions, ranges, checked_blocks, checked_edges, module_failures);
	failures += !ranges || !checked_edges;
	free((void *)graph);
}

int main(int count, char **arguments)
{
	lines = malloc(ROOM * sizeof *lines);
	covered = malloc(ROOM);
	if (count < 3 || !lines || !covered)
		return 2;
	for (int i = 2; i < count; i++) {
		path = arguments[i];
		module_check(arguments[1]);
	}
	return failures != 0;
}
