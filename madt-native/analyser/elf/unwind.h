/* The one reader of .eh_frame. */
#ifndef MADT_UNWIND_H
#define MADT_UNWIND_H

#include <stdbool.h>
#include <stdint.h>

#include "elf/elf_file.h"

/* What an FDE tells; ELF virtual addresses. */
struct unwind_range {
	uint64_t start;
	uint64_t covered; /* bytes */
	uint64_t record;  /* the FDE itself */
	uint64_t table;   /* the function's exception table, or 0 */
	/*
	 * The first instruction finds the stack as a call leaves it: it is no part of another function.
	 */
	bool called;
	bool signal; /* of a signal frame (augmentation S) */
};

/* False: no memory. */
typedef bool unwind_take(void *context, const struct unwind_range *range);

/*
 * Shows every FDE of .eh_frame. 0, or an errno value with the text in the file's failure.
 */
int unwind_each(const struct elf_file *file, unwind_take *take, void *context);

#endif
