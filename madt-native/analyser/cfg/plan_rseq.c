/*
 * Restartable sequences (linux/rseq.h): the section __rseq_cs holds their descriptors. The kernel
 * compares the program counter with them, so that code in them must stay where it is. So must the
 * instruction in front of one, which tells the kernel of it, and the signature in front of its abort
 * address, which the kernel compares.
 *
 *   version 4, flags 4 | start 8 | bytes to its end 8 | abort address 8
 *
 * In position-independent files start and abort are the addends of relocations.
 *
 * A program may make descriptors as it runs. Where no descriptor of the section has the address
 * behind a signature, the functions that hold it or name it stay as they are.
 */
#include <stdlib.h>
#include <string.h>

#include "cfg/plan_text.h"

#define DESCRIPTOR 32
#define DESCRIPTOR_START 8
#define DESCRIPTOR_LENGTH 16
#define DESCRIPTOR_ABORT 24
#define SIGNATURE 4 /* bytes */

static void sequence_mark(struct plan_text *text, uint64_t start, uint64_t length)
{
	if (start)
		plan_text_mark(text, start - 1, length + 1, MARK_FROZEN);
}

static void abort_mark(struct plan_text *text, uint64_t address)
{
	if (address)
		plan_text_mark(text, address - SIGNATURE, SIGNATURE, MARK_FROZEN);
}

/* The addends of relocations that fill in starts and abort addresses. */
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
			if (at >= section->sh_size || section->sh_size - at < 8)
				continue;
			if (at % DESCRIPTOR == DESCRIPTOR_ABORT)
				abort_mark(text, (uint64_t)relocations[k].r_addend);
			if (at % DESCRIPTOR != DESCRIPTOR_START || section->sh_size - at < 16)
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
		uint64_t start, length, abort;
		memcpy(&start, bytes + at + DESCRIPTOR_START, sizeof start);
		memcpy(&length, bytes + at + DESCRIPTOR_LENGTH, sizeof length);
		memcpy(&abort, bytes + at + DESCRIPTOR_ABORT, sizeof abort);
		sequence_mark(text, start, length);
		abort_mark(text, abort);
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

/* ---------------------------------------------------------------- descriptors made as it runs */

static void functions_mark(struct plan_text *text, uint64_t address)
{
	const struct functions *functions = &text->functions;
	for (size_t i = 0; i < functions->count && functions->items[i].start <= address; i++) {
		const struct madt_code_function *function = &functions->items[i];
		if (function->kinds & MADT_FUNCTION_UNWIND && address < function->end)
			plan_text_mark(text, function->start, function->end - function->start, MARK_FROZEN);
	}
}

/* Marks those whose code names the address; false if there are none. */
static bool named_mark(struct plan_text *text, uint64_t address)
{
	bool named = false;
	for (size_t i = 0; i < text->count; i++) {
		const struct insn *insn = &text->insns[i];
		int32_t displacement;
		if (!insn->relative)
			continue;
		memcpy(&displacement, text->bytes + (insn->address - text->start) + insn->relative,
				sizeof displacement);
		if (insn->address + insn->length + (uint64_t)(int64_t)displacement != address)
			continue;
		functions_mark(text, insn->address);
		named = true;
	}
	return named;
}

/*
 * Returns whether the bytes are the number of `mov r32, imm32`: a thread tells the kernel the
 * signature when it registers, as libc's do in start_thread.
 */
static bool is_number(const struct plan_text *text, uint64_t address)
{
	for (size_t i = 0; i < text->count; i++) {
		const struct insn *insn = &text->insns[i];
		if (insn->length <= SIGNATURE || insn->address + insn->length != address + SIGNATURE)
			continue;
		const uint8_t *bytes = text->bytes + (insn->address - text->start);
		return (bytes[insn->length - SIGNATURE - 1] & 0xf8) == 0xb8;
	}
	return false;
}

void rseq_signatures_mark(struct plan_text *text)
{
	static const uint8_t signature[SIGNATURE] = { 0x53, 0x30, 0x05, 0x53 };
	const uint8_t *end = text->bytes + text->size, *at = text->bytes;
	while (at && (at = memmem(at, (size_t)(end - at), signature, SIGNATURE))) {
		const uint64_t address = text->start + (uint64_t)(at - text->bytes);
		if (!plan_text_has(text, address, 1, MARK_FROZEN)
				&& (named_mark(text, address + SIGNATURE) || !is_number(text, address))) {
			plan_text_mark(text, address, SIGNATURE, MARK_FROZEN);
			functions_mark(text, address);
		}
		at += SIGNATURE;
	}
}
