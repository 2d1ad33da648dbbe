/*
 * Which table an indirect jump goes by: slice_target finds where the jump's target is loaded from,
 * slice_bound how many entries there are. Where nobody says so, the table ends in front of what is
 * no instruction of the function, or has another name.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/pack.h"
#include "cfg/slice.h"

#define ENTRIES_MAX 8192
#define GUESSES_MAX 500

/* What the loader writes into a file's data. */
struct relocation {
	uint64_t at;
	uint64_t target;
};

struct switches {
	struct plan_text *text;
	const struct elf_file *file;
	struct slice slice;
	struct relocation *relocations; /* by address */
	size_t relocation_count;
	size_t relocation_capacity;
	const Elf64_Phdr *segment; /* the one read last */
	uint8_t *bytes;
	int code;
};

/* ---------------------------------------------------------------- what stands in tables */

static int relocation_compare(const void *a, const void *b)
{
	const struct relocation *left = a;
	const struct relocation *right = b;
	return (left->at > right->at) - (left->at < right->at);
}

static void relocations_read(struct switches *switches)
{
	const struct elf_file *file = switches->file;
	for (uint32_t i = 0; i < file->section_count && !switches->code; i++) {
		const Elf64_Shdr *section = &file->sections[i];
		if (section->sh_type != SHT_RELA || !(section->sh_flags & SHF_ALLOC))
			continue;
		Elf64_Rela *rows = elf_file_read(file, section->sh_offset, section->sh_size, "relocations",
				&switches->code);
		for (uint64_t k = 0; rows && k < section->sh_size / sizeof *rows; k++) {
			if (ELF64_R_TYPE(rows[k].r_info) != R_X86_64_RELATIVE)
				continue;
			if (!array_reserve(&switches->relocations, &switches->relocation_capacity,
						switches->relocation_count, sizeof *switches->relocations)) {
				switches->code = ENOMEM;
				break;
			}
			switches->relocations[switches->relocation_count++] = (struct relocation){
				rows[k].r_offset, (uint64_t)rows[k].r_addend
			};
		}
		free(rows);
	}
	if (switches->relocation_count)
		qsort(switches->relocations, switches->relocation_count, sizeof *switches->relocations,
				relocation_compare);
}

/* Copies `size` bytes of the file's image. False: there are none. */
static bool image_read(struct switches *switches, uint64_t address, void *to, size_t size)
{
	const Elf64_Phdr *segment = elf_file_segment_at(switches->file, address);
	if (!segment || segment->p_vaddr + segment->p_filesz - address < size)
		return false;
	if (segment != switches->segment) {
		free(switches->bytes);
		switches->bytes = elf_file_read(switches->file, segment->p_offset, segment->p_filesz,
				"segment with tables", &switches->code);
		switches->segment = switches->bytes ? segment : NULL;
	}
	if (!switches->bytes)
		return false;
	memcpy(to, switches->bytes + (address - segment->p_vaddr), size);
	return true;
}

/* Finds where an entry leads. False: there is none. */
static bool entry_read(struct switches *switches, const struct value *value, uint32_t number,
		uint64_t *target)
{
	const struct relocation key = { .at = value->number + 8 * (uint64_t)number };
	int32_t distance;
	if (value->kind == VALUE_TARGET) {
		if (!image_read(switches, value->number + 4 * (uint64_t)number, &distance, sizeof distance))
			return false;
		*target = value->base + (uint64_t)(int64_t)distance;
		return true;
	}
	const struct relocation *found = switches->relocation_count
			? bsearch(&key, switches->relocations, switches->relocation_count, sizeof key,
					relocation_compare)
			: NULL;
	if (found)
		*target = found->target;
	return found || image_read(switches, key.at, target, sizeof *target);
}

/* ---------------------------------------------------------------- where tables end */

/* The next address behind a table's that the code names, outside of itself. */
static uint64_t name_behind(const struct plan_text *text, uint64_t table)
{
	size_t low = 0, high = text->table_count;
	while (low < high) {
		const size_t middle = low + (high - low) / 2;
		if (text->tables[middle] <= table)
			low = middle + 1;
		else
			high = middle;
	}
	return low < text->table_count ? text->tables[low] : UINT64_MAX;
}

