/* Where functions may go on by a jump, at the stack pointer that they were entered with. */
#ifndef MADT_PLAN_LEAPS_H
#define MADT_PLAN_LEAPS_H

#include "cfg/plan_text.h"
#include "probe/probe.h"

/* What is known of a function: see enum madt_leap. */
struct leap {
	uint32_t entry; /* address of the instruction whose probe tells of it */
	uint16_t targets;
	uint8_t kinds;
};

struct leaps {
	struct leap *items; /* by entry */
	size_t count;
};

/*
 * Of all functions whose entries are marked, whether they are recorded or not; 0 or an errno value.
 * To be freed. Marks the jumps to what records no call.
 */
int leaps_find(struct leaps *leaps, const struct plan_text *text, const struct elf_file *file,
		const struct madtcode_choice *choice);
/* Of the function that begins at this instruction; never NULL. */
const struct leap *leaps_of(const struct leaps *leaps, uint32_t entry);
void leaps_free(struct leaps *leaps);

#endif
