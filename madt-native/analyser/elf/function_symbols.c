#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "elf/functions.h"

static bool symbol_is_function(const Elf64_Sym *symbol)
{
	unsigned type = ELF64_ST_TYPE(symbol->st_info);
	return (type == STT_FUNC || type == STT_GNU_IFUNC) && symbol->st_shndx != SHN_UNDEF
			&& symbol->st_value;
}

/* GCC calls what it put elsewhere f.cold, and f.cold.1; it is jumped to. */
static bool name_is_part(const char *name)
{
	const char *part = strstr(name, ".cold");
	return part && (part[5] == 0 || part[5] == '.');
}

/* The strings of a symbol table and a NUL behind them, or NULL: symbols without names will do. */
static char *strings_read(const struct elf_file *file, const Elf64_Shdr *table, uint64_t *size)
{
	int ignored;
	const Elf64_Shdr *strings = table->sh_link < file->section_count
			? &file->sections[table->sh_link]
			: NULL;
	if (!strings || strings->sh_type != SHT_STRTAB)
		return NULL;
	*size = strings->sh_size;
	return elf_file_read(file, strings->sh_offset, strings->sh_size, "symbol names", &ignored);
}

static bool symbols_add(const Elf64_Sym *symbols, uint64_t count, const char *names, uint64_t size,
		struct functions *functions)
{
	bool memory = true;
	for (uint64_t i = 0; i < count && memory; i++) {
		if (!symbol_is_function(&symbols[i]))
			continue;
		const bool part = names && symbols[i].st_name < size
				&& name_is_part(names + symbols[i].st_name);
		memory = functions_add(functions, symbols[i].st_value, symbols[i].st_size,
				MADT_FUNCTION_SYMBOL | (part ? MADT_FUNCTION_PART : 0u), 0);
	}
	return memory;
}

static int table_add(const struct elf_file *file, const Elf64_Shdr *section,
		struct functions *functions)
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
	uint64_t size = 0;
	char *names = strings_read(file, section, &size);
	if (!symbols_add(symbols, section->sh_size / sizeof *symbols, names, size, functions))
		code = failure_set(file->failure, ENOMEM, "no memory for its symbols");
	free(names);
	free(symbols);
	return code;
}

int function_symbols_add(const struct elf_file *file, struct functions *functions)
{
	int code = 0;
	for (uint32_t i = 0; i < file->section_count && !code; i++) {
		uint32_t type = file->sections[i].sh_type;
		if (type == SHT_DYNSYM || type == SHT_SYMTAB)
			code = table_add(file, &file->sections[i], functions);
	}
	return code;
}
