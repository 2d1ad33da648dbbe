/* A code map in memory, on its way to a file. */
#ifndef MADT_CODEMAP_BUILD_H
#define MADT_CODEMAP_BUILD_H

#include "code_ranges.h"
#include "elf_file.h"
#include "madt_layout.h"

struct codemap_build {
	struct madt_codemap head;
	struct madt_code_entry *entries;
	size_t entry_room;
	struct madt_code_operand *operands;
	size_t operand_room;
};

/* Decodes every executable segment: the functions in `ranges` first, then what lies between them. */
int codemap_build(const struct elf_file *file, const struct code_ranges *ranges, struct codemap_build *build);
void codemap_build_free(struct codemap_build *build);

/* Completes the head and writes the file, which changes at once or not at all. */
int codemap_write(struct codemap_build *build, const char *path, struct failure *failure);

#endif
