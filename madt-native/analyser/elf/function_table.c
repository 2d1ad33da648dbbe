#include "elf/functions.h"
#include "elf/unwind.h"

/*
 * The FDE of a signal restorer (glibc's __restore_rt) begins one byte before it, because unwinders
 * look return addresses up at their last byte. It does not tell where an instruction starts.
 */
static bool range_take(void *context, const struct unwind_range *range)
{
	uint32_t kinds = MADT_FUNCTION_UNWIND | (range->called ? MADT_FUNCTION_CALLED : 0u);
	return !range->covered || range->signal
			|| functions_add(context, range->start, range->covered, kinds, range->record);
}

/*
 * A function is entered at its symbol, or where .eh_frame says that one begins which a call leads
 * to; parts that a compiler put elsewhere (.cold) have their way where they have other names, too.
 * Within a symbol nothing else begins: glibc's setcontext has two unwind ranges, since it changes
 * stacks.
 */
static void entries_mark(struct functions *functions)
{
	uint32_t reach = 0; /* where symbols end that began before */
	for (size_t first = 0, next; first < functions->count; first = next) {
		uint32_t kinds = 0;
		for (next = first; next < functions->count
				&& functions->items[next].start == functions->items[first].start;
				next++)
			kinds |= functions->items[next].kinds;
		const bool called = kinds & MADT_FUNCTION_CALLED && functions->items[first].start >= reach;
		const bool entry = (called || kinds & MADT_FUNCTION_SYMBOL)
				&& !(kinds & MADT_FUNCTION_PART);
		for (size_t i = first; entry && i < next; i++)
			functions->items[i].kinds |= MADT_FUNCTION_ENTRY;
		for (size_t i = first; i < next; i++)
			if (functions->items[i].kinds & MADT_FUNCTION_SYMBOL && functions->items[i].end > reach)
				reach = functions->items[i].end;
	}
}

/* Whatever a symbol or an unwind range says, nothing in the PLT is a function. */
static void stubs_unmark(const struct elf_file *file, struct functions *functions)
{
	for (uint32_t i = 0; i < file->section_count; i++) {
		const Elf64_Shdr *section = &file->sections[i];
		if (!section_has_stubs(file, section))
			continue;
		for (size_t k = 0; k < functions->count; k++)
			if (functions->items[k].start >= section->sh_addr
					&& functions->items[k].start - section->sh_addr < section->sh_size)
				functions->items[k].kinds &= ~(uint32_t)MADT_FUNCTION_ENTRY;
	}
}

int functions_read(const struct elf_file *file, struct functions *functions)
{
	int code = unwind_each(file, range_take, functions);
	if (!code)
		code = function_symbols_add(file, functions);
	if (!code)
		code = go_functions_add(file, functions);
	if (!code)
		code = dynamic_starts_add(file, functions);
	if (!code)
		code = function_stubs_add(file, functions);
	if (code)
		return code;
	functions_sort(functions);
	entries_mark(functions);
	stubs_unmark(file, functions);
	return 0;
}
