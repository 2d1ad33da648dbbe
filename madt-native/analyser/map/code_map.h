/*
 * A code map in the making: entries and operands in memory, then ordered, then written in one
 * piece.
 */
#ifndef MADT_CODE_MAP_H
#define MADT_CODE_MAP_H

#include <stdbool.h>
#include <stddef.h>

#include "elf/build_id.h"
#include "elf/functions.h"
#include "elf/text.h"
#include "base/failure.h"
#include "decode/site.h"

/*
 * Equal runs of operands (every push has the same one) are there once: a hash table of entries
 * finds them.
 */
struct operand_pool {
	uint32_t *slots; /* 1 + index of an entry whose operands are in the pool; 0: empty */
	size_t mask;
	size_t used;    /* slots */
	size_t count;   /* operands in the pool */
	size_t entries; /* so many entries share theirs */
};

struct code_map {
	/* the counts of bytes and instructions grow while the text is walked */
	struct madt_codemap header;
	struct madt_code_entry *entries;
	size_t entry_count;
	size_t entry_capacity;
	struct madt_code_operand *operands;
	size_t operand_count;
	size_t operand_capacity;
	struct operand_pool pool;
	struct functions functions; /* as the file tells them, until code_map_cut */
};

/* Adds one site. False: no memory, or more operands than 32 bits can number. */
bool code_map_add(struct code_map *map, const struct site *site);

/*
 * Shares equal operands of what was added so far: they must not be changed from now on. False: no
 * memory.
 */
bool code_map_share(struct code_map *map);

/* Leaves of the functions what lies in the text. */
void code_map_cut(struct code_map *map, const struct text *text);

/* Orders the entries by offset, and shares equal operands. False: no memory. */
bool code_map_finish(struct code_map *map);

/*
 * Fills in the rest of the header and writes the file: a temporary one beside `path`, then a
 * rename.
 */
int code_map_write(struct code_map *map, const struct build_id *id, const char *path,
		struct failure *failure);

void code_map_free(struct code_map *map);

#endif
