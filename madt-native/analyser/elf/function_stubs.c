/*
 * Entries of the procedure linkage table: `[endbr64] [bnd] jmp *disp32(%rip)` at the start of each
 * (x86-64 psABI, section 5.2, and the CET form .plt.sec). The entry in front of the others, which
 * enters the loader, begins with `push disp32(%rip)` and has no slot.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "elf/functions.h"

#define STUB_BYTES 16
#define SHORT_STUB_BYTES 8
#define JUMP_BYTES 6

bool section_has_stubs(const struct elf_file *file, const Elf64_Shdr *section)
{
	const char *name = elf_file_section_name(file, section);
	return strncmp(name, ".plt", 4) == 0 || strncmp(name, ".iplt", 5) == 0;
}

/* The slot through which the entry at `at` jumps, or 0. */
static uint64_t slot_of(const uint8_t *code, uint64_t size, uint64_t at, uint64_t address)
{
	static const uint8_t endbr64[] = { 0xf3, 0x0f, 0x1e, 0xfa };
	int32_t displacement;
	if (size - at >= sizeof endbr64 && memcmp(code + at, endbr64, sizeof endbr64) == 0)
		at += sizeof endbr64;
	if (at < size && code[at] == 0xf2)
		at++;
	if (size - at < JUMP_BYTES || code[at] != 0xff || code[at + 1] != 0x25)
		return 0;
	memcpy(&displacement, code + at + 2, sizeof displacement);
	return address + at + JUMP_BYTES + (uint64_t)(int64_t)displacement;
}

static bool section_add(const Elf64_Shdr *section, const uint8_t *code, struct functions *functions)
{
	const uint64_t size = section->sh_size;
	const uint64_t step = section->sh_entsize == SHORT_STUB_BYTES ? SHORT_STUB_BYTES : STUB_BYTES;
	bool memory = true;
	if (size >= STUB_BYTES && code[0] == 0xff && code[1] == 0x35)
		memory = functions_add(functions, section->sh_addr, STUB_BYTES, MADT_FUNCTION_STUB, 0);
	for (uint64_t at = 0; memory && size >= JUMP_BYTES && at <= size - JUMP_BYTES; at += step) {
		const uint64_t slot = slot_of(code, size, at, section->sh_addr);
		if (slot)
			memory = functions_add(functions, section->sh_addr + at, step, MADT_FUNCTION_STUB,
					slot);
	}
	return memory;
}

int function_stubs_add(const struct elf_file *file, struct functions *functions)
{
	int code = 0;
	for (uint32_t i = 0; i < file->section_count && !code; i++) {
		const Elf64_Shdr *section = &file->sections[i];
		if (section->sh_type == SHT_NOBITS || !section_has_stubs(file, section))
			continue;
		uint8_t *bytes = elf_file_read(file, section->sh_offset, section->sh_size, "PLT", &code);
		if (bytes && !section_add(section, bytes, functions))
			code = failure_set(file->failure, ENOMEM, "no memory for its PLT");
		free(bytes);
	}
	return code;
}
