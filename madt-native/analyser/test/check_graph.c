/*
 * Compares control-flow graphs with what runs: check_graph GRAPH STEPS [-s] PROGRAM ARGUMENTS…
 * executes the program step by step, up to so many, and wants for each step within it that leaves a block an edge of the
 * graph that allows it. What the program calls elsewhere runs at its own speed.
 *
 * With -s the program's functions are forms of switch (switches.c): each indirect jump that ran has
 * a table, which has no more targets than the function's name says.
 */
#include <elf.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include "madt_graph.h"
#include "madtcode.h"
#include "map_file.h"
#include "plan_arrays.h"

static const struct madt_graph *graph;
static const struct madt_graph_function *functions;
static const struct madt_graph_block *blocks;
static const struct madt_graph_edge *edges;
static uint32_t
		*block_of_last;    /* per byte of the text: 1 + a block whose last instruction this is */
static uint32_t *start_of; /* likewise, that begins here */
static uint8_t *ran;       /* per block */
static uint32_t low, high; /* of the text */
static const uint8_t *file;
static const char *path;
static unsigned failures;
static unsigned long most, steps, left, tables;

static void differ(uint32_t from, uint32_t to, const char *what)
{
	if (failures++ < 20)
		fprintf(stderr, "%s: 0x%x to 0x%x: %s\n", path, from, to, what);
}

/* ---------------------------------------------------------------- the graph */

static void graph_read(const char *graph_path)
{
	char error[300];
	size_t size;
	if (madtcode_graph(path, graph_path, MADTCODE_GRAPH_ALL, 0, error, sizeof error) != 0) {
		fprintf(stderr, "%s\n", error);
		exit(1);
	}
	graph = (const void *)file_bytes(graph_path, &size);
	functions = (const void *)(graph + 1);
	blocks = (const void *)(functions + graph->functions);
	edges = (const void *)(blocks + graph->blocks);
	low = UINT32_MAX;
	for (uint32_t i = 0; i < graph->blocks; i++) {
		low = blocks[i].start < low ? blocks[i].start : low;
		high = blocks[i].end > high ? blocks[i].end : high;
	}
	block_of_last = calloc(high - low + 1, sizeof *block_of_last);
	start_of = calloc(high - low + 1, sizeof *start_of);
	ran = calloc(graph->blocks, 1);
	for (uint32_t i = 0; i < graph->blocks; i++) {
		block_of_last[blocks[i].end - blocks[i].last - low] = i + 1;
		start_of[blocks[i].start - low] = i + 1;
	}
}

static bool is_here(uint64_t address)
{
	return address >= low && address < high;
}

static bool leads(const struct madt_graph_block *block, uint32_t to)
{
	for (unsigned i = 0; i < block->edges; i++) {
		const struct madt_graph_edge *edge = &edges[block->first_edge + i];
		if (edge->kind == MADT_GRAPH_TO_UNKNOWN ? block->ends == MADT_GRAPH_JUMP_INDIRECT
								|| block->ends == MADT_GRAPH_CALL_INDIRECT
												: edge->address == to)
			return true;
	}
	return false;
}

/* From an instruction of the program to the next one that ran, wherever it is. */
static void step_check(uint32_t from, uint64_t to)
{
	const uint32_t number = block_of_last[from - low];
	if (!number) {
		if (is_here(to) && start_of[to - low])
			differ(from, (uint32_t)to, "a block begins here, and none ends in front");
		return;
	}
	const struct madt_graph_block *block = &blocks[number - 1];
	ran[number - 1] = 1;
	left++;
	if (!is_here(to) || block->ends == MADT_GRAPH_RETURN)
		return;
	if (!start_of[to - low])
		differ(from, (uint32_t)to, "control comes to the midst of a block");
	else if (!leads(block, (uint32_t)to))
		differ(from, (uint32_t)to, "no edge allows it");
}

/* ---------------------------------------------------------------- the program */

static uint64_t bias_of(pid_t pid)
{
	const Elf64_Ehdr *head = (const void *)file;
	char line[4400], name[40], real[4096];
	uint64_t bias = 0;
	snprintf(name, sizeof name, "/proc/%d/maps", (int)pid);
	FILE *maps = fopen(name, "r");
	if (!maps || !realpath(path, real))
		exit(1);
	while (head->e_type == ET_DYN && !bias && fgets(line, sizeof line, maps))
		if (strstr(line, real))
			bias = strtoull(line, NULL, 16);
	fclose(maps);
	return bias;
}

static bool goes_on(pid_t pid, int request, int *signal)
{
	int status;
	if (ptrace((enum __ptrace_request)request, pid, NULL, (void *)(long)*signal) != 0
			|| waitpid(pid, &status, 0) != pid || !WIFSTOPPED(status))
		return false;
	*signal = WSTOPSIG(status) == SIGTRAP ? 0 : WSTOPSIG(status);
	return true;
}

