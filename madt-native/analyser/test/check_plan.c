/*
 * What must hold for the plan of any module, checked with `objdump -d`, a disassembler of other
 * hands:
 *  - each patch covers whole instructions; at each instruction within one there is an entry, and a
 *    byte that traps;
 *  - no direct branch leads into a patch but to its start;
 *  - each instruction of a known function that the code map says accesses memory has its words in a
 *    record, as many as it has elements, and lies in a patch;
 *  - two plans of one file are equal; the share of int3 stays small.
 * Prints how sites are reached, how large the plan is and how long it took.
 */
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "madtcode.h"
#include "map_file.h"
#include "plan_arrays.h"

#define ROOM (1u << 25) /* addresses */

enum seen { SEEN_START = 1, SEEN_TARGET = 2, SEEN_ENTRY = 4, SEEN_PATCH = 8, SEEN_PADDING = 16 };

struct plan_file {
	const struct madt_plan *header;
	const struct madt_plan_patch *patches;
	const struct madt_plan_entry *entries;
	const struct madt_plan_springboard *springboards;
	size_t size;
	double seconds;
};

static uint8_t *seen;    /* per address, enum seen */
static uint8_t *written; /* per address, what patches make of it */
static uint8_t *word_counts;
static const char *path;
static unsigned failures;

static void differ(uint32_t address, const char *what)
{
	if (failures++ < 20)
		fprintf(stderr, "%s: 0x%x: %s\n", path, address, what);
}

static struct plan_file plan_make(const char *plan_path, unsigned variant, unsigned flags)
{
	char error[300];
	struct timespec start, end;
	struct plan_file plan;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &start);
	int code = madtcode_plan(path, plan_path, variant, flags, error, sizeof error);
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
	if (code != 0 || madtcode_plan_check(plan_path, NULL, 0, error, sizeof error) != 0) {
		fprintf(stderr, "%s\n", error);
		exit(1);
	}
	const uint8_t *bytes = file_bytes(plan_path, &plan.size);
	plan.header = (const void *)bytes;
	plan.patches = plan_patches(bytes, plan.header->patches);
	plan.entries = plan_entries(bytes, plan.header->entries);
	plan.springboards = (const void *)(bytes + plan.header->springboards.offset);
	plan.seconds = (double)(end.tv_sec - start.tv_sec)
			+ (double)(end.tv_nsec - start.tv_nsec) / 1e9;
	return plan;
}

/* ---------------------------------------------------------------- objdump */

/* "   28710:\t75 05                \tjne    28717 <…>" */
static void line_note(char *line)
{
	char *end;
	uint64_t address = strtoull(line, &end, 16);
	if (end == line || *end != ':' || address >= ROOM)
		return;
	char *text = strchr(end + 2, '\t');
	if (!text || strstr(text, "(bad)"))
		return;
	text++;
	seen[address] |= SEEN_START;
	if (strstr(text, "nop") || strncmp(text, "int3", 4) == 0
			|| strncmp(text, "xchg   ax,ax", 12) == 0)
		seen[address] |= SEEN_PADDING;
	bool branch = *text == 'j' || strncmp(text, "call", 4) == 0 || strncmp(text, "loop", 4) == 0;
	char *operand = strpbrk(text, " \t");
	if (!branch || !operand)
		return;
	uint64_t target = strtoull(operand, &end, 16);
	if (*end == ' ' && target < ROOM)
		seen[target] |= SEEN_TARGET;
}

static void disassembly_read(void)
{
	char line[600];
	snprintf(line, sizeof line, "LC_ALL=C objdump -d -M intel --wide '%s'", path);
	FILE *output = popen(line, "r");
	while (output && fgets(line, sizeof line, output))
		line_note(line);
	if (!output || pclose(output) != 0)
		exit(1);
}

/* ---------------------------------------------------------------- rules */

/* int3, or none in 64-bit mode (Intel SDM, volume 2, appendix A). */
static bool byte_traps(uint8_t byte)
{
	static const uint8_t none[] = { 0xcc, 0x06, 0x07, 0x0e, 0x16, 0x17, 0x1e, 0x1f, 0x27, 0x2f,
		0x37, 0x3f, 0x60, 0x61, 0x82, 0x9a, 0xce, 0xea };
	return memchr(none, byte, sizeof none);
}

