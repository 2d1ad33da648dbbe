/*
 * Functions of a Go program, which has no .eh_frame and, where it is stripped, no symbols, but for
 * its own use a table of all functions: .gopclntab (runtime/symtab.go, moduledata and pcHeader, of
 * Go 1.18 and later).
 *
 *   0  magic   4: 0, 0, unit of code, bytes of a pointer   8: count   16: files
 *   24 begin of the text   32: names   40: …   64: table    distances from the header
 *   table: count * | begin, from the text's | where its description is |, and where the last ends
 *   description, from the table's begin: 37, of Go 1.20 and later 41: flags, 1: the outermost frame
 *   of a stack (abi.FuncFlagTopFrame)
 */
#include "elf/functions.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define MAGIC_1_18 0xfffffff0u
#define MAGIC_1_20 0xfffffff1u
#define HEADER 72u
#define COUNT_AT 8u
#define TEXT_AT 24u
#define TABLE_AT 64u
#define ROW 8u
#define FLAGS_1_18 37u
#define FLAGS_1_20 41u
#define OUTERMOST 1

/* In a program of another format, of an older Go, this is not there. */
static const Elf64_Shdr *section_find(const struct elf_file *file)
{
	static const char *const names[] = { ".gopclntab", ".data.rel.ro.gopclntab" };

	for (uint32_t i = 0; i < file->section_count; i++)
		for (size_t n = 0; n < sizeof names / sizeof *names; n++)
			if (strcmp(elf_file_section_name(file, &file->sections[i]), names[n]) == 0
					&& file->sections[i].sh_type == SHT_PROGBITS
					&& file->sections[i].sh_size >= HEADER)
				return &file->sections[i];
	return NULL;
}

static uint64_t number(const uint8_t *bytes, size_t size)
{
	uint64_t value = 0;

	memcpy(&value, bytes, size);
	return value;
}

/* A later Go leaves the begin of the text out: it is that of the section. */
static uint64_t text_start(const struct elf_file *file, uint64_t told)
{
	for (uint32_t i = 0; !told && i < file->section_count; i++)
		if (strcmp(elf_file_section_name(file, &file->sections[i]), ".text") == 0)
			return file->sections[i].sh_addr;
	return told;
}

/* In position-independent programs the loader writes the begin of the text, and the file has none. */
static int table_add(const struct elf_file *file, const Elf64_Shdr *section, const uint8_t *bytes,
		struct functions *functions)
{
	const uint32_t kinds = MADT_FUNCTION_SYMBOL | MADT_FUNCTION_WHOLE;
	const uint64_t magic = number(bytes, 4), count = number(bytes + COUNT_AT, 8),
				   table = number(bytes + TABLE_AT, 8),
				   text = text_start(file, number(bytes + TEXT_AT, 8));

	if (magic != MAGIC_1_18 && magic != MAGIC_1_20)
		return 0;
	if (table > section->sh_size || count >= (section->sh_size - table) / ROW)
		return failure_set(file->failure, EINVAL,
				"damaged: .gopclntab at byte %" PRIu64 " has %" PRIu64 " functions",
				section->sh_offset, count);
	for (uint64_t i = 0; i < count; i++) {
		const uint8_t *row = bytes + table + i * ROW;
		const uint64_t start = number(row, 4), end = number(row + ROW, 4),
					   flags = number(row + 4, 4) + (magic == MAGIC_1_18 ? FLAGS_1_18 : FLAGS_1_20);
		const bool outermost = flags < section->sh_size - table && bytes[table + flags] & OUTERMOST;

		if (end > start
				&& !functions_add(functions, text + start, end - start,
						kinds | (outermost ? MADT_FUNCTION_OUTERMOST : 0u), 0))
			return failure_set(file->failure, ENOMEM, "no memory for its .gopclntab");
	}
	return 0;
}

int go_functions_add(const struct elf_file *file, struct functions *functions)
{
	const Elf64_Shdr *section = section_find(file);
	int code = 0;
	uint8_t *bytes = section
			? elf_file_read(file, section->sh_offset, section->sh_size, ".gopclntab", &code)
			: NULL;

	if (bytes)
		code = table_add(file, section, bytes, functions);
	free(bytes);
	return code;
}
