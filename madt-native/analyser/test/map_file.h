/* A code map file in memory, for the checks. */
#ifndef MADT_MAP_FILE_H
#define MADT_MAP_FILE_H

#include "madt_layout.h"

struct map_file {
	struct madt_codemap *header;
	const struct madt_code_entry *entries;
	const struct madt_code_operand *operands;
	const struct madt_code_function *functions;
};

/*
 * Builds and checks the map of an ELF file, and reads it. Ends the check with a text if one of
 * these fails.
 */
struct map_file map_file_make(const char *elf_path, const char *map_path);

/* The entry at an ELF virtual address, or NULL. */
const struct madt_code_entry *map_file_entry(const struct map_file *map, uint64_t address);

/* The bytes of a file, to be freed. */
uint8_t *file_bytes(const char *path, size_t *size);

#endif
