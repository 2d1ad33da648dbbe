/* Text that plans change: splice_text.c. */
#ifndef MADT_SPLICE_TEXT_H
#define MADT_SPLICE_TEXT_H

#include "madt_runs.h"
#include "module/module.h"

static inline const void *plan_table(const struct madt_plan *plan, struct madt_plan_table where)
{
	return (const char *)plan + where.offset;
}

/* All rows of a packed table. */
static inline struct madt_plan_rows plan_rows(const struct madt_plan *plan,
		struct madt_plan_table where)
{
	return madt_plan_rows_from(plan_table(plan, where), where.count, 0);
}

/* Its last row with this key or a smaller one, or false. */
static inline bool plan_row(const struct madt_plan *plan, struct madt_plan_table where,
		uint32_t key, struct madt_plan_row *row)
{
	return madt_plan_rows_find(plan_table(plan, where), where.count, key, row);
}

/* At any address; a string instruction takes ten times as long for so few bytes. */
struct number {
	uint32_t value;
} __attribute__((packed, may_alias));

/*
 * Editions, see splice_edition.c. One is taken from the plan's file, if it has one; it is on, or
 * patches must be written; it is off, with these rights of the module's own text, or left for good;
 * and dropped with the module. After fork, in which another thread may have been about to do that.
 */
void edition_take(struct module *module, long fd);
bool edition_on(struct module *module);
void edition_off(struct module *module, int protection);
void edition_leave(struct module *module, int protection);
void edition_protect(const struct module *module, int protection); /* what is in its place */
void edition_drop(struct module *module);
void edition_after_fork(struct module *module);

/* All patches. Anew: what stands there is forgotten before. */
void text_patch(struct module *module, bool anew);
/* The patch that this instruction is in, if it is one that needs no other. */
void text_patch_at(const struct module *module, uintptr_t code);
/* The file's text, but for what a thread may be in the midst of. */
void text_rest(struct module *module);
/*
 * Private pages of a file become the file's again (madvise(2), MADV_DONTNEED); the loader changed
 * none of them, or there were no plan.
 */
void text_restore(struct module *module);
void text_restore_at(struct module *module, struct range pages);

#endif