struct table {
	struct value value;
	uint32_t bound; /* entries; 0: nobody knows */
	bool sure;      /* it has so many; else the bound is the most that the index can be */
};

/* Behind another function's start lies a part of this one, or the table has ended. */
static bool is_case(const struct switches *switches, uint64_t target, const struct table *table)
{
	const struct plan_text *text = switches->text;
	const bool here = target >= switches->slice.start && target < switches->slice.end;
	if (!plan_text_holds(text, target))
		return false;
	if (table->bound && table->sure && here)
		return plan_text_has(text, target, 1, MARK_PROVEN);
	return (table->bound || here) && plan_text_insn(text, target);
}

static unsigned entry_size(const struct table *table)
{
	return table->value.kind == VALUE_TARGET ? 4 : 8;
}

/* Looks up the entries. Returns how many there are; with `keep` they are noted, and marked. */
static uint32_t cases_read(struct switches *switches, const struct table *table, bool keep)
{
	struct plan_text *text = switches->text;
	const uint64_t start = table->value.number;
	const uint64_t end = table->bound && table->sure ? UINT64_MAX : name_behind(text, start);
	const uint32_t limit = table->bound ? table->bound : ENTRIES_MAX;
	uint32_t count = 0;
	uint64_t target;
	for (; count < limit && start + (uint64_t)entry_size(table) * count < end
			&& entry_read(switches, &table->value, count, &target)
			&& is_case(switches, target, table);
			count++) {
		if (!keep)
			continue;
		if (!array_reserve(&text->cases, &text->case_capacity, text->case_count,
					sizeof *text->cases)) {
			switches->code = ENOMEM;
			break;
		}
		text->cases[text->case_count++] = (uint32_t)target;
		plan_text_mark(text, target, 1, MARK_TARGET);
	}
	return count;
}

static void table_keep(struct switches *switches, uint32_t jump, const struct table *table)
{
	struct plan_text *text = switches->text;
	struct switch_jump row = { jump, (uint32_t)text->case_count, 0 };
	row.count = cases_read(switches, table, true);
	if (!row.count)
		return;
	if (array_reserve(&text->jumps, &text->jump_capacity, text->jump_count, sizeof *text->jumps))
		text->jumps[text->jump_count++] = row;
	else
		switches->code = ENOMEM;
}

/* ---------------------------------------------------------------- jumps */

/* The narrowest known range around an address: where functions begin is in order. */
static bool function_enter(struct switches *switches, uint32_t address)
{
	const struct functions *functions = &switches->text->functions;
	const struct madt_code_function *found = NULL;
	if (address >= switches->slice.start && address < switches->slice.end)
		return true;
	for (size_t i = 0; i < functions->count && functions->items[i].start <= address; i++)
		if (functions->items[i].end > address && !(functions->items[i].kinds & MADT_FUNCTION_STUB))
			found = &functions->items[i];
	if (!found)
		return false;
	if (!slice_enter(&switches->slice, found->start, found->end))
		switches->code = ENOMEM;
	return !switches->code;
}

/* jmp [rip + slot] goes by no table. */
static bool may_switch(const struct insn *insn)
{
	return insn->kind == INSN_JUMP_INDIRECT && !insn->relative;
}

/* False: nothing is known. */
static bool table_find(struct switches *switches, const struct insn *jump, struct table *table)
{
	table->value = slice_target(&switches->slice, jump);
	if (table->value.kind != VALUE_TARGET && table->value.kind != VALUE_LABEL)
		return false;
	table->bound = slice_bound(&switches->slice, &table->value, entry_size(table), &table->sure);
	return true;
}

/*
 * Registers that hold a table's address throughout a loop seem to hold something else where a call
 * does not return. Of the addresses that the function names, the one is taken whose table has all
 * the entries that there must be, the last one in front of the jump.
 */
