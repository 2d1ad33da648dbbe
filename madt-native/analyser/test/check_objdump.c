/*
 * Compares code maps with `objdump -d -M intel`, a disassembler of other hands. Within known
 * functions:
 *  - each instruction that objdump shows with a memory operand is an entry of that length, and of
 *    that size where objdump names one;
 *  - each entry starts where objdump has an instruction, or one byte behind a lock prefix;
 *  - each call is an entry with the flag, and a direct one has objdump's target.
 * Which functions are known is taken from `readelf` (FDEs and sized symbols), not from the library.
 */
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "map_file.h"

struct line {
	uint64_t address;
	unsigned length;
	bool lock;
	bool waits;
	char *text; /* "mov    rax,QWORD PTR [rcx]" */
};

struct tally {
	unsigned long instructions, operands, sizes, calls, entries, differences;
};

struct comparison {
	const char *path;
	struct map_file map;
	/*
	 * per address: 1 within a known function, 2 where objdump has an instruction, 4 behind a
	 * lock prefix
	 */
	uint8_t *known;
	size_t room;
	struct tally tally;
};

enum known { KNOWN_FUNCTION = 1, KNOWN_START = 2, KNOWN_UNLOCKED = 4 };

static FILE *command_open(const char *format, const char *path)
{
	char command[600];
	snprintf(command, sizeof command, format, path);
	FILE *output = popen(command, "r");
	if (!output) {
		perror(command);
		exit(1);
	}
	return output;
}

static void command_close(FILE *output, const char *what)
{
	if (pclose(output) != 0) {
		fprintf(stderr, "%s failed\n", what);
		exit(1);
	}
}

static void range_note(struct comparison *comparison, uint64_t start, uint64_t end)
{
	if (end > start && end <= comparison->room)
		for (uint64_t at = start; at < end; at++)
			comparison->known[at] |= KNOWN_FUNCTION;
}

/* "… FDE cie=… pc=0000000000028000..0000000000028710" */
static void unwind_note(struct comparison *comparison)
{
	char line[1000];
	unsigned long long start, end;
	FILE *output = command_open("LC_ALL=C readelf -wN --debug-dump=frames '%s' 2>/dev/null",
			comparison->path);
	while (fgets(line, sizeof line, output)) {
		const char *range = strstr(line, " FDE ") ? strstr(line, "pc=") : NULL;
		if (range && sscanf(range, "pc=%llx..%llx", &start, &end) == 2)
			range_note(comparison, start, end);
	}
	command_close(output, "readelf --debug-dump=frames");
}

/* "  1234: 0000000000028710   123 FUNC    GLOBAL DEFAULT   15 name" */
static void symbols_note(struct comparison *comparison)
{
	char line[4000], type[20], section[20], bytes[30];
	unsigned long long start;
	FILE *output = command_open("LC_ALL=C readelf -sW '%s'", comparison->path);
	while (fgets(line, sizeof line, output))
		if (sscanf(line, " %*d: %llx %29s %19s %*s %*s %19s", &start, bytes, type, section) == 4
				&& (strcmp(type, "FUNC") == 0 || strcmp(type, "IFUNC") == 0)
				&& strcmp(section, "UND") != 0 && start)
			range_note(comparison, start, start + strtoull(bytes, NULL, 0));
	command_close(output, "readelf -s");
}

/*
 * "   28710:\tf3 0f 1e fa          \tendbr64". What objdump calls fstcw, fstenv, … are two
 * instructions: fwait (9b), then the one that accesses memory.
 */
static bool line_parse(char *from, struct line *line)
{
	char *end;
	line->address = strtoull(from, &end, 16);
	if (end == from || *end != ':' || end[1] != '\t')
		return false;
	line->length = 0;
	line->waits = strncmp(end + 2, "9b ", 3) == 0;
	line->lock = strncmp(end + 2, "f0", 2) == 0;
	for (end += 2; isxdigit((unsigned char)end[0]) && isxdigit((unsigned char)end[1]); end += 3)
		line->length++;
	line->text = strchr(end, '\t');
	if (!line->text)
		return false;
	line->text++;
	line->text[strcspn(line->text, "#\n<")] = 0; /* comments and symbols are not operands */
	return true;
}

/* objdump writes prefixes without effect as words of their own. */
static const char *prefixes_skip(const char *text)
{
	static const char *const prefixes[] = { "cs ", "ds ", "data16 ", "bnd ", "notrack " };
	for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
		if (strncmp(text, prefixes[i], strlen(prefixes[i])) == 0)
			return prefixes_skip(text + strlen(prefixes[i]));
	return text;
}

static bool text_names_memory(const char *text)
{
	static const char *const others[] = { "lea ", "nop", "prefetch", "clflush", "clwb", "cldemote",
		"ud1", "(bad)" };
	text = prefixes_skip(text);
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		if (strncmp(text, others[i], strlen(others[i])) == 0)
			return false;
	return strchr(text, '[') || strstr(text, " PTR ") || strstr(text, "s:0x");
}

