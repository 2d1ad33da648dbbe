/*
 * Tail calls. A function that goes on in another one by a jump leaves its frame to that one: both
 * have one stack pointer, as have two functions that are called one behind the other. What a reader
 * can tell them apart by is where the jumps of a function lead: to another function's entry, by a
 * stub of the PLT or through a pointer anywhere. A jump to what libmadt.so interposes, or to a
 * function that is not chosen, leads to nothing that is recorded: there, the function is gone.
 */
#include "probe/plan_leaps.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/pack.h"
#include "probe/plan.h"

#define STUB_INSNS 3 /* endbr64, bnd jmp … */

/* INTERPOSED is made of shim.map, and comes from the command line: see part.mk. */
static const char *const interposed[] = { INTERPOSED };

struct slots {
	uint64_t *items; /* of the global offset table: functions that are interposed */
	size_t count, capacity;
};

static bool is_interposed(const char *name)
{
	for (size_t i = 0; i < sizeof interposed / sizeof *interposed; i++)
		if (strcmp(name, interposed[i]) == 0)
			return true;
	return false;
}

/* ---------------------------------------------------------------- what slots lead to */

static bool slot_add(struct slots *slots, uint64_t at)
{
	if (!array_reserve(&slots->items, &slots->capacity, slots->count, sizeof *slots->items))
		return false;
	slots->items[slots->count++] = at;
	return true;
}

static int table_read(struct slots *slots, const struct elf_file *file, const Elf64_Shdr *table)
{
	int code = 0;
	const Elf64_Shdr *symbols_at = &file->sections[table->sh_link];
	const Elf64_Shdr *text = &file->sections[symbols_at->sh_link];
	Elf64_Rela *relocations = elf_file_read(file, table->sh_offset, table->sh_size, "relocations",
			&code);
	Elf64_Sym *symbols = code
			? NULL
			: elf_file_read(file, symbols_at->sh_offset, symbols_at->sh_size, "symbols", &code);
	char *names = code ? NULL
					   : elf_file_read(file, text->sh_offset, text->sh_size, "symbol names", &code);
	for (uint64_t i = 0; names && i < table->sh_size / sizeof *relocations && !code; i++) {
		const uint64_t symbol = ELF64_R_SYM(relocations[i].r_info);
		if (symbol && symbol < symbols_at->sh_size / sizeof *symbols
				&& symbols[symbol].st_name < text->sh_size
				&& is_interposed(names + symbols[symbol].st_name)
				&& !slot_add(slots, relocations[i].r_offset))
			code = ENOMEM;
	}
	free(names);
	free(symbols);
	free(relocations);
	return code;
}

static int slots_read(struct slots *slots, const struct elf_file *file)
{
	int code = 0;
	for (uint32_t i = 0; i < file->section_count && !code; i++) {
		const Elf64_Shdr *table = &file->sections[i];
		if (table->sh_type == SHT_RELA && table->sh_link && table->sh_link < file->section_count
				&& file->sections[table->sh_link].sh_type == SHT_DYNSYM
				&& file->sections[table->sh_link].sh_link < file->section_count)
			code = table_read(slots, file, table);
	}
	return code;
}

/* ---------------------------------------------------------------- where jumps lead */

static const uint8_t *bytes_of(const struct plan_text *text, const struct insn *insn)
{
	return text->bytes + (insn->address - text->start);
}

/* jmp [rip + slot]: whether what it leads to may be recorded. */
static bool slot_is_open(const struct plan_text *text, const struct slots *slots,
		const struct insn *insn)
{
	int32_t displacement;
	memcpy(&displacement, bytes_of(text, insn) + insn->relative, sizeof displacement);
	const uint64_t slot = insn->address + insn->length + (uint64_t)(int64_t)displacement;
	for (size_t i = 0; i < slots->count; i++)
		if (slots->items[i] == slot)
			return false;
	return true;
}

/* The jump of the stub at this address, or NULL. */
static const struct insn *stub_at(const struct plan_text *text, uint64_t address)
{
	const struct insn *insn = plan_text_insn(text, address);
	for (unsigned i = 0; insn && i < STUB_INSNS && insn < text->insns + text->count; i++, insn++)
		if (insn->kind == INSN_JUMP_INDIRECT)
			return insn->relative ? insn : NULL;
	return NULL;
}

/* add r, r in front of jmp r: a switch, whose table holds distances. */
static bool is_switch(const struct plan_text *text, const struct insn *insn)
{
	if (insn == text->insns)
		return false;
	const struct insn *before = insn - 1;
	const uint8_t *bytes = bytes_of(text, before);
	return before->address + before->length == insn->address && before->length == 3
			&& (bytes[0] & 0xf8) == 0x48 && (bytes[1] == 0x01 || bytes[1] == 0x03)
			&& bytes[2] >= 0xc0;
}

/* Returns whether an indirect jump may lead to a function that is recorded. */
static bool leads_anywhere(const struct plan_text *text, const struct slots *slots,
		const struct insn *insn)
{
	if (insn->relative)
		return slot_is_open(text, slots, insn);
	const uint8_t *modrm = bytes_of(text, insn) + insn->modrm;
	if (*modrm >= 0xc0)
		return !is_switch(text, insn);
	return (*modrm & 7) != 4 || (modrm[1] >> 3 & 7) == 4; /* with an index it is a table's */
}

