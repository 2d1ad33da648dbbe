/* Copies of patched text that the program makes by its own loads: splice_copies.c. */
#ifndef MADT_SPLICE_COPIES_H
#define MADT_SPLICE_COPIES_H

#include "base/base.h"

struct module;

/* A jump of a plan in a copy of the text that it stands in. */
struct copied_jump {
	const struct module *module;
	uintptr_t jump; /* its address in the module */
	uintptr_t
			resumes; /* the instruction there that leads to it: another one's if it is a springboard */
	uintptr_t distance; /* from the module's text to the copy */
	struct range equal; /* of the copy: what is as the module's patched text has it */
};

/* Returns whether a jump of so many bytes may be one of this module's plan, or of any. */
bool copied_jump_of(const struct module *module, int32_t relative);
bool copied_jump_possible(int32_t relative);
/* Returns whether there is code in the range: the target's, or a plan's. */
bool copied_meets_code(struct range range);
/*
 * Returns whether jumps in copies there may lead to code; else they lead where nothing can be
 * fetched.
 */
bool copied_leads_to_code(struct range copy);
/* Finds which one stands at this address in `room`. False: none, or several are equally like it. */
bool copied_jump_find(uintptr_t at, int32_t relative, struct range room, struct copied_jump *found);
/* The jump whose trampoline begins there: its address in the module and where it resumes. */
bool copied_jump_to(const struct module *module, uintptr_t trampoline, struct copied_jump *found);

/* Copies bytes of the target's memory; stops at memory that is not there. */
size_t copied_read(void *to, uintptr_t from, size_t size);

#endif