/* Returns what objdump calls it, in bytes; 0: no size, or one that depends on the context. */
static unsigned text_size(const char *text)
{
	static const struct {
		const char *name;
		unsigned bytes;
	} sizes[] = { { "XMMWORD PTR", 16 }, { "YMMWORD PTR", 32 }, { "ZMMWORD PTR", 64 },
		{ "TBYTE PTR", 10 }, { "QWORD PTR", 8 }, { "DWORD PTR", 4 }, { "BYTE PTR", 1 },
		{ "WORD PTR", 2 } };
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
		if (strstr(text, sizes[i].name))
			return sizes[i].bytes;
	return 0;
}

static void differ(struct comparison *comparison, const struct line *line, const char *what)
{
	if (comparison->tally.differences++ < 20)
		fprintf(stderr, "%s: 0x%llx %s: %s\n", comparison->path, (unsigned long long)line->address,
				line->text, what);
}

/* All elements of the operand that is written out; a masked one counts in full. */
static bool size_fits(const struct map_file *map, const struct madt_code_entry *entry,
		unsigned size)
{
	for (unsigned i = 0; i < entry->operands; i++) {
		const struct madt_code_operand *operand = &map->operands[entry->first_operand + i];
		if (operand->size == size
				|| (operand->shape >= MADT_SHAPE_MASKED
						&& operand->size * operand->elements == size))
			return true;
	}
	return false;
}

static void call_compare(struct comparison *comparison, const struct line *line,
		const struct madt_code_entry *entry)
{
	char *end;
	const char *operand = line->text + 4 + strspn(line->text + 4, " ");
	unsigned long long target = strtoull(operand, &end, 16);
	comparison->tally.calls++;
	if (!entry || !(entry->flags & MADT_CODE_CALL))
		differ(comparison, line, "no call in the map");
	else if (isxdigit((unsigned char)*operand) && end - operand > 3
			&& (!(entry->flags & MADT_CODE_CALL_DIRECT) || entry->target != target))
		differ(comparison, line, "another target in the map");
}

static void line_compare(struct comparison *comparison, const struct line *line)
{
	const struct madt_code_entry *entry = map_file_entry(&comparison->map, line->address);
	comparison->tally.instructions++;
	if (strncmp(line->text, "call ", 5) == 0)
		call_compare(comparison, line, entry);
	if (!text_names_memory(line->text))
		return;
	comparison->tally.operands++;
	unsigned size = text_size(line->text);
	if (!entry || entry->flags & MADT_CODE_GAP)
		differ(comparison, line, "no entry in the map");
	else if (entry->length != line->length)
		differ(comparison, line, "another length in the map");
	else if (size && !size_fits(&comparison->map, entry, size))
		differ(comparison, line, "another size in the map");
	comparison->tally.sizes += size != 0;
}

static void lines_compare(struct comparison *comparison)
{
	char bytes[4000];
	struct line line;
	FILE *output = command_open("LC_ALL=C objdump -d -w -M intel '%s'", comparison->path);
	while (fgets(bytes, sizeof bytes, output)) {
		if (!line_parse(bytes, &line) || line.address + 1 >= comparison->room)
			continue;
		comparison->known[line.address] |= KNOWN_START;
		if (line.lock)
			comparison->known[line.address + 1] |= KNOWN_UNLOCKED;
		if (line.waits && line.length > 1) {
			line.length--;
			comparison->known[++line.address] |= KNOWN_START;
		}
		if (comparison->known[line.address] & KNOWN_FUNCTION)
			line_compare(comparison, &line);
	}
	command_close(output, "objdump");
}

static void entries_compare(struct comparison *comparison)
{
	for (uint32_t i = 0; i < comparison->map.header->entries; i++) {
		const struct madt_code_entry *entry = &comparison->map.entries[i];
		const struct line line = { .address = entry->offset, .text = "entry" };
		if (entry->flags & MADT_CODE_GAP)
			continue;
		comparison->tally.entries++;
		if (!(comparison->known[entry->offset] & (KNOWN_START | KNOWN_UNLOCKED)))
			differ(comparison, &line, "no instruction of objdump's");
		else if (!(comparison->known[entry->offset] & KNOWN_FUNCTION))
			differ(comparison, &line, "within no function of readelf's");
	}
}

int main(int count, char **arguments)
{
	unsigned long differences = 0;
	for (int i = 2; i < count; i++) {
		struct comparison comparison = { .path = arguments[i],
			.map = map_file_make(arguments[i], arguments[1]) };
		const struct madt_codemap *header = comparison.map.header;
		comparison.room = 64u << 20;
		comparison.known = calloc(comparison.room, 1);
		if (!comparison.known || !header->entries
				|| comparison.map.entries[header->entries - 1].offset >= comparison.room) {
			fprintf(stderr, "%s: too large for this check\n", arguments[i]);
			return 1;
		}
		unwind_note(&comparison);
		symbols_note(&comparison);
		lines_compare(&comparison);
		entries_compare(&comparison);
		const struct tally *tally = &comparison.tally;
		printf("check_objdump: %s: %lu instructions, %lu memory operands (%lu with sizes), %lu "
			   "calls, %lu entries, "
			   "%lu differences\n",
				arguments[i], tally->instructions, tally->operands, tally->sizes, tally->calls,
				tally->entries, tally->differences);
		differences += tally->differences + (tally->operands == 0);
		free(comparison.known);
		free(comparison.map.header);
	}
	return count < 3 || differences != 0;
}