static void target_note(struct leap *leap, const struct plan_text *text, const struct slots *slots,
		uint64_t target)
{
	const struct insn *entry = plan_entry(text, target);
	if (entry && entry->entry) {
		if (entry->address != leap->entry)
			leap->targets |= madt_leap_bit(leap->entry, entry->address);
		return;
	}
	const struct insn *stub = stub_at(text, target);
	if (stub && slot_is_open(text, slots, stub))
		leap->kinds |= MADT_LEAP_ANYWHERE;
}

static void insn_note(struct leap *leap, const struct plan_text *text, const struct slots *slots,
		const struct insn *insn)
{
	if (insn->kind == INSN_JUMP_INDIRECT) {
		if (leads_anywhere(text, slots, insn))
			leap->kinds |= MADT_LEAP_ANYWHERE;
	} else if ((insn->kind == INSN_JUMP || insn->kind == INSN_BRANCH) && insn->target) {
		target_note(leap, text, slots, insn->target);
	}
}

/* ---------------------------------------------------------------- what records nothing */

/* The probes of functions that are chosen. */
struct chosen {
	struct choice_cursor enters, leaves;
};

/* Returns whether a range of these holds an address. */
static bool is_within(struct choice_cursor ranges, uint32_t address)
{
	const struct madtcode_probe *first = ranges.at;
	size_t count = (size_t)(ranges.end - first);
	while (count) {
		const struct madtcode_probe *middle = first + count / 2;
		if (middle->end <= address) {
			first = middle + 1;
			count -= count / 2 + 1;
		} else {
			count /= 2;
		}
	}
	return first < ranges.end && first->start <= address;
}

/*
 * Returns whether a jump of a function leads to code that records no call; what is entered through
 * a wrapper records none. A jump with a condition is none of these: what is recorded in front of it
 * may go on in the function. Neither is one of a stub, at *stub or behind: that was called.
 */
static bool is_gone(const struct plan_text *text, const struct slots *slots,
		const struct chosen *chosen, const struct madt_code_function *stub, const struct insn *insn)
{
	const struct insn *entry, *jump;
	if (insn->kind == INSN_JUMP_INDIRECT)
		return insn->relative && (!stub || insn->address < stub->start)
				&& !slot_is_open(text, slots, insn);
	if (insn->kind != INSN_JUMP || !insn->target)
		return false;
	entry = plan_entry(text, insn->target);
	if (entry && entry->entry)
		return entry->hook
				|| (!is_within(chosen->enters, entry->address)
						&& !is_within(chosen->leaves, entry->address));
	jump = stub_at(text, insn->target);
	return jump && !slot_is_open(text, slots, jump);
}

/* The first stub at or behind *at that does not end in front of an address, or NULL. */
static const struct madt_code_function *stub_behind(const struct functions *functions, size_t *at,
		uint32_t address)
{
	while (*at < functions->count
			&& (!(functions->items[*at].kinds & MADT_FUNCTION_STUB)
					|| functions->items[*at].end <= address))
		++*at;
	return *at < functions->count ? &functions->items[*at] : NULL;
}

/* ---------------------------------------------------------------- all functions */

static int leaps_collect(struct leaps *leaps, const struct plan_text *text,
		const struct slots *slots, const struct chosen *chosen)
{
	size_t capacity = 0, stub = 0;
	struct leap *leap = NULL;
	for (size_t i = 0; i < text->count; i++) {
		struct insn *insn = &text->insns[i];
		if (insn->entry) {
			if (!array_reserve(&leaps->items, &capacity, leaps->count, sizeof *leaps->items))
				return ENOMEM;
			leap = &leaps->items[leaps->count++];
			*leap = (struct leap){ .entry = insn->address };
		}
		if (leap)
			insn_note(leap, text, slots, insn);
		insn->gone = is_gone(text, slots, chosen,
				stub_behind(&text->functions, &stub, insn->address), insn);
	}
	return 0;
}

int leaps_find(struct leaps *leaps, const struct plan_text *text, const struct elf_file *file,
		const struct madtcode_choice *choice)
{
	const struct chosen chosen = { choice_cursor(choice, MADT_PROBE_ENTER, false),
		choice_cursor(choice, MADT_PROBE_LEAVE, false) };
	struct slots slots = { .count = 0 };
	int code = slots_read(&slots, file);
	if (!code)
		code = leaps_collect(leaps, text, &slots, &chosen);
	free(slots.items);
	return code;
}

const struct leap *leaps_of(const struct leaps *leaps, uint32_t entry)
{
	static const struct leap none;
	size_t low = 0;
	size_t high = leaps->count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (leaps->items[middle].entry < entry)
			low = middle + 1;
		else
			high = middle;
	}
	return low < leaps->count && leaps->items[low].entry == entry ? &leaps->items[low] : &none;
}

void leaps_free(struct leaps *leaps)
{
	free(leaps->items);
}
