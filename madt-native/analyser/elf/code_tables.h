/*
 * Tables that indirect jumps take their targets from. Three kinds:
 *
 *   distances  lea r, [rip + table]: 32-bit distances from the table, as gcc and clang write
 *              switches for PIC
 *   addresses  jmp [table + r * 8]: switches in programs at fixed addresses
 *   labels     tables of code addresses (computed goto) that relocations fill in
 *
 * No table says where it ends. Whoever asks is shown one target after the other, and says of each
 * whether it can be one.
 */
#ifndef MADT_CODE_TABLES_H
#define MADT_CODE_TABLES_H

#include <stdbool.h>

#include "elf/elf_file.h"

struct code_tables {
	const struct elf_file *file;
	/*
	 * False: the table ended before this target. Where it is not `sure`, something else that the
	 * code names may lie there.
	 */
	bool (*target)(void *context, uint64_t target, bool sure);
	void *context;
	const Elf64_Phdr *segment; /* the one read last */
	uint8_t *bytes;
	int code; /* an errno value */
};

/* Sorts the tables, of which some may be there more than once. */
void code_tables_distances(struct code_tables *tables, uint64_t *addresses, size_t count);
void code_tables_addresses(struct code_tables *tables, uint64_t table);
void code_tables_relocations(struct code_tables *tables);

/* 0, or an errno value with the text in the file's failure. */
int code_tables_end(struct code_tables *tables);

#endif
