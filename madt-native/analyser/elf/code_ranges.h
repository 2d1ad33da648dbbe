/*
 * Where functions are: a growing list of address ranges, as .eh_frame and the symbol tables tell
 * them.
 */
#ifndef MADT_CODE_RANGES_H
#define MADT_CODE_RANGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "elf/elf_file.h"

struct code_range {
	uint64_t start; /* ELF virtual addresses */
	/* one past the last; start == end: something begins here, nobody knows how long it is */
	uint64_t end;
};

struct code_ranges {
	struct code_range *items;
	size_t count;
	size_t capacity;
};

/* False if there is no memory. Ranges whose end lies before their start are left out. */
bool code_ranges_add(struct code_ranges *ranges, uint64_t start, uint64_t size);

/* By start, the longer first, each only once. */
void code_ranges_sort(struct code_ranges *ranges);

/*
 * Adds what every FDE of .eh_frame covers. 0, or an errno value with the text in the file's
 * failure.
 */
int unwind_ranges_add(const struct elf_file *file, struct code_ranges *ranges);

/*
 * Adds the functions of .eh_frame alone whose first instruction finds the stack as a call leaves
 * it: no parts of others.
 */
int unwind_functions_add(const struct elf_file *file, struct code_ranges *functions);

/*
 * Adds a function's start as `start` and the address of its exception table as `end`, for every FDE
 * that names one.
 */
int unwind_tables_add(const struct elf_file *file, struct code_ranges *tables);

/*
 * Adds the function symbols of .dynsym and .symtab, those without a size as empty ranges. Result as
 * above.
 */
int symbol_ranges_add(const struct elf_file *file, struct code_ranges *ranges);

/*
 * Adds the entry, constructors, finalisers and resolvers of indirect functions as empty ranges.
 * Result as above.
 */
int dynamic_starts_add(const struct elf_file *file, struct code_ranges *ranges);

#endif
