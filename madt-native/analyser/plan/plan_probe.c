/*
 * Where functions are entered and left. A function begins at its symbol, or where .eh_frame says
 * that one begins which a call leads to; entries of the PLT and parts that a compiler put elsewhere
 * (.cold) are none. It is left at each return. What is recorded is the stack pointer, which is the
 * same at both: whoever reads the trace finds out which belong together.
 *
 *   mov  r1, gs:[next]                      rdtsc                    timed
 *   mov  [r1 + 8], rsp         touch        mov  r1, gs:[next]
 *   header                                  mov  [r1 + 16], eax      touch
 *                                           mov  [r1 + 20], edx
 *                                           mov  [r1 + 8], rsp
 *                                           header
 *
 * Arguments and results follow these words. They are stored before the counter is read, which needs
 * rax and rdx; the last one of them is the touch.
 */
#include <stdlib.h>
#include <string.h>

#include "madtcode.h"
#include "plan/plan.h"

#define SPILL_1 MADT_GS_SPILL
#define SPILL_2 (MADT_GS_SPILL + 8)
#define SPILL_3 MADT_GS_RUN /* no run is open at a probe */
#define REGISTER_RDX 2
#define WORD_BYTES 8

/* ---------------------------------------------------------------- where */

static void entry_mark(struct plan *plan, uint64_t address, bool on)
{
	struct insn *insn = plan_entry(&plan->text, address);
	if (insn && on)
		insn->probes |= INSN_ENTER;
	else if (insn)
		insn->probes &= (uint8_t)~INSN_ENTER;
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

static int entries_mark(struct plan *plan, const struct elf_file *file)
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

/* The range around an address, or NULL. */
static const struct madtcode_range *range_of(const struct madtcode_choice *choice, uint32_t address)
{
	uint32_t low = 0;
	uint32_t high = choice->count;
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		if (choice->ranges[middle].end <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low < choice->count && choice->ranges[low].start <= address ? &choice->ranges[low]
																	   : NULL;
}

/* Whether the function around an address is recorded. */
static bool is_chosen(const struct madtcode_choice *choice, uint32_t address)
{
	return !choice->chosen || range_of(choice, address);
}

int plan_probes_find(struct plan *plan, const struct elf_file *file)
{
	if (!plan->options.calls || plan->options.hooks)
		return 0;
	int code = entries_mark(plan, file);
	if (!code)
		code = leaps_find(&plan->leaps, &plan->text, file);
	for (size_t i = 0; i < plan->text.count && !code; i++) {
		struct insn *insn = &plan->text.insns[i];
		if (insn->kind == INSN_RETURN)
			insn->probes |= INSN_LEAVE;
		if (insn->probes && !is_chosen(plan->options.choice, insn->address))
			insn->probes = 0;
		if (insn->probes && (insn->step || !plan_copies(plan, insn))) {
			insn->probes = 0;
			plan->header.sites_left++;
		}
	}
	return code;
}

/* ---------------------------------------------------------------- the code */

static struct emit_address at(unsigned base, int64_t displacement)
{
	return (struct emit_address){ (uint8_t)base, MADT_REGISTER_NONE, 1, displacement };
}

/* An enter says besides where the function may jump. */
static void leap_tell(const struct plan *plan, struct madt_plan_word *word)
{
	const struct leap *leap = leaps_of(&plan->leaps, word->address);
	word->operand = leap->kinds | (leap->targets ? MADT_LEAP_TARGETS : 0);
	word->size = leap->targets ? leap->targets : WORD_BYTES;
}

static void probe_word_add(struct plan *plan, const struct insn *insn, enum madt_access access,
		unsigned value)
{
	struct madt_plan_word word = {
		.address = insn->address,
		.length = insn->length,
		.access = (uint8_t)access,
		.size = WORD_BYTES,
		.operand = (uint8_t)value,
		.from = MADT_PLAN_STORED,
	};
	if (access == MADT_ENTER)
		leap_tell(plan, &word);
	word_add(&plan->runs, &word);
}

static void plain_emit(struct plan *plan, const struct run *run, register_set dead)
{
	const register_set avoid = 1u << REGISTER_RSP;
	struct scratch r1 = scratch_take(plan, dead, avoid, SPILL_1);
	struct scratch r2 = scratch_take(plan, dead, avoid | (register_set)(1u << r1.number), SPILL_2);
	emit_gs_load(&plan->emit, r1.number, MADT_GS_NEXT);
	emit_store64(&plan->emit, REGISTER_RSP, at(r1.number, WORD_BYTES));
	run_header_emit(plan, run, r1.number, r2.number);
	scratch_give(plan, r2, SPILL_2);
	scratch_give(plan, r1, SPILL_1);
}

static struct scratch fixed_take(struct plan *plan, register_set dead, unsigned number,
		unsigned slot)
{
	return scratch_take(plan, dead, (register_set) ~(1u << number), slot);
}

static void counter_emit(struct plan *plan)
{
	static const uint8_t rdtsc[] = { 0x0f, 0x31 };
	emit_bytes(&plan->emit, rdtsc, sizeof rdtsc);
}

static void time_store(struct plan *plan, unsigned r1)
{
	emit_store32(&plan->emit, REGISTER_RAX, at(r1, 2 * WORD_BYTES));
	emit_store32(&plan->emit, REGISTER_RDX, at(r1, 2 * WORD_BYTES + 4));
}

static void timed_emit(struct plan *plan, const struct run *run, register_set dead)
{
	const register_set counter = 1u << REGISTER_RAX | 1u << REGISTER_RDX;
	struct scratch rax = fixed_take(plan, dead, REGISTER_RAX, SPILL_2);
	struct scratch rdx = fixed_take(plan, dead, REGISTER_RDX, SPILL_3);
	struct scratch r1 = scratch_take(plan, dead, counter | 1u << REGISTER_RSP, SPILL_1);
	counter_emit(plan);
	emit_gs_load(&plan->emit, r1.number, MADT_GS_NEXT);
	time_store(plan, r1.number);
	emit_store64(&plan->emit, REGISTER_RSP, at(r1.number, WORD_BYTES));
	run_header_emit(plan, run, r1.number, REGISTER_RAX);
	scratch_give(plan, r1, SPILL_1);
	scratch_give(plan, rdx, SPILL_3);
	scratch_give(plan, rax, SPILL_2);
}

/* `free` holds a value of the stack on its way. */
static void value_store(struct plan *plan, unsigned value, struct emit_address to, unsigned free)
{
	if (value < MADT_VALUE_VECTOR)
		emit_store64(&plan->emit, value, to);
	else if (value < MADT_VALUE_STACK)
		emit_store_vector(&plan->emit, value - MADT_VALUE_VECTOR, to);
	else
		emit_store64(&plan->emit, free, to);
}

static void value_fetch(struct plan *plan, unsigned value, unsigned free)
{
	if (value >= MADT_VALUE_STACK)
		emit_load64(&plan->emit, free,
				at(REGISTER_RSP, WORD_BYTES * (value - MADT_VALUE_STACK + 1)));
}

/* From the last one, which is the touch, to the first. */
static void values_emit(struct plan *plan, const struct run *run, uint32_t values, unsigned r1,
		unsigned free)
{
	for (unsigned place = run->words; values; place--) {
		const unsigned value = 31 - (unsigned)__builtin_clz(values);
		value_fetch(plan, value, free);
		if (place == run->words)
			emit_gs_load(&plan->emit, r1, MADT_GS_NEXT);
		value_store(plan, value, at(r1, WORD_BYTES * place), free);
		values &= ~(UINT32_C(1) << value);
	}
	emit_store64(&plan->emit, REGISTER_RSP, at(r1, WORD_BYTES));
}

static register_set value_registers(uint32_t values)
{
	return (register_set)(values & UINT16_MAX) | 1u << REGISTER_RSP;
}

static void plain_values_emit(struct plan *plan, const struct run *run, register_set dead,
		uint32_t values)
{
	const register_set avoid = value_registers(values);
	struct scratch r1 = scratch_take(plan, dead, avoid, SPILL_1);
	struct scratch r2 = scratch_take(plan, dead, avoid | (register_set)(1u << r1.number), SPILL_2);
	values_emit(plan, run, values, r1.number, r2.number);
	run_header_emit(plan, run, r1.number, r2.number);
	scratch_give(plan, r2, SPILL_2);
	scratch_give(plan, r1, SPILL_1);
}

/* rax is no argument, and where it is the result there are none on the stack. */
static void timed_values_emit(struct plan *plan, const struct run *run, register_set dead,
		uint32_t values)
{
	const register_set counter = 1u << REGISTER_RAX | 1u << REGISTER_RDX;
	struct scratch rax = fixed_take(plan, dead, REGISTER_RAX, SPILL_2);
	struct scratch rdx = fixed_take(plan, dead, REGISTER_RDX, SPILL_3);
	struct scratch r1 = scratch_take(plan, dead, value_registers(values) | counter, SPILL_1);
	values_emit(plan, run, values, r1.number, REGISTER_RAX);
	counter_emit(plan);
	time_store(plan, r1.number);
	run_header_emit(plan, run, r1.number, REGISTER_RAX);
	scratch_give(plan, r1, SPILL_1);
	scratch_give(plan, rdx, SPILL_3);
	scratch_give(plan, rax, SPILL_2);
}

/* What is recorded of a function besides that it is entered or left: a bit for each value. */
static uint32_t values_of(const struct plan *plan, const struct insn *insn, enum madt_access access)
{
	const struct madtcode_range *range = range_of(plan->options.choice, insn->address);
	return !range ? 0 : access == MADT_ENTER ? range->enter : range->leave;
}

static void probe_emit(struct plan *plan, const struct insn *insn, enum madt_access access)
{
	const bool timed = plan->options.times;
	const uint32_t values = values_of(plan, insn, access);
	const unsigned words = 1 + timed + (unsigned)__builtin_popcount(values);
	const struct run run = { .words = words, .stored = words, .number = run_open(&plan->runs) };
	const register_set dead = plan_dead(plan, insn);
	probe_word_add(plan, insn, access, 0);
	if (timed)
		probe_word_add(plan, insn, MADT_TIME, 0);
	for (unsigned value = 0; value < MADT_VALUES; value++)
		if (values >> value & 1)
			probe_word_add(plan, insn, MADT_VALUE, value);
	run_close(&plan->runs, words);
	if (values && timed)
		timed_values_emit(plan, &run, dead, values);
	else if (values)
		plain_values_emit(plan, &run, dead, values);
	else if (timed)
		timed_emit(plan, &run, dead);
	else
		plain_emit(plan, &run, dead);
}

void plan_probes_emit(struct plan *plan, const struct insn *insn)
{
	if (insn->probes & INSN_ENTER)
		probe_emit(plan, insn, MADT_ENTER);
	if (insn->probes & INSN_LEAVE)
		probe_emit(plan, insn, MADT_LEAVE);
}
