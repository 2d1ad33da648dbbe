/*
 * Sums of the text of modules, made while the process still runs: libmadt.so compares the sum of
 * each module's text with that of its plan, and a process with much text would stand still for it.
 * What was summed is still what is there, as long as all of it is the file's: /proc/PID/pagemap
 * tells where the process has pages of its own instead. Of such modules, libmadt.so makes the sum
 * itself.
 */
#include "inject.h"

#include "madt_sum.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PAGE 4096ul
#define HEADERS_MOST 64
#define PART (MADT_SUM_BLOCK * 4096ul) /* bytes that are read at a time; parts of whole blocks */

struct module {
	char file[512];
	Elf64_Ehdr header;
	Elf64_Phdr segments[HEADERS_MOST];
	uintptr_t bias;
};

static bool module_read(pid_t pid, uintptr_t start, struct module *module)
{
	const Elf64_Ehdr *header = &module->header;

	if (!memory_read(pid, start, &module->header, sizeof *header)
			|| memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 || header->e_phnum > HEADERS_MOST
			|| !memory_read(pid, start + header->e_phoff, module->segments,
					header->e_phnum * sizeof *module->segments))
		return false;
	for (size_t i = 0; i < header->e_phnum; i++)
		if (module->segments[i].p_type == PT_LOAD) {
			module->bias = start - (module->segments[i].p_vaddr & ~(PAGE - 1));
			return !module->segments[i].p_offset;
		}
	return false;
}

static bool range_sum(pid_t pid, struct madt_sum *sum, uintptr_t start, size_t size)
{
	static uint8_t bytes[PART + 1]; /* a byte more is read */

	madt_sum_number(sum, size);
	for (size_t at = 0, part; at < size; at += part) {
		part = size - at < PART ? size - at : PART;
		if (!memory_read(pid, start + at, bytes, part))
			return false;
		madt_sum_add(sum, bytes, part);
	}
	return true;
}

/* False: it has no text, more parts than a module has, or some that cannot be read. */
static bool text_sum(pid_t pid, const struct module *module, struct text *text)
{
	struct madt_sum sum = madt_sum_begin(MADT_SUM_TEXT_KEY);

	text->count = 0;
	for (size_t i = 0; i < module->header.e_phnum; i++) {
		const Elf64_Phdr *segment = &module->segments[i];
		const uintptr_t start = module->bias + segment->p_vaddr;

		if (segment->p_type != PT_LOAD || !segment->p_filesz
				|| !madt_segment_stays(segment->p_flags))
			continue;
		if (text->count == TEXT_PARTS || !range_sum(pid, &sum, start, segment->p_filesz))
			return false;
		text->part[text->count++] = (struct text_part){ start, start + segment->p_filesz };
	}
	text->sum = madt_sum_end(&sum);
	return text->count;
}

/* proc(5): a module's first line has the begin of its file, which holds the headers; or the vDSO. */
static bool line_begins_module(const char *line, uintptr_t *start, char file[512])
{
	unsigned long offset;

	file[0] = 0;
	return sscanf(line, "%lx-%*x %*s %lx %*s %*s %511[^\n]", start, &offset, file) == 3 && !offset
			&& (file[0] == '/' || strcmp(file, "[vdso]") == 0);
}

void texts_sum(struct texts *texts, pid_t pid)
{
	static struct module module;
	FILE *maps = process_file(pid, "maps");
	char line[4096], file[512];
	uintptr_t start;

	texts->count = 0;
	while (maps && texts->count < MADT_ATTACH_TEXTS && fgets(line, sizeof line, maps)) {
		if (!line_begins_module(line, &start, file) || strcmp(file, module.file) == 0)
			continue;
		strcpy(module.file, file);
		if (module_read(pid, start, &module) && text_sum(pid, &module, &texts->text[texts->count]))
			texts->count++;
	}
	if (maps)
		fclose(maps);
}

static bool text_is_files(int pagemap, const struct text *text)
{
	struct pages pages = { 0 };

	for (size_t i = 0; i < text->count; i++) {
		const uintptr_t end = (text->part[i].end + PAGE - 1) / PAGE;

		for (uintptr_t page = text->part[i].start / PAGE; page < end; page++)
			if (pages_own(&pages, pagemap, page, end))
				return false;
	}
	return true;
}

uint32_t texts_still(const struct texts *texts, pid_t pid, struct madt_attach_text *to)
{
	uint32_t count = 0;
	int pagemap = pagemap_open(pid);

	for (size_t i = 0; i < texts->count; i++)
		if (text_is_files(pagemap, &texts->text[i]))
			to[count++] = (struct madt_attach_text){ texts->text[i].part[0].start,
				texts->text[i].sum };
	if (pagemap >= 0)
		close(pagemap);
	return count;
}
