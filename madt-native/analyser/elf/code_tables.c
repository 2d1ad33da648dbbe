#include "elf/code_tables.h"

#include <stdlib.h>
#include <string.h>

#define ENTRIES_MAX 8192 /* of one table */

/* The bytes from an address to the end of its segment, or NULL. */
static const uint8_t *bytes_at(struct code_tables *tables, uint64_t address, uint64_t *size)
{
	const Elf64_Phdr *segment = elf_file_segment_at(tables->file, address);
	if (!segment)
		return NULL;
	if (segment != tables->segment) {
		free(tables->bytes);
		tables->bytes = elf_file_read(tables->file, segment->p_offset, segment->p_filesz,
				"segment with tables", &tables->code);
		tables->segment = tables->bytes ? segment : NULL;
	}
	*size = segment->p_vaddr + segment->p_filesz - address;
	return tables->bytes ? tables->bytes + (address - segment->p_vaddr) : NULL;
}

/* Notes that what lies from `end` on has another name. */
static void distances_follow(struct code_tables *tables, uint64_t table, uint64_t end)
{
	uint64_t size = 0;
	const uint8_t *bytes = bytes_at(tables, table, &size);
	for (uint64_t i = 0; bytes && i < ENTRIES_MAX && 4 * i + 4 <= size; i++) {
		int32_t distance;
		memcpy(&distance, bytes + 4 * i, sizeof distance);
		if (!tables->target(tables->context, table + (uint64_t)(int64_t)distance,
					table + 4 * i < end))
			return;
	}
}

static int address_compare(const void *a, const void *b)
{
	uint64_t left = *(const uint64_t *)a;
	uint64_t right = *(const uint64_t *)b;
	return (left > right) - (left < right);
}

/* By address, so that each segment is read once, and each table. */
void code_tables_distances(struct code_tables *tables, uint64_t *addresses, size_t count)
{
	if (count)
		qsort(addresses, count, sizeof *addresses, address_compare);
	for (size_t i = 0; i < count && !tables->code; i++)
		if (i + 1 == count || addresses[i + 1] != addresses[i])
			distances_follow(tables, addresses[i], i + 1 < count ? addresses[i + 1] : UINT64_MAX);
}

void code_tables_addresses(struct code_tables *tables, uint64_t table)
{
	uint64_t size = 0;
	const uint8_t *bytes = bytes_at(tables, table, &size);
	for (uint64_t i = 0; bytes && i < ENTRIES_MAX && 8 * i + 8 <= size; i++) {
		uint64_t target;
		memcpy(&target, bytes + 8 * i, sizeof target);
		if (!tables->target(tables->context, target, true))
			return;
	}
}

void code_tables_relocations(struct code_tables *tables)
{
	const struct elf_file *file = tables->file;
	for (uint32_t i = 0; i < file->section_count && !tables->code; i++) {
		const Elf64_Shdr *section = &file->sections[i];
		if (section->sh_type != SHT_RELA)
			continue;
		Elf64_Rela *relocations = elf_file_read(file, section->sh_offset, section->sh_size,
				"relocations", &tables->code);
		for (uint64_t k = 0; relocations && k < section->sh_size / sizeof *relocations; k++)
			if (ELF64_R_TYPE(relocations[k].r_info) == R_X86_64_RELATIVE)
				tables->target(tables->context, (uint64_t)relocations[k].r_addend, true);
		free(relocations);
	}
}

int code_tables_end(struct code_tables *tables)
{
	free(tables->bytes);
	tables->bytes = NULL;
	tables->segment = NULL;
	return tables->code;
}