/* Runs to an address. False: the program has ended. */
static bool run_to(pid_t pid, uint64_t address)
{
	struct user_regs_struct registers;
	int signal = 0;
	const long word = ptrace(PTRACE_PEEKTEXT, pid, (void *)address, NULL);
	ptrace(PTRACE_POKETEXT, pid, (void *)address, (void *)((word & ~0xffl) | 0xcc));
	do
		if (!goes_on(pid, PTRACE_CONT, &signal))
			return false;
	while (signal);
	ptrace(PTRACE_POKETEXT, pid, (void *)address, (void *)word);
	ptrace(PTRACE_GETREGS, pid, NULL, &registers);
	registers.rip = address;
	ptrace(PTRACE_SETREGS, pid, NULL, &registers);
	return true;
}

/* A signal's handler may run in between: what it does is no step of the program's. */
static void follow(pid_t pid)
{
	struct user_regs_struct registers;
	const uint64_t bias = bias_of(pid);
	bool started = false;
	int signal = 0;
	if (!run_to(pid, ((const Elf64_Ehdr *)file)->e_entry + bias))
		return;
	ptrace(PTRACE_GETREGS, pid, NULL, &registers);
	for (uint64_t from = registers.rip - bias; steps < most; from = registers.rip - bias) {
		if (!goes_on(pid, PTRACE_SINGLESTEP, &signal))
			return;
		ptrace(PTRACE_GETREGS, pid, NULL, &registers);
		steps++;
		const uint64_t to = registers.rip - bias;
		if (is_here(from) && to != from && !signal)
			step_check((uint32_t)from, to);
		if (is_here(to))
			continue;
		/* __libc_start_main calls main, whose address it was given, and does not return */
		const uint64_t back = !started && is_here(registers.rdi - bias)
				? registers.rdi
				: (uint64_t)ptrace(PTRACE_PEEKDATA, pid, (void *)registers.rsp, NULL);
		started = true;
		if (is_here(back - bias) && !run_to(pid, back))
			return;
		ptrace(PTRACE_GETREGS, pid, NULL, &registers);
	}
}

static void program_run(char **arguments)
{
	const pid_t pid = fork();
	if (pid == 0) {
		if (!freopen("/dev/null", "r", stdin) || !freopen("/dev/null", "w", stdout))
			_exit(127);
		personality(ADDR_NO_RANDOMIZE);
		ptrace(PTRACE_TRACEME, 0, NULL, NULL);
		execv(path, arguments);
		_exit(127);
	}
	int status;
	if (waitpid(pid, &status, 0) != pid || !WIFSTOPPED(status))
		exit(1);
	follow(pid);
	kill(pid, SIGKILL);
}

/* ---------------------------------------------------------------- switches */

static void switch_check(const char *name, const struct madt_graph_block *block)
{
	const char *digits = strrchr(name, '_');
	const unsigned most = digits ? (unsigned)atoi(digits + 1) + 1 : 0;
	unsigned cases = 0;
	for (unsigned i = 0; i < block->edges; i++)
		cases += edges[block->first_edge + i].kind == MADT_GRAPH_TO_CASE;
	tables++;
	if (!cases)
		differ(block->start, 0, name);
	else if (cases > most) {
		fprintf(stderr, "%s: %u targets\n", name, cases);
		differ(block->start, 0, name);
	}
}

static void function_check(uint32_t start, const char *name)
{
	for (uint32_t i = 0; i < graph->functions; i++)
		for (uint32_t k = 0; functions[i].start == start && k < functions[i].blocks; k++) {
			const struct madt_graph_block *block = &blocks[functions[i].first_block + k];
			if (ran[functions[i].first_block + k] && block->ends == MADT_GRAPH_JUMP_INDIRECT)
				switch_check(name, block);
		}
}

static void switches_check(void)
{
	const Elf64_Ehdr *head = (const void *)file;
	const Elf64_Shdr *sections = (const void *)(file + head->e_shoff);
	for (unsigned i = 0; i < head->e_shnum; i++) {
		const Elf64_Sym *symbols = (const void *)(file + sections[i].sh_offset);
		if (sections[i].sh_type != SHT_SYMTAB)
			continue;
		const char *names = (const char *)file + sections[sections[i].sh_link].sh_offset;
		for (uint64_t k = 0; k < sections[i].sh_size / sizeof *symbols; k++)
			if (ELF64_ST_TYPE(symbols[k].st_info) == STT_FUNC)
				function_check((uint32_t)symbols[k].st_value, names + symbols[k].st_name);
	}
}

int main(int count, char **arguments)
{
	const bool forms = count > 3 && strcmp(arguments[3], "-s") == 0;
	size_t size;
	if (count < 4 + forms)
		return 2;
	most = strtoul(arguments[2], NULL, 0);
	path = arguments[3 + forms];
	file = file_bytes(path, &size);
	graph_read(arguments[1]);
	program_run(arguments + 3 + forms);
	if (forms)
		switches_check();
	printf("check_graph: %s: %lu steps, %lu from block to block, %lu tables; %u failed\n", path,
			steps, left, tables, failures);
	return failures != 0 || !left || (forms && tables < 15);
}