static bool table_guess(struct switches *switches, const struct insn *jump, struct table *table)
{
	const struct plan_text *text = switches->text;
	const struct insn *end = text->insns + text->count;
	const struct insn *insn = plan_text_insn(text, switches->slice.start);
	struct decoded decoded;
	bool found = false;
	for (unsigned tries = 0; insn && insn < end && insn->address < switches->slice.end
			&& tries < GUESSES_MAX && !(found && insn > jump);
			insn++) {
		if (!insn->relative || insn->flags & INSN_LOADS || insn->kind != INSN_PLAIN
				|| !slice_decode(&switches->slice, insn, &decoded)
				|| decoded.instruction.mnemonic != ZYDIS_MNEMONIC_LEA)
			continue;
		struct table guess;
		switches->slice.assumed = decoded.address + insn->length
				+ (uint64_t)decoded.operands[1].mem.disp.value;
		tries++;
		if (!table_find(switches, jump, &guess) || !guess.bound
				|| cases_read(switches, &guess, false) != guess.bound)
			continue;
		*table = guess;
		found = true;
	}
	switches->slice.assumed = 0;
	return found;
}

/* Returns whether the jump's target is loaded from a table wherever that lies. */
static bool is_loaded(struct switches *switches, const struct insn *jump)
{
	struct table table;
	switches->slice.assumed = 1;
	const bool loaded = table_find(switches, jump, &table);
	switches->slice.assumed = 0;
	return loaded && table.bound;
}

/* Returns whether something new is known. */
static bool jump_follow(struct switches *switches, const struct insn *jump)
{
	struct plan_text *text = switches->text;
	const size_t before = text->jump_count;
	struct table table;
	if (table_find(switches, jump, &table)
			|| (is_loaded(switches, jump) && table_guess(switches, jump, &table)))
		table_keep(switches, jump->address, &table);
	if (text->jump_count == before || switches->code)
		return false;
	const struct switch_jump *row = &text->jumps[before];
	if (!slice_lead(&switches->slice, row->jump, text->cases + row->first, row->count))
		switches->code = ENOMEM;
	return true;
}

static bool is_known(const struct plan_text *text, size_t first, uint32_t jump)
{
	for (size_t i = first; i < text->jump_count; i++)
		if (text->jumps[i].jump == jump)
			return true;
	return false;
}

static int jump_compare(const void *a, const void *b)
{
	const struct switch_jump *left = a;
	const struct switch_jump *right = b;
	return (left->jump > right->jump) - (left->jump < right->jump);
}

/*
 * The jumps of one function, from `first` on: where one leads tells what is known at others. Stops
 * in front of the next function's.
 */
static size_t function_follow(struct switches *switches, size_t first)
{
	struct plan_text *text = switches->text;
	const size_t known = text->jump_count;
	size_t next = first + 1;
	if (!function_enter(switches, text->insns[first].address))
		return next;
	while (next < text->count && text->insns[next].address < switches->slice.end)
		next++;
	for (bool more = true; more && !switches->code;) {
		more = false;
		for (size_t i = first; i < next; i++)
			if (may_switch(&text->insns[i]) && !is_known(text, known, text->insns[i].address))
				more |= jump_follow(switches, &text->insns[i]);
	}
	if (text->jump_count > known)
		qsort(text->jumps + known, text->jump_count - known, sizeof *text->jumps, jump_compare);
	return next;
}

int switches_find(struct plan_text *text, const struct elf_file *file)
{
	struct switches switches = { .text = text, .file = file };
	text->jump_count = text->case_count = 0;
	if (!slice_make(&switches.slice, text))
		return failure_set(text->failure, ENOSYS, "Zydis cannot decode 64-bit code");
	relocations_read(&switches);
	for (size_t i = 0; i < text->count && !switches.code;)
		i = may_switch(&text->insns[i]) ? function_follow(&switches, i) : i + 1;
	slice_free(&switches.slice);
	free(switches.relocations);
	free(switches.bytes);
	return switches.code == ENOMEM
			? failure_set(text->failure, ENOMEM, "no memory for its tables of jumps")
			: switches.code;
}

struct jump_table plan_text_table(const struct plan_text *text, uint32_t jump)
{
	size_t low = 0, high = text->jump_count;
	while (low < high) {
		const size_t middle = low + (high - low) / 2;
		if (text->jumps[middle].jump < jump)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == text->jump_count || text->jumps[low].jump != jump)
		return (struct jump_table){ .count = 0 };
	return (struct jump_table){ jump, text->jumps[low].count,
		text->cases + text->jumps[low].first };
}
