#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "elf/code_ranges.h"

static bool symbol_is_function(const Elf64_Sym *symbol)
{
	unsigned type = ELF64_ST_TYPE(symbol->st_info);
	return (type == STT_FUNC || type == STT_GNU_IFUNC) && symbol->st_shndx != SHN_UNDEF
			&& symbol->st_value;
}

static int table_add(const struct elf_file *file, const Elf64_Shdr *section,
		struct code_ranges *ranges)
{
	if (section->sh_entsize != sizeof(Elf64_Sym) || section->sh_size % sizeof(Elf64_Sym))
		return failure_set(file->failure, EINVAL,
				"damaged: the symbol table at byte %" PRIu64 " has %" PRIu64
				" bytes in symbols of %" PRIu64,
				section->sh_offset, section->sh_size, section->sh_entsize);
	int code = 0;
	Elf64_Sym *symbols = elf_file_read(file, section->sh_offset, section->sh_size, "symbols",
			&code);
	if (!symbols)
		return code;
	for (uint64_t i = 0; i < section->sh_size / sizeof *symbols && !code; i++)
		if (symbol_is_function(&symbols[i])
				&& !code_ranges_add(ranges, symbols[i].st_value, symbols[i].st_size))
			code = failure_set(file->failure, ENOMEM, "no memory for its symbols");
	free(symbols);
	return code;
}

int symbol_ranges_add(const struct elf_file *file, struct code_ranges *ranges)
{
	int code = 0;
	for (uint32_t i = 0; i < file->section_count && !code; i++) {
		uint32_t type = file->sections[i].sh_type;
		if (type == SHT_DYNSYM || type == SHT_SYMTAB)
			code = table_add(file, &file->sections[i], ranges);
	}
	return code;
}
