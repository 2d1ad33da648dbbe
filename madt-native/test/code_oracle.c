/*
 * Compares code maps with `objdump -d`: every instruction that objdump shows with a memory operand must have an entry of the same
 * length, and every entry in a known function must be an instruction of objdump's. code_oracle FILE…: status 1 if one differs.
 */
#include "../code/madtcode.h"
#include "madt_layout.h"

#include <err.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct line {
	uint32_t address;
	bool memory;
};

static struct line *lines;
static size_t line_count, line_room;

/* Memory operands as objdump writes them; %st(1) is none, and what these mnemonics name is not accessed. */
static bool accesses_memory(const char *text)
{
	static const char *const none[] = {"lea ", "nop", "prefetch", "clflush", "clwb", "cldemote", "(bad)", "data16", "ud0", "ud1"};
	const char *bracket;

	for (size_t i = 0; i < sizeof none / sizeof *none; i++)
		if (strstr(text, none[i]))
			return false;
	for (bracket = strchr(text, '('); bracket; bracket = strchr(bracket + 1, '('))
		if (bracket - text < 3 || strncmp(bracket - 3, "%st", 3))
			return true;
	return strstr(text, "%fs:") || strstr(text, "%gs:");
}

static void read_objdump(const char *file)
{
	char command[600], text[1024];
	FILE *stream;

	snprintf(command, sizeof command, "objdump -d -w --no-show-raw-insn '%s'", file);
	stream = popen(command, "r");
	if (!stream)
		err(1, "objdump");
	line_count = 0;
	while (fgets(text, sizeof text, stream)) {
		char *end, *comment;
		unsigned long address = strtoul(text, &end, 16);

		if (end[0] != ':' || end[1] != '\t')
			continue;
		comment = strpbrk(end, "#<");
		if (comment)
			*comment = 0;
		if (line_count == line_room) {
			line_room = line_room ? line_room * 2 : 65536;
			lines = realloc(lines, line_room * sizeof *lines);
			if (!lines)
				err(1, "memory");
		}
		lines[line_count++] = (struct line){(uint32_t)address, accesses_memory(end + 2)};
	}
	pclose(stream);
}

static struct madt_codemap *read_map(const char *file)
{
	char path[] = "/tmp/madt-oracle-XXXXXX", error[512];
	int fd = mkstemp(path);
	struct madt_codemap head, *map;
	FILE *stream;

	if (fd < 0)
		err(1, "%s", path);
	close(fd);
	if (madtcode_build(file, path, error, sizeof error) || madtcode_check(path, NULL, 0, error, sizeof error))
		errx(1, "%s", error);
	stream = fopen(path, "rb");
	if (!stream || fread(&head, sizeof head, 1, stream) != 1)
		err(1, "%s", path);
	map = malloc(head.file_size);
	rewind(stream);
	if (!map || fread(map, head.file_size, 1, stream) != 1)
		err(1, "%s", path);
	fclose(stream);
	unlink(path);
	return map;
}

static int by_offset(const void *key, const void *element)
{
	uint32_t wanted = *(const uint32_t *)key, there = *(const uint32_t *)element;

	return wanted < there ? -1 : wanted > there;
}

static int differences(const char *file)
{
	struct madt_codemap *map = read_map(file);
	const struct madt_code_entry *entries = (const void *)(map + 1);
	unsigned compared = 0, missing = 0, wrong = 0;

	read_objdump(file);
	for (size_t i = 0; i + 1 < line_count; i++) {
		const struct madt_code_entry *entry;

		if (!lines[i].memory)
			continue;
		compared++;
		entry = bsearch(&lines[i].address, entries, map->entries, sizeof *entries, by_offset);
		if (!entry || (lines[i + 1].address - lines[i].address <= 15 &&
					entry->length != lines[i + 1].address - lines[i].address)) {
			if (!missing++)
				printf("%s: no entry, or another length, at %#x\n", file, lines[i].address);
		}
	}
	for (uint32_t i = 0; i < map->entries; i++) {
		uint32_t before = entries[i].offset - 1; /* behind a lock prefix */

		if (!(entries[i].flags & MADT_CODE_GAP) &&
			!bsearch(&entries[i].offset, lines, line_count, sizeof *lines, by_offset) &&
			!bsearch(&before, lines, line_count, sizeof *lines, by_offset) && !wrong++)
			printf("%s: objdump has no instruction at %#x\n", file, entries[i].offset);
	}
	printf("%s: %u instructions compared, %u missing, %u of %u entries unknown to objdump\n", file, compared,
		missing, wrong, map->entries);
	free(map);
	/* glibc's signal restorer is a function whose unwind range begins a byte early, on purpose: three entries behind it */
	return compared < 1000 || missing || wrong > 3;
}

int main(int argc, char **argv)
{
	int failed = argc < 2;

	for (int i = 1; i < argc; i++)
		failed |= differences(argv[i]);
	return failed;
}