/* Writes what the target would have in its memory, where it is patched. */
static void patches_write(const struct plan_file *plan)
{
	for (uint32_t i = 0; i < plan->header->patches.count; i++) {
		const struct madt_plan_patch *patch = &plan->patches[i];
		uint8_t *at = &written[patch->address];
		memset(at, 0xcc, patch->length);
		if (patch->length > 1)
			*at = patch->tactic == MADT_TACTIC_NEAR ? 0xeb : 0xe9;
		memcpy(at + 1, &patch->relative, patch->length == 1 ? 0 : *at == 0xeb ? 1 : 4);
	}
	for (uint32_t i = 0; i < plan->header->springboards.count; i++) {
		written[plan->springboards[i].address] = 0xe9;
		memcpy(&written[plan->springboards[i].address + 1], &plan->springboards[i].relative, 4);
	}
}

/* Without an entry only what stands behind a return or a jump: it is never reached. */
static void patch_check(const struct madt_plan_patch *patch)
{
	uint8_t *marks = &seen[patch->address];
	/* or behind a lock prefix */
	if (!(marks[0] & SEEN_START) && !(patch->address && marks[-1] & SEEN_START))
		differ(patch->address, "a patch where no instruction starts");
	for (uint32_t i = 0; i < patch->length; i++) {
		marks[i] |= SEEN_PATCH;
		if (i && marks[i] & SEEN_TARGET)
			differ(patch->address + i, "a branch leads into a patch");
		if (i && marks[i] & SEEN_START && !(marks[i] & (SEEN_ENTRY | SEEN_PADDING)))
			differ(patch->address + i, "an instruction within a patch, but no entry");
		if (i && marks[i] & SEEN_ENTRY && !byte_traps(written[patch->address + i]))
			differ(patch->address + i, "an entry that does not trap");
	}
}

/* A short jump leads to each, and no instruction of the module. */
static void springboard_check(const struct madt_plan_springboard *springboard)
{
	const uint8_t *from = &written[springboard->patch];
	if (*from != 0xeb || springboard->patch + 2 + (uint32_t)(int8_t)from[1] != springboard->address)
		differ(springboard->patch, "a short jump that leads elsewhere than to its springboard");
	for (unsigned i = 0; i < 5; i++)
		if (!(seen[springboard->address + i] & SEEN_PATCH))
			differ(springboard->address + i, "a springboard outside all patches");
	if (seen[springboard->address] & SEEN_ENTRY)
		differ(springboard->address, "a springboard where an instruction starts");
}

static void patches_check(const struct plan_file *plan)
{
	patches_write(plan);
	for (uint32_t i = 0; i < plan->header->entries.count; i++)
		seen[plan->entries[i].address] |= SEEN_ENTRY;
	for (uint32_t i = 0; i < plan->header->patches.count; i++)
		patch_check(&plan->patches[i]);
	for (uint32_t i = 0; i < plan->header->springboards.count; i++)
		springboard_check(&plan->springboards[i]);
	for (uint32_t i = 0; i < plan->header->entries.count; i++)
		if (!(seen[plan->entries[i].address] & SEEN_PATCH))
			differ(plan->entries[i].address, "an entry outside all patches");
}

static unsigned words_wanted(const struct map_file *map, const struct madt_code_entry *entry,
		unsigned flags)
{
	unsigned words = 0;
	for (unsigned i = 0; i < entry->operands; i++) {
		const struct madt_code_operand *operand = &map->operands[entry->first_operand + i];
		if (operand->segment == MADT_SEGMENT_NONE
						? flags & MADT_PLAN_STACK || !(operand->flags & MADT_OPERAND_STACK)
						: flags & MADT_PLAN_TLS && operand->segment == MADT_SEGMENT_FS)
			words += operand->elements;
	}
	return words;
}

/*
 * The code map has the instruction behind any lock prefix too, in case the prefix is jumped over; a
 * plan only if it is.
 */
static bool follows_lock(const struct map_file *map, const struct madt_code_entry *entry)
{
	return entry > map->entries && entry[-1].offset + 1 == entry->offset
			&& entry[-1].length == entry->length + 1;
}

