/*
 * Where indirect jumps may lead, as far as tables show it: a target within a window would trap each
 * time. Three kinds:
 *
 *   switch      lea r, [rip + table]: 32-bit distances from the table, as gcc and clang write
 *               them for PIC
 *   switch      jmp [table + r * 8]: addresses, in programs at fixed addresses
 *   labels      tables of code addresses (computed goto) that relocations fill in
 *
 * An entry counts only if an instruction starts where it leads. One that is taken for a target by
 * mistake costs nothing but a shorter window.
 */
#include <stdlib.h>
#include <string.h>

#include "plan/plan_text.h"

#define ENTRIES_MAX 8192 /* of one table */

/* The segment read last. */
struct holder {
	const struct elf_file *file;
	const Elf64_Phdr *segment;
	uint8_t *bytes;
	int code;
};

/* The bytes from an address to the end of its segment, or NULL. */
static const uint8_t *bytes_at(struct holder *holder, uint64_t address, uint64_t *size)
{
	const Elf64_Phdr *segment = elf_file_segment_at(holder->file, address);
	if (!segment)
		return NULL;
	if (segment != holder->segment) {
		free(holder->bytes);
		holder->bytes = elf_file_read(holder->file, segment->p_offset, segment->p_filesz,
				"segment with tables", &holder->code);
		holder->segment = holder->bytes ? segment : NULL;
	}
	*size = segment->p_vaddr + segment->p_filesz - address;
	return holder->bytes ? holder->bytes + (address - segment->p_vaddr) : NULL;
}

static bool target_mark(struct plan_text *text, uint64_t target)
{
	if (!plan_text_insn(text, target))
		return false;
	plan_text_mark(text, target, 1, MARK_TARGET);
	return true;
}

static void distances_mark(struct plan_text *text, struct holder *holder, uint64_t table)
{
	uint64_t size = 0;
	const uint8_t *bytes = bytes_at(holder, table, &size);
	for (uint64_t i = 0; bytes && i < ENTRIES_MAX && 4 * i + 4 <= size; i++) {
		int32_t distance;
		memcpy(&distance, bytes + 4 * i, sizeof distance);
		if (!target_mark(text, table + (uint64_t)(int64_t)distance))
			return;
	}
}

static void addresses_mark(struct plan_text *text, struct holder *holder, uint64_t table)
{
	uint64_t size = 0;
	const uint8_t *bytes = bytes_at(holder, table, &size);
	for (uint64_t i = 0; bytes && i < ENTRIES_MAX && 8 * i + 8 <= size; i++) {
		uint64_t target;
		memcpy(&target, bytes + 8 * i, sizeof target);
		if (!target_mark(text, target))
			return;
	}
}

/* jmp [table + r * 8] */
static void jumps_follow(struct plan_text *text, struct holder *holder)
{
	for (size_t i = 0; i < text->count && !holder->code; i++) {
		const struct insn *insn = &text->insns[i];
		if (insn->kind != INSN_JUMP_INDIRECT || insn->site == INSN_NO_SITE)
			continue;
		const struct madt_code_operand *operand = text->map.operands
				+ text->map.entries[insn->site].first_operand;
		if (operand->base == MADT_REGISTER_NONE && operand->index != MADT_REGISTER_NONE
				&& operand->scale == 8)
			addresses_mark(text, holder, (uint64_t)operand->displacement);
	}
}

static int relocations_follow(struct plan_text *text, const struct elf_file *file)
{
	int code = 0;
	for (uint32_t i = 0; i < file->section_count && !code; i++) {
		const Elf64_Shdr *section = &file->sections[i];
		if (section->sh_type != SHT_RELA)
			continue;
		Elf64_Rela *relocations = elf_file_read(file, section->sh_offset, section->sh_size,
				"relocations", &code);
		for (uint64_t k = 0; relocations && k < section->sh_size / sizeof *relocations; k++)
			if (ELF64_R_TYPE(relocations[k].r_info) == R_X86_64_RELATIVE)
				target_mark(text, (uint64_t)relocations[k].r_addend);
		free(relocations);
	}
	return code;
}

static int address_compare(const void *a, const void *b)
{
	uint64_t left = *(const uint64_t *)a;
	uint64_t right = *(const uint64_t *)b;
	return (left > right) - (left < right);
}

/* By address, so that each segment is read once, and each table. */
static void distances_follow(struct plan_text *text, struct holder *holder)
{
	if (text->table_count)
		qsort(text->tables, text->table_count, sizeof *text->tables, address_compare);
	for (size_t i = 0; i < text->table_count && !holder->code; i++)
		if (i == 0 || text->tables[i - 1] != text->tables[i])
			distances_mark(text, holder, text->tables[i]);
}

int tables_mark(struct plan_text *text, const struct elf_file *file)
{
	struct holder holder = { .file = file };
	distances_follow(text, &holder);
	jumps_follow(text, &holder);
	free(holder.bytes);
	return holder.code ? holder.code : relocations_follow(text, file);
}
