/*
 * Where blocks begin and end, decided anew from `objdump -d` and `readelf`, for any module:
 *
 *   an instruction begins a block   a direct branch leads there, or a function begins there; or what
 *                                   stands in front leads elsewhere, or is entered in its midst.
 *                                   Behind an endbr64 in its place
 *   or may begin one                an entry of a table, an address in the code or a relocation
 *                                   leads there, or a landing pad may be there: behind a call.
 *                                   Tables hold distances from themselves, or from an address of
 *                                   the code that is named near by
 *   it ends a block                 it leads elsewhere, or the next one begins a block
 *
 * A plan with a probe at each of them and at every instruction has exactly the first, some of the
 * second, and the ends that follow from these.
 */
#include <elf.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "madtcode.h"
#include "map_file.h"
#include "plan_arrays.h"

#define ROOM (1u << 25) /* addresses */
#define PARTS 4

enum seen {
	SEEN_START = 1,
	SEEN_TARGET = 2, /* of a direct branch, or a function */
	SEEN_LEADS = 4,  /* elsewhere */
	SEEN_STOPS = 8,  /* and never goes on */
	SEEN_NOP = 16,
	SEEN_ENDBR = 32,
	SEEN_MAYBE = 64,   /* something may lead here */
	SEEN_TABLE = 128,  /* its address is taken: perhaps a table */
	SEEN_BEGINS = 256, /* in the plan */
	SEEN_ENDS = 512,
	SEEN_PROBED = 1024
};

static uint16_t *seen;
static uint8_t *lengths;
static const char *path;
static unsigned failures;
static struct counts {
	unsigned instructions, begins, maybe, ends, lines;
} counts;

static void differ(uint32_t address, const char *what)
{
	if (failures++ < 20)
		fprintf(stderr, "%s: 0x%x: %s\n", path, address, what);
}

/* readelf fails where a module's debug file is missing, too. */
static void lines_read(const char *command, void (*note)(char *line))
{
	char line[900];
	unsigned count = 0;
	snprintf(line, sizeof line, "LC_ALL=C %s '%s' 2>/dev/null", command, path);
	FILE *output = popen(line, "r");
	for (; output && fgets(line, sizeof line, output); count++)
		note(line);
	if (!output || pclose(output) < 0 || !count)
		exit(1);
}

static void mark(uint64_t address, unsigned what)
{
	if (address < ROOM)
		seen[address] |= (uint16_t)what;
}

/* ---------------------------------------------------------------- objdump, readelf */

static bool is_any(const char *text, const char *const *words)
{
	for (; *words; words++)
		if (strncmp(text, *words, strlen(*words)) == 0)
			return true;
	return false;
}

/* "f3 0f 1e fa " */
static unsigned bytes_count(const char *bytes)
{
	unsigned count = 0;
	for (; strchr("0123456789abcdef", *bytes) && *bytes; bytes += 3)
		count++;
	return count;
}

static char *prefixes_skip(char *text)
{
	static const char *const prefixes[] = { "bnd ", "notrack ", "data16 ", "repz ", "cs ", "rex.W ",
		"ds ", NULL };
	while (is_any(text, prefixes))
		text = strchr(text, ' ') + 1;
	return text;
}

static void branch_note(const char *text)
{
	char *end;
	const char *operand = strpbrk(text, " \t");
	while (operand && (*operand == ' ' || *operand == '\t'))
		operand++;
	const uint64_t target = operand ? strtoull(operand, &end, 16) : 0;
	if (operand && end > operand && *end == ' ')
		mark(target, SEEN_TARGET);
}

/* "   28710:\t75 05                \tjne    28717 <…>"; its text, or NULL. */
static const char *instruction_of(char *line, uint64_t *address, char **end)
{
	*address = strtoull(line, end, 16);
	if (*end == line || **end != ':' || *address >= ROOM)
		return NULL;
	char *text = strchr(*end + 2, '\t');
	return text && !strstr(text, "(bad)") ? prefixes_skip(text + 1) : NULL;
}

/*
 * Notes where an instruction leads. In what objdump makes of data nobody comes: it has no probes,
 * nor the instruction in front.
 */
static void leads_note(char *line)
{
	static uint64_t before;
	char *end;
	uint64_t address;
	const char *text = instruction_of(line, &address, &end);
	if (!text)
		return;
	if (seen[address] & SEEN_LEADS && (seen[address] | seen[before]) & SEEN_PROBED)
		branch_note(text);
	before = address;
}

#define NEAR 60 /* instructions */
#define PAIRS 200000

/* Two addresses that the code names near each other: the second is perhaps the first one's base. */
static struct pair {
	uint32_t table, base;
} * pairs;
static unsigned pair_count;