/* Each site begins a record, at its own words. */
static void words_check(const struct plan_file *plan, const struct map_file *map, unsigned flags)
{
	unsigned missing = 0;
	memset(word_counts, 0, ROOM);
	struct madt_plan_templates templates = plan_templates(plan->header);
	while (madt_plan_templates_next(&templates)) {
		const struct madt_plan_word *word = templates.word;
		unsigned count = 0;
		while (count < templates.now.words && word[count].address == word->address)
			count++;
		word_counts[word->address] = (uint8_t)count;
	}
	for (uint32_t i = 0; i < map->header->entries; i++) {
		const struct madt_code_entry *entry = &map->entries[i];
		unsigned words = words_wanted(map, entry, flags);
		if (!words || entry->flags & MADT_CODE_GAP || follows_lock(map, entry))
			continue;
		missing += word_counts[entry->offset] == 0;
		if (word_counts[entry->offset]
				&& (word_counts[entry->offset] != words || !(seen[entry->offset] & SEEN_PATCH)))
			differ(entry->offset, "a site with other words, or without patch");
	}
	if (missing > plan->header->sites_left + plan->header->sites_unproven)
		differ(missing, "so many sites of known functions are missing");
}

static void plans_compare(const struct plan_file *plan, const char *plan_path, unsigned variant,
		unsigned flags)
{
	struct plan_file again = plan_make(plan_path, variant, flags);
	if (again.size != plan->size || memcmp(again.header, plan->header, again.size) != 0)
		differ(0, "two plans of one file differ");
	free((void *)again.header);
}

static void plan_print(const struct plan_file *plan)
{
	const uint32_t *sites = plan->header->sites;
	uint32_t all = 0;
	for (unsigned i = 0; i < MADT_TACTICS; i++)
		all += sites[i];
	double percent = all ? 100.0 / all : 0;
	printf("%-50s %s%s %7u sites: plain %4.1f forward %4.1f backward %3.1f near %3.1f int3 %4.2f "
		   "step %3.1f; "
		   "%.2f words a record; %4.1f MB, "
		   "%.2f s\n",
			path,
			plan->header->variant == MADT_PLAN_BELOW           ? "below"
					: plan->header->variant == MADT_PLAN_ABOVE ? "above"
															   : "far",
			plan->header->flags & MADT_PLAN_STACK         ? "+stack"
					: plan->header->flags & MADT_PLAN_TLS ? "+tls"
														  : "",
			all, sites[0] * percent, sites[1] * percent, sites[2] * percent, sites[3] * percent,
			sites[4] * percent, sites[5] * percent,
			(double)plan->header->words.count / plan->header->templates.count,
			(double)plan->size / 1e6, plan->seconds);
	if (sites[MADT_TACTIC_INT3] * percent > 2)
		differ(sites[MADT_TACTIC_INT3], "too many sites of int3");
}

static void module_check(const char *plan_path, unsigned variant, unsigned flags)
{
	memset(seen, 0, ROOM);
	disassembly_read();
	struct map_file map = map_file_make(path, plan_path);
	struct plan_file plan = plan_make(plan_path, variant, flags);
	patches_check(&plan);
	words_check(&plan, &map, flags);
	plans_compare(&plan, plan_path, variant, flags);
	plan_print(&plan);
	free((void *)plan.header);
	free(map.header);
}

int main(int count, char **arguments)
{
	seen = malloc(ROOM);
	word_counts = malloc(ROOM);
	written = malloc(ROOM);
	if (count < 3 || !seen || !word_counts || !written)
		return 2;
	for (int i = 2; i < count; i++) {
		path = arguments[i];
		module_check(arguments[1], MADT_PLAN_BELOW, 0);
	}
	path = arguments[2];
	module_check(arguments[1], MADT_PLAN_ABOVE, 0);
	module_check(arguments[1], MADT_PLAN_BELOW, MADT_PLAN_STACK);
	module_check(arguments[1], MADT_PLAN_BELOW, MADT_PLAN_TLS);
	module_check(arguments[1], MADT_PLAN_BELOW, MADT_PLAN_TLS | MADT_PLAN_KEPT);
	for (unsigned flags = 0; flags <= MADT_PLAN_STACK; flags += MADT_PLAN_STACK) {
		path = arguments[count - 1]; /* a small one: code that is dense fits least of all */
		module_check(arguments[1], MADT_PLAN_FAR, flags);
	}
	printf("check_plan: %u failed\n", failures);
	return failures != 0;
}
