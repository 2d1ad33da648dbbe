/*
 * Where control comes to the midst of an instruction, as far as branches, addresses that the code
 * names, tables and relocations tell: the bytes there are an instruction as well.
 */
#ifndef MADT_INNER_STARTS_H
#define MADT_INNER_STARTS_H

#include "decode/decoder.h"
#include "elf/code_tables.h"
#include "elf/text.h"

struct address_list {
	uint64_t *items;
	size_t count;
	size_t capacity;
};

struct inner_starts {
	const struct text *text;
	struct address_list targets;              /* of branches, and what lea names */
	struct address_list distances, addresses; /* tables, see code_tables.h */
	struct address_list found;                /* to be taken */
	bool full;                                /* no memory */
};

/* Notes where an instruction of a function may lead. */
void inner_starts_note(struct inner_starts *inner, const struct instruction *instruction);

/* False: there are none that are not known yet. *code: 0, or an errno value. */
bool inner_starts_find(struct inner_starts *inner, const struct elf_file *file, int *code);

/* Takes one of those that were found. False: there is none. */
bool inner_starts_take(struct inner_starts *inner, uint64_t *start);

void inner_starts_free(struct inner_starts *inner);

#endif