/* Notes what an instruction names beside what others in front have named. */
static void named_note(uint64_t address)
{
	static struct {
		uint64_t address;
		unsigned line;
	} last[8];
	static unsigned next;
	for (unsigned i = 0; i < 8 && address < ROOM; i++)
		if (last[i].address && last[i].address < ROOM && pair_count + 2 <= PAIRS
				&& counts.lines - last[i].line < NEAR) {
			pairs[pair_count++] = (struct pair){ (uint32_t)address, (uint32_t)last[i].address };
			pairs[pair_count++] = (struct pair){ (uint32_t)last[i].address, (uint32_t)address };
		}
	last[next].address = address;
	last[next].line = counts.lines;
	next = (next + 1) % 8;
}

static void instruction_note(char *line)
{
	static const char *const leads[] = { "j", "call", "loop", "xbegin", "xabort", NULL };
	static const char *const stops[] = { "jmp", "ret", "ud2", "hlt", "int3", "iret", NULL };
	static const char *const nops[] = { "nop", "xchg   ax,ax", NULL };
	char *end, *taken = strstr(line, "# ");
	uint64_t address;
	const char *text = instruction_of(line, &address, &end);
	if (!text)
		return;
	lengths[address] = (uint8_t)bytes_count(end + 2);
	counts.lines++;
	mark(address, SEEN_START);
	if (is_any(text, leads))
		mark(address, SEEN_LEADS);
	if (is_any(text, stops))
		mark(address, SEEN_LEADS | SEEN_STOPS);
	if (is_any(text, nops))
		mark(address, SEEN_NOP);
	if (strncmp(text, "endbr64", 7) == 0)
		mark(address, SEEN_ENDBR);
	if (strncmp(text, "lea ", 4) == 0 && taken) {
		mark(strtoull(taken + 2, NULL, 16), SEEN_TABLE | SEEN_MAYBE);
		named_note(strtoull(taken + 2, NULL, 16));
	}
}

/* "00000018 … FDE cie=00000000 pc=0000000000001020..0000000000001040" */
static void range_note(char *line)
{
	const char *from = strstr(line, " pc=");
	if (strstr(line, " FDE ") && from)
		mark(strtoull(from + 4, NULL, 16), SEEN_TARGET);
}

/* "   12: 0000000000001139    22 FUNC    GLOBAL DEFAULT   14 main" */
static void symbol_note(char *line)
{
	unsigned long address;
	char type[20];
	if (sscanf(line, "%*u: %lx %*s %19s", &address, type) == 2
			&& (strcmp(type, "FUNC") == 0 || strcmp(type, "IFUNC") == 0))
		mark(address, SEEN_MAYBE);
}

/* "000000003db8  000000000008 R_X86_64_RELATIVE                    1130" */
static void relocation_note(char *line)
{
	unsigned long addend;
	char type[40];
	if (sscanf(line, "%*x %*x %39s %lx", type, &addend) == 2
			&& (strcmp(type, "R_X86_64_RELATIVE") == 0 || strcmp(type, "R_X86_64_IRELATIV") == 0))
		mark(addend, SEEN_MAYBE);
}

/* ---------------------------------------------------------------- tables in the file */

static const uint8_t *file_at(const uint8_t *bytes, uint64_t address, uint64_t *left)
{
	const Elf64_Ehdr *head = (const void *)bytes;
	const Elf64_Phdr *part = (const void *)(bytes + head->e_phoff);
	for (unsigned i = 0; i < head->e_phnum; i++)
		if (part[i].p_type == PT_LOAD && address - part[i].p_vaddr < part[i].p_filesz) {
			*left = part[i].p_filesz - (address - part[i].p_vaddr);
			return bytes + part[i].p_offset + (address - part[i].p_vaddr);
		}
	return NULL;
}

/* Differences of 32 bits from a base, as far as they lead to instructions. */
static void table_read(const uint8_t *bytes, uint32_t table, uint32_t base)
{
	uint64_t left;
	const uint8_t *at = file_at(bytes, table, &left);
	for (int32_t by; at && left >= sizeof by; at += sizeof by, left -= sizeof by) {
		memcpy(&by, at, sizeof by);
		const uint64_t target = (uint64_t)((int64_t)base + by);
		if (target >= ROOM || !(seen[target] & SEEN_START))
			return;
		mark(target, SEEN_MAYBE);
	}
}

static void tables_read(void)
{
	size_t size;
	uint8_t *bytes = file_bytes(path, &size);
	for (uint32_t at = 0; at < ROOM; at++)
		if (seen[at] & SEEN_TABLE)
			table_read(bytes, at, at);
	for (unsigned i = 0; i < pair_count; i++)
		if (seen[pairs[i].base] & SEEN_START && !(seen[pairs[i].table] & SEEN_START))
			table_read(bytes, pairs[i].table, pairs[i].base);
	free(bytes);
}

/* ---------------------------------------------------------------- the plan */

