/*
 * Where functions are: a growing list of address ranges, as .eh_frame, the symbol tables, the
 * dynamic section and the PLT tell them. Everybody who asks where a function begins or ends, in the
 * analyser and in the launcher, asks this table: it stands in the code map.
 */
#ifndef MADT_FUNCTIONS_H
#define MADT_FUNCTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "elf/elf_file.h"
#include "madt_layout.h"

struct functions {
	struct madt_code_function *items;
	size_t count;
	size_t capacity;
};

/*
 * Adds `size` bytes from an ELF virtual address; 0: something begins here, nobody knows how long it
 * is. False if there is no memory. What lies at 4 GiB or above is left out: no code is there.
 */
bool functions_add(struct functions *functions, uint64_t start, uint64_t size, uint32_t kinds,
		uint64_t where);

/* By start, the longer first, stubs last; what is told several times is one row of all its kinds. */
void functions_sort(struct functions *functions);

/*
 * Reads what a file tells, sorted, with MADT_FUNCTION_ENTRY where functions are entered. 0, or an
 * errno value with the text in the file's failure. Free `items` in either case.
 */
int functions_read(const struct elf_file *file, struct functions *functions);

/*
 * Adds the function symbols of .dynsym and .symtab, those without a size as empty ranges. Result as
 * above.
 */
int function_symbols_add(const struct elf_file *file, struct functions *functions);

/* Adds the functions of a Go program's own table. Result as above. */
int go_functions_add(const struct elf_file *file, struct functions *functions);

/*
 * Adds the entry, constructors, finalisers and resolvers of indirect functions as empty ranges.
 * Result as above.
 */
int dynamic_starts_add(const struct elf_file *file, struct functions *functions);

/* Adds the entries of the PLT, with the slots that they jump through. Result as above. */
int function_stubs_add(const struct elf_file *file, struct functions *functions);

/* Returns whether a section holds entries of the PLT. */
bool section_has_stubs(const struct elf_file *file, const Elf64_Shdr *section);

#endif
