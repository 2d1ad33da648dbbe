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
			&& array_grow(&entry_items, &map->entry_capacity, map->entry_count + 1, sizeof *map->entries)
			&& array_grow(&operand_items, &map->operand_capacity, operands, sizeof *map->operands);
	map->entries = entry_items;
	map->operands = operand_items;
	if (!grown)
		return false;
	struct madt_code_entry *entry = &map->entries[map->entry_count++];
	*entry = site->entry;
	entry->first_operand = (uint32_t)map->operand_count;
	memcpy(map->operands + map->operand_count, site->operands, site->entry.operands * sizeof *site->operands);
	map->operand_count = operands;
	return true;
}

static int entry_compare(const void *a, const void *b)
{
	const struct madt_code_entry *left = a;
	const struct madt_code_entry *right = b;
	return (left->offset > right->offset) - (left->offset < right->offset);
}

/* Equal runs of operands (every push has the same one) stand in the file once: a hash table of entries finds them. */
struct operand_pool {
	struct madt_code_operand *items;
	size_t count;
	uint32_t *slots; /* 1 + index of an entry whose operands are in the pool; 0: empty */
	size_t mask;
};

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

static void pool_enter(struct operand_pool *pool, struct madt_code_entry *entries, size_t number,
		const struct madt_code_operand *operands)
{
	struct madt_code_entry *entry = &entries[number];
	const struct madt_code_operand *wanted = operands + entry->first_operand;
	size_t slot = operands_hash(wanted, entry->operands) & pool->mask;
	for (; pool->slots[slot]; slot = (slot + 1) & pool->mask) {
		const struct madt_code_entry *other = &entries[pool->slots[slot] - 1];
		if (other->operands == entry->operands && memcmp(pool->items + other->first_operand, wanted,
				entry->operands * sizeof *wanted) == 0) {
			entry->first_operand = other->first_operand;
			return;
		}
	}
	pool->slots[slot] = (uint32_t)number + 1;
	memcpy(pool->items + pool->count, wanted, entry->operands * sizeof *wanted);
	entry->first_operand = (uint32_t)pool->count;
	pool->count += entry->operands;
}

static bool operands_share(struct code_map *map)
{
	struct operand_pool pool = { .mask = 1 };
	while (pool.mask < 2 * map->entry_count)
		pool.mask = pool.mask * 2 + 1;
	pool.items = malloc((map->operand_count + 1) * sizeof *pool.items);
	pool.slots = calloc(pool.mask + 1, sizeof *pool.slots);
	bool enough = pool.items && pool.slots;
	for (size_t i = 0; enough && i < map->entry_count; i++)
		pool_enter(&pool, map->entries, i, map->operands);
	free(pool.slots);
	if (!enough) {
		free(pool.items);
		return false;
	}
	free(map->operands);
	map->operands = pool.items;
	map->operand_capacity = map->operand_count + 1;
	map->operand_count = pool.count;
	return true;
}

bool code_map_finish(struct code_map *map)
{
	if (map->entry_count)
		qsort(map->entries, map->entry_count, sizeof *map->entries, entry_compare);
	return operands_share(map);
}

void code_map_free(struct code_map *map)
{
	free(map->entries);
	free(map->operands);
}
