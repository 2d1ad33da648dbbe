/*
 * Functions that are entered through wrappers: those of an allocator that a program brings along,
 * and those that are chosen, whatever they are called.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "probe/plan.h"

#define ENDBR_LENGTH 4

static const char *const names[MADT_HOOKS] = {
	[MADT_HOOK_MALLOC] = "malloc",
	[MADT_HOOK_CALLOC] = "calloc",
	[MADT_HOOK_REALLOC] = "realloc",
	[MADT_HOOK_REALLOCARRAY] = "reallocarray",
	[MADT_HOOK_FREE] = "free",
	[MADT_HOOK_POSIX_MEMALIGN] = "posix_memalign",
	[MADT_HOOK_ALIGNED_ALLOC] = "aligned_alloc",
	[MADT_HOOK_MEMALIGN] = "memalign",
	[MADT_HOOK_VALLOC] = "valloc",
	[MADT_HOOK_PVALLOC] = "pvalloc",
	[MADT_HOOK_USABLE] = "malloc_usable_size",
	[MADT_HOOK_MMAP] = "mmap",
	[MADT_HOOK_MREMAP] = "mremap",
	[MADT_HOOK_MUNMAP] = "munmap",
	[MADT_HOOK_BRK] = "brk",
	[MADT_HOOK_SBRK] = "sbrk",
	[MADT_HOOK_CACHE_END] = "__malloc_arena_thread_freeres",
};

/* A library's functions are found behind the preloaded ones; a program's are found first. */
static bool is_program(const struct elf_file *file, int *code)
{
	bool pie = false;
	for (uint32_t i = 0; i < file->segment_count; i++) {
		const Elf64_Phdr *segment = &file->segments[i];
		if (segment->p_type != PT_DYNAMIC)
			continue;
		Elf64_Dyn *entries = elf_file_read(file, segment->p_offset, segment->p_filesz,
				"dynamic section", code);
		for (uint64_t k = 0;
				entries && k < segment->p_filesz / sizeof *entries && entries[k].d_tag != DT_NULL;
				k++)
			pie |= entries[k].d_tag == DT_FLAGS_1 && entries[k].d_un.d_val & DF_1_PIE;
		free(entries);
	}
	return file->header.e_type == ET_EXEC || pie;
}

bool plan_is_endbr(const struct plan_text *text, uint64_t address)
{
	static const uint8_t endbr[ENDBR_LENGTH] = { 0xf3, 0x0f, 0x1e, 0xfa };
	return plan_text_insn(text, address) && address - text->start + ENDBR_LENGTH <= text->size
			&& memcmp(text->bytes + (address - text->start), endbr, ENDBR_LENGTH) == 0;
}

/* An indirect call may come to the endbr64. */
struct insn *plan_entry(const struct plan_text *text, uint64_t address)
{
	return plan_text_insn(text, plan_is_endbr(text, address) ? address + ENDBR_LENGTH : address);
}

static void function_hook(struct plan *plan, const char *name, uint64_t address)
{
	struct insn *insn = plan_entry(&plan->text, address);
	plan->glibc |= strcmp(name, "gnu_get_libc_version") == 0;
	for (unsigned i = 0; i < plan->hook_count && insn; i++)
		if (strcmp(name, names[i]) == 0) {
			plan->hooks[i] = (struct hook){ .function = i, .address = insn->address };
			insn->hook = true;
		}
}

static int symbols_hook(struct plan *plan, const struct elf_file *file, const Elf64_Shdr *section)
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
		if (ELF64_ST_TYPE(symbols[i].st_info) == STT_FUNC && symbols[i].st_shndx != SHN_UNDEF
				&& symbols[i].st_name < text->sh_size
				&& memchr(strings + symbols[i].st_name, 0, text->sh_size - symbols[i].st_name))
			function_hook(plan, strings + symbols[i].st_name, symbols[i].st_value);
	free(strings);
	free(symbols);
	return code;
}

/* Finds those that are chosen; a function that is hooked by its own name already stays so. */
static void named_hook(struct plan *plan)
{
	const struct choice_cursor chosen = choice_cursor(plan->options.choice, MADT_PROBE_HOOK, false);
	const struct madtcode_word *words = madtcode_words(plan->options.choice);
	unsigned next = MADT_HOOKS;
	for (const struct madtcode_probe *probe = chosen.at; probe < chosen.end && next < PLAN_HOOKS;
			probe++) {
		struct insn *insn = plan_entry(&plan->text, probe->start);
		if (!insn || insn->hook)
			continue;
		plan->hooks[next++] = (struct hook){
			.function = (uint32_t)words[probe->word].displacement[0],
			.address = insn->address,
		};
		insn->hook = true;
	}
}

/* No loader prepares it: nothing is interposed in it either. */
static bool is_static(const struct elf_file *file)
{
	for (uint32_t i = 0; i < file->segment_count; i++)
		if (file->segments[i].p_type == PT_INTERP)
			return false;
	return true;
}

int plan_hooks_find(struct plan *plan, const struct elf_file *file)
{
	int code = 0;
	const bool program = is_program(file, &code), alone = program && is_static(file);
	const uint32_t table = alone ? SHT_SYMTAB : SHT_DYNSYM;
	plan->hook_count = alone || plan->options.allocator ? MADT_HOOKS : MADT_HOOKS_PROGRAM;
	for (uint32_t i = 0; i < file->section_count && (program || plan->options.allocator) && !code;
			i++)
		if (file->sections[i].sh_type == table)
			code = symbols_hook(plan, file, &file->sections[i]);
	named_hook(plan);
	return code;
}

void plan_hook_emit(struct plan *plan, const struct insn *insn)
{
	static const uint8_t jump[MADT_PLAN_HOOK_JUMP + 8] = { 0xff, 0x25 };
	for (unsigned i = 0; i < PLAN_HOOKS; i++)
		if (plan->hooks[i].address == insn->address) {
			plan->hooks[i].code = (uint32_t)plan->emit.size;
			plan->hooks[i].kept = true;
		}
	emit_bytes(&plan->emit, jump, sizeof jump);
}

void plan_hook_drop(struct plan *plan, uint32_t address)
{
	for (unsigned i = 0; i < PLAN_HOOKS; i++)
		if (plan->hooks[i].address == address)
			plan->hooks[i].kept = false;
}
