/*
 * Restartable sequences (linux/rseq.h): the section __rseq_cs holds their descriptors. The kernel
 * compares the program counter with them, so that code in them must stay where it is.
 *
 *   version 4, flags 4 | start 8 | bytes to its end 8 | abort address 8
 *
 * In position-independent files start and abort are the addends of relocations.
 */
#include <stdlib.h>
#include <string.h>

#include "plan/plan_text.h"

#define DESCRIPTOR 32
#define DESCRIPTOR_START 8
#define DESCRIPTOR_LENGTH 16

static void sequence_mark(struct plan_text *text, uint64_t start, uint64_t length)
{
	if (start)
		plan_text_mark(text, start, length, MARK_FROZEN);
}

/* The addends of relocations that fill in starts. */
static int relocations_mark(struct plan_text *text, const struct elf_file *file,
		const Elf64_Shdr *section, const uint8_t *bytes)
{
	int code = 0;
	for (uint32_t i = 0; i < file->section_count && !code; i++) {
		const Elf64_Shdr *table = &file->sections[i];
		if (table->sh_type != SHT_RELA)
			continue;
		Elf64_Rela *relocations = elf_file_read(file, table->sh_offset, table->sh_size,
				"relocations", &code);
		for (uint64_t k = 0; relocations && k < table->sh_size / sizeof *relocations; k++) {
			uint64_t at = relocations[k].r_offset - section->sh_addr;
			uint64_t length;
			if (at >= section->sh_size || at % DESCRIPTOR != DESCRIPTOR_START
					|| section->sh_size - at < 16)
				continue;
			memcpy(&length, bytes + at + 8, sizeof length);
			sequence_mark(text, (uint64_t)relocations[k].r_addend, length);
		}
		free(relocations);
	}
	return code;
}

static int section_mark(struct plan_text *text, const struct elf_file *file,
		const Elf64_Shdr *section)
{
	int code = 0;
	uint8_t *bytes = elf_file_read(file, section->sh_offset, section->sh_size, "__rseq_cs", &code);
	if (!bytes)
		return code;
	for (uint64_t at = 0; at + DESCRIPTOR <= section->sh_size; at += DESCRIPTOR) {
		uint64_t start, length;
		memcpy(&start, bytes + at + DESCRIPTOR_START, sizeof start);
		memcpy(&length, bytes + at + DESCRIPTOR_LENGTH, sizeof length);
		sequence_mark(text, start, length);
	}
	code = relocations_mark(text, file, section, bytes);
	free(bytes);
	return code;
}

int rseq_mark(struct plan_text *text, const struct elf_file *file)
{
	for (uint32_t i = 0; i < file->section_count; i++) {
		const Elf64_Shdr *section = &file->sections[i];
		if (section->sh_type != SHT_NOBITS
				&& strcmp(elf_file_section_name(file, section), "__rseq_cs") == 0)
			return section_mark(text, file, section);
	}
	return 0;
}
