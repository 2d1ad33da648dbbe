#include "map/inner_starts.h"

#include <stdlib.h>

#define INSN_BYTES_MAX 15

static void list_add(struct inner_starts *inner, struct address_list *list, uint64_t address)
{
	if (list->count == list->capacity) {
		size_t capacity = list->capacity ? 2 * list->capacity : 1024;
		uint64_t *items = realloc(list->items, capacity * sizeof *items);
		inner->full |= !items;
		if (!items)
			return;
		list->items = items;
		list->capacity = capacity;
	}
	list->items[list->count++] = address;
}

static uint8_t start_at(const struct text_area *area, uint64_t address)
{
	return area->starts[address - area->start];
}

/*
 * Returns whether nothing is known to start here, but an instruction begins before and ends behind.
 */
static bool is_inner(const struct text_area *area, uint64_t address)
{
	if (start_at(area, address))
		return false;
	for (unsigned back = 1; back < INSN_BYTES_MAX && address - area->start >= back; back++)
		if ((start_at(area, address - back) & TEXT_LENGTH) > back)
			return true;
	return false;
}

static void target_note(struct inner_starts *inner, uint64_t target)
{
	const struct text_area *area = text_area_at(inner->text, target);
	if (area && !start_at(area, target))
		list_add(inner, &inner->targets, target);
}

void inner_starts_note(struct inner_starts *inner, const struct instruction *instruction)
{
	const struct insn *insn = &instruction->insn;
	const struct reference *reference = &instruction->reference;
	const struct madt_code_operand *operand = instruction->site.operands;
	if (insn->flags & INSN_BRANCHES)
		target_note(inner, insn->target);
	if (reference->bytes && reference->names_only) {
		target_note(inner, reference->address);
		if (!text_area_at(inner->text, reference->address))
			list_add(inner, &inner->distances, reference->address);
	}
	if (insn->kind == INSN_JUMP_INDIRECT && instruction->site.entry.operands
			&& operand->base == MADT_REGISTER_NONE && operand->index != MADT_REGISTER_NONE
			&& operand->scale == 8)
		list_add(inner, &inner->addresses, (uint64_t)operand->displacement);
}

/* An entry of a table. */
static bool table_target(void *context, uint64_t target, bool sure)
{
	struct inner_starts *inner = context;
	const struct text_area *area = text_area_at(inner->text, target);
	if (!area)
		return false;
	if (start_at(area, target))
		return start_at(area, target) != TEXT_BAD;
	if (!sure || !is_inner(area, target))
		return false;
	list_add(inner, &inner->found, target);
	return true;
}

static int tables_find(struct inner_starts *inner, const struct elf_file *file)
{
	struct code_tables tables = { .file = file, .target = table_target, .context = inner };
	code_tables_distances(&tables, inner->distances.items, inner->distances.count);
	for (size_t i = 0; i < inner->addresses.count && !tables.code; i++)
		code_tables_addresses(&tables, inner->addresses.items[i]);
	code_tables_relocations(&tables);
	return code_tables_end(&tables);
}

bool inner_starts_find(struct inner_starts *inner, const struct elf_file *file, int *code)
{
	for (size_t i = 0; i < inner->targets.count; i++) {
		const uint64_t target = inner->targets.items[i];
		if (is_inner(text_area_at(inner->text, target), target))
			list_add(inner, &inner->found, target);
	}
	inner->targets.count = 0;
	*code = tables_find(inner, file);
	return inner->found.count && !inner->full && !*code;
}

bool inner_starts_take(struct inner_starts *inner, uint64_t *start)
{
	if (!inner->found.count)
		return false;
	*start = inner->found.items[--inner->found.count];
	return true;
}

void inner_starts_free(struct inner_starts *inner)
{
	free(inner->targets.items);
	free(inner->distances.items);
	free(inner->addresses.items);
	free(inner->found.items);
}
