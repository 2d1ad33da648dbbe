/* Text that plans change: splice_text.c. */
#ifndef MADT_SPLICE_TEXT_H
#define MADT_SPLICE_TEXT_H

#include "module/module.h"

static inline const void *plan_table(const struct madt_plan *plan, struct madt_plan_table where)
{
	return (const char *)plan + where.offset;
}

/* At any address; a string instruction takes ten times as long for so few bytes. */
struct number {
	uint32_t value;
} __attribute__((packed, may_alias));

/* All patches. Anew: what stands there is forgotten before. */
void text_patch(const struct module *module, bool anew);
/* The patch that this instruction is in, if it is one that needs no other. */
void text_patch_at(const struct module *module, uintptr_t code);
/* The file's text, but for what a thread may be in the midst of. */
void text_rest(const struct module *module);
/*
 * Private pages of a file become the file's again (madvise(2), MADV_DONTNEED); the loader changed
 * none of them, or there were no plan.
 */
void text_restore(const struct module *module);

#endif
