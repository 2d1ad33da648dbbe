#include "map/code_map.h"

#include <stdlib.h>
#include <string.h>

static bool array_grow(void **items, size_t *capacity, size_t needed, size_t item_size)
{
	if (needed <= *capacity)
		return true;
	size_t grown = *capacity ? *capacity : 4096;
	while (grown < needed)
		grown *= 2;
	void *moved = realloc(*items, grown * item_size);
	if (!moved)
		return false;
	*items = moved;
	*capacity = grown;
	return true;
}

bool code_map_add(struct code_map *map, const struct site *site)
{
	size_t operands = map->operand_count + site->entry.operands;
	void *entry_items = map->entries;
	void *operand_items = map->operands;
	bool grown = operands < UINT32_MAX
			&& array_grow(&entry_items, &map->entry_capacity, map->entry_count + 1,
					sizeof *map->entries)
			&& array_grow(&operand_items, &map->operand_capacity, operands, sizeof *map->operands);
	map->entries = entry_items;
	map->operands = operand_items;
	if (!grown)
		return false;
	struct madt_code_entry *entry = &map->entries[map->entry_count++];
	*entry = site->entry;
	entry->first_operand = (uint32_t)map->operand_count;
	memcpy(map->operands + map->operand_count, site->operands,
			site->entry.operands * sizeof *site->operands);
	map->operand_count = operands;
	return true;
}

static int entry_compare(const void *a, const void *b)
{
	const struct madt_code_entry *left = a;
	const struct madt_code_entry *right = b;
	return (left->offset > right->offset) - (left->offset < right->offset);
}

/* ---------------------------------------------------------------- operands that entries share */

static uint64_t operands_hash(const struct madt_code_operand *operands, size_t count)
{
	uint64_t hash = count;
	const size_t words = count * sizeof *operands / 8;
	for (size_t i = 0; i < words; i++) {
		uint64_t word;
		memcpy(&word, (const uint8_t *)operands + 8 * i, 8);
		hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
		hash ^= hash >> 29;
	}
	return hash;
}

/* The slot of these operands, or the empty one in which they are missing. */
static uint32_t *slot_find(const struct operand_pool *pool, const struct madt_code_entry *entries,
		const struct madt_code_operand *items, const struct madt_code_operand *wanted, size_t count)
{
	size_t slot = operands_hash(wanted, count) & pool->mask;
	for (; pool->slots[slot]; slot = (slot + 1) & pool->mask) {
		const struct madt_code_entry *other = &entries[pool->slots[slot] - 1];
		if (other->operands == count
				&& memcmp(items + other->first_operand, wanted, count * sizeof *wanted) == 0)
			break;
	}
	return &pool->slots[slot];
}

/* Half of the slots stay empty. */
static bool pool_grow(struct operand_pool *pool, const struct madt_code_entry *entries,
		const struct madt_code_operand *items)
{
	struct operand_pool grown = *pool;
	if (pool->slots && 2 * pool->used <= pool->mask)
		return true;
	grown.mask = pool->slots ? 2 * pool->mask + 1 : 4095;
	grown.slots = calloc(grown.mask + 1, sizeof *grown.slots);
	if (!grown.slots)
		return false;
	for (size_t i = 0; pool->slots && i <= pool->mask; i++)
		if (pool->slots[i]) {
			const struct madt_code_entry *entry = &entries[pool->slots[i] - 1];
			*slot_find(&grown, entries, items, items + entry->first_operand,
					entry->operands) = pool->slots[i];
		}
	free(pool->slots);
	*pool = grown;
	return true;
}

/*
 * Leads an entry to `items`, where the pool's operands are; if it is the first one with its
 * operands, they are moved there.
 */
static bool pool_enter(struct operand_pool *pool, struct madt_code_entry *entries, size_t number,
		struct madt_code_operand *items, const struct madt_code_operand *wanted)
{
	struct madt_code_entry *entry = &entries[number];
	if (!pool_grow(pool, entries, items))
		return false;
	uint32_t *slot = slot_find(pool, entries, items, wanted, entry->operands);
	if (*slot) {
		entry->first_operand = entries[*slot - 1].first_operand;
		return true;
	}
	*slot = (uint32_t)number + 1;
	pool->used++;
	memmove(items + pool->count, wanted, entry->operands * sizeof *wanted);
	entry->first_operand = (uint32_t)pool->count;
	pool->count += entry->operands;
	return true;
}

bool code_map_share(struct code_map *map)
{
	struct operand_pool *pool = &map->pool;
	for (; pool->entries < map->entry_count; pool->entries++)
		if (!pool_enter(pool, map->entries, pool->entries, map->operands,
					map->operands + map->entries[pool->entries].first_operand))
			return false;
	map->operand_count = pool->count;
	return true;
}

/* In the order of the entries. */
static bool operands_order(struct code_map *map)
{
	struct operand_pool pool = { .count = 0 };
	struct madt_code_operand *items = malloc((map->operand_count + 1) * sizeof *items);
	bool enough = items;
	for (size_t i = 0; enough && i < map->entry_count; i++)
		enough = pool_enter(&pool, map->entries, i, items,
				map->operands + map->entries[i].first_operand);
	free(pool.slots);
	if (!enough) {
		free(items);
		return false;
	}
	free(map->operands);
	map->operands = items;
	map->operand_capacity = map->operand_count + 1;
	map->operand_count = pool.count;
	return true;
}

void code_map_cut(struct code_map *map, const struct text *text)
{
	struct functions *functions = &map->functions;
	size_t kept = 0;
	for (size_t i = 0; i < functions->count; i++) {
		struct madt_code_function function = functions->items[i];
		const struct text_area *area = text_area_at(text, function.start);
		if (!area)
			continue;
		if (function.end > area->end)
			function.end = (uint32_t)area->end;
		functions->items[kept++] = function;
	}
	functions->count = kept;
	functions_sort(functions);
}

bool code_map_finish(struct code_map *map)
{
	if (map->entry_count)
		qsort(map->entries, map->entry_count, sizeof *map->entries, entry_compare);
	return operands_order(map);
}

void code_map_free(struct code_map *map)
{
	free(map->entries);
	free(map->operands);
	free(map->pool.slots);
	free(map->functions.items);
}