/* Of a part of the module's text: the areas of a small one have no room for all of it. */
static void plan_read(const char *plan_path, uint32_t start, uint32_t end)
{
	struct {
		struct madtcode_choice head;
		struct madtcode_probe probes[3];
	} choice = { { .count = 3 },
		{ { .kind = MADT_PROBE_BLOCK, .start = start, .end = end },
				{ .kind = MADT_PROBE_BLOCK_END, .start = start, .end = end },
				{ .kind = MADT_PROBE_INSTRUCTION, .start = start, .end = end } } };
	char error[300];
	size_t size;
	if (madtcode_plan_chosen(path, plan_path, &choice.head, error, sizeof error) != 0) {
		fprintf(stderr, "%s\n", error);
		exit(1);
	}
	const struct madt_plan *plan = (const void *)file_bytes(plan_path, &size);
	struct madt_plan_templates templates = plan_templates(plan);
	while (madt_plan_templates_next(&templates))
		mark(templates.word->address,
				templates.word->access == MADT_PROBE_BLOCK               ? SEEN_BEGINS
						: templates.word->access == MADT_PROBE_BLOCK_END ? SEEN_ENDS
																		 : SEEN_PROBED);
	free((void *)plan);
}

static void parts_read(const char *plan_path)
{
	uint32_t first = 1, last = ROOM - 1;
	while (first < last && !(seen[first] & SEEN_START))
		first++;
	while (last > first && !(seen[last] & SEEN_START))
		last--;
	for (uint32_t i = 0; i < PARTS; i++)
		plan_read(plan_path, first + (last - first + 1) / PARTS * i,
				i + 1 < PARTS ? first + (last - first + 1) / PARTS * (i + 1) : last + 1);
}

/* ---------------------------------------------------------------- comparing */

/* Returns whether a block begins at an instruction, behind another or none; an endbr64 counts. */
static bool begins(uint32_t at, uint32_t before)
{
	for (uint32_t i = before ? before + 1 : at; i <= at; i++)
		if (seen[i] & SEEN_TARGET)
			return true;
	return before && seen[before] & SEEN_LEADS
			&& !(seen[before] & SEEN_STOPS && seen[at] & SEEN_NOP);
}

static bool may_begin(uint32_t at, uint32_t before)
{
	return seen[at] & SEEN_MAYBE || !before || !(seen[before] & SEEN_PROBED);
}

static void instruction_check(uint32_t at, uint32_t before, uint32_t earlier)
{
	const bool shifted = before && seen[before] & SEEN_ENDBR;
	const bool must = begins(at, before) || (shifted && begins(before, earlier));
	const bool may = may_begin(at, before) || (shifted && may_begin(before, earlier));
	const bool does = seen[at] & SEEN_BEGINS;
	const uint32_t next = at + lengths[at];
	counts.instructions++;
	counts.begins += does;
	counts.maybe += does && !must;
	if (must && !does)
		differ(at, "a block begins here, and not in the plan");
	if (does && !must && !may)
		differ(at, "the plan has a block here that nothing leads to");
	const bool leads = seen[at] & SEEN_LEADS;
	const bool next_begins = begins(next, at) || seen[next] & SEEN_BEGINS;
	const bool ends = seen[at] & SEEN_ENDS;
	counts.ends += ends;
	if ((leads || next_begins) && !ends)
		differ(at, "a block ends here, and not in the plan");
	if (ends && !leads && !next_begins && seen[next] & SEEN_PROBED)
		differ(at, "the plan ends a block here, and the next one begins none");
}

static void module_check(const char *plan_path)
{
	memset(seen, 0, ROOM * sizeof *seen);
	memset(lengths, 0, ROOM);
	counts = (struct counts){ 0 };
	pair_count = 0;
	lines_read("objdump -d -M intel --wide", instruction_note);
	lines_read("readelf --wide --debug-dump=frames", range_note);
	lines_read("readelf --wide -s", symbol_note);
	lines_read("readelf --wide -r", relocation_note);
	tables_read();
	parts_read(plan_path);
	lines_read("objdump -d -M intel --wide", leads_note);
	uint32_t before = 0, earlier = 0;
	for (uint32_t at = 1; at < ROOM; at++) {
		if (!(seen[at] & SEEN_START))
			continue;
		if (before + lengths[before] != at)
			before = earlier = 0;
		if (seen[at] & SEEN_PROBED)
			instruction_check(at, before, earlier);
		earlier = before;
		before = at;
	}
	printf("%-50s %u instructions, %u blocks, %u of them by tables and addresses, %u ends\n", path,
			counts.instructions, counts.begins, counts.maybe, counts.ends);
}

int main(int count, char **arguments)
{
	seen = malloc(ROOM * sizeof *seen);
	lengths = malloc(ROOM + 16);
	pairs = malloc(PAIRS * sizeof *pairs);
	if (count < 3 || !seen || !lengths || !pairs)
		return 2;
	for (int i = 2; i < count; i++) {
		path = arguments[i];
		module_check(arguments[1]);
	}
	printf("check_blocks: %u failed\n", failures);
	return failures != 0;
}
