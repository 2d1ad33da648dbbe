/*
 * Where functions begin: at their symbols, and where .eh_frame says that one begins which a call
 * leads to. Entries of the PLT and parts that a compiler put elsewhere (.cold) are none.
 */
#include <stdlib.h>
#include <string.h>

#include "plan/plan.h"

static void entry_mark(struct plan *plan, uint64_t address, bool on)
{
	struct insn *insn = plan_entry(&plan->text, address);
	if (insn)
		insn->entry = on;
}

/* GCC calls what it put elsewhere f.cold, and f.cold.1; it is jumped to. */
static bool name_is_part(const char *name)
{
	const char *part = strstr(name, ".cold");
	return part && (part[5] == 0 || part[5] == '.');
}

static bool symbol_is_function(const Elf64_Sym *symbol)
{
	unsigned type = ELF64_ST_TYPE(symbol->st_info);
	return (type == STT_FUNC || type == STT_GNU_IFUNC) && symbol->st_shndx != SHN_UNDEF
			&& symbol->st_value;
}

/* Of a symbol table; parts have their way where they have another name too. */
static int symbols_mark(struct plan *plan, const struct elf_file *file, const Elf64_Shdr *section,
		bool parts)
{
	int code = 0;
	const Elf64_Shdr *text = section->sh_link < file->section_count
			? &file->sections[section->sh_link]
			: NULL;
	Elf64_Sym *symbols = elf_file_read(file, section->sh_offset, section->sh_size, "symbols",
			&code);
	char *strings = text && symbols
			? elf_file_read(file, text->sh_offset, text->sh_size, "symbol names", &code)
			: NULL;
	for (uint64_t i = 0; strings && i < section->sh_size / sizeof *symbols; i++)
		if (symbol_is_function(&symbols[i]) && symbols[i].st_name < text->sh_size
				&& name_is_part(strings + symbols[i].st_name) == parts)
			entry_mark(plan, symbols[i].st_value, !parts);
	free(strings);
	free(symbols);
	return code;
}

static int tables_walk(struct plan *plan, const struct elf_file *file, bool parts)
{
	int code = 0;
	for (uint32_t i = 0; i < file->section_count && !code; i++)
		if (file->sections[i].sh_type == SHT_DYNSYM || file->sections[i].sh_type == SHT_SYMTAB)
			code = symbols_mark(plan, file, &file->sections[i], parts);
	return code;
}

static void stubs_unmark(struct plan *plan, const struct elf_file *file)
{
	for (uint32_t i = 0; i < file->section_count; i++) {
		const Elf64_Shdr *section = &file->sections[i];
		if (strncmp(elf_file_section_name(file, section), ".plt", 4) != 0)
			continue;
		for (uint64_t at = section->sh_addr; at < section->sh_addr + section->sh_size; at++)
			if (plan_text_insn(&plan->text, at))
				entry_mark(plan, at, false);
	}
}

int plan_entries_mark(struct plan *plan, const struct elf_file *file)
{
	struct code_ranges functions = { .count = 0 };
	int code = unwind_functions_add(file, &functions);
	for (size_t i = 0; i < functions.count && !code; i++)
		entry_mark(plan, functions.items[i].start, true);
	free(functions.items);
	if (!code)
		code = tables_walk(plan, file, false);
	if (!code)
		code = tables_walk(plan, file, true);
	if (!code)
		stubs_unmark(plan, file);
	return code;
}
