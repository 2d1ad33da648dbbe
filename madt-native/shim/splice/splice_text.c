/*
 * The text of modules: patches written, all of them or one, and the file's text again. Where other
 * threads may be in it, the caller sees to them (splice_begin.c).
 */
#include "splice/splice_text.h"

#include "splice/splice.h"
#include "thread/thread.h"

#include <sys/mman.h>

#define JUMP_BYTES 5
#define SHORT_BYTES 2
#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

static void jump_write(uint8_t *at, int32_t relative)
{
	*at = 0xe9;
	((struct number *)(at + 1))->value = (uint32_t)relative;
}

static void patch_write(const struct module *module, const struct madt_plan_patch *patch)
{
	uint8_t *at = (uint8_t *)module->bias + patch->address;

	if (patch->length == 1) {
		*at = 0xcc;
		return;
	}
	if (patch->tactic == MADT_TACTIC_NEAR) {
		at[0] = 0xeb;
		at[1] = (uint8_t)patch->relative;
	} else {
		jump_write(at, patch->relative);
	}
	for (unsigned i = patch->tactic == MADT_TACTIC_NEAR ? SHORT_BYTES : JUMP_BYTES;
			i < patch->length; i++)
		at[i] = 0xcc;
}

/* Those in these pages, which can be written, from *door on. */
static void doors_write(const struct module *module, struct range pages,
		const struct madt_plan_door **door)
{
	const struct madt_plan_door *last = (const struct madt_plan_door *)plan_table(module->plan,
												module->plan->doors)
			+ module->plan->doors.count;

	for (; *door < last && module->bias + (*door)->address < pages.end; ++*door)
		if (module->bias + (*door)->address >= pages.start)
			jump_write((uint8_t *)module->bias + (*door)->address, (*door)->relative);
}

/* Patches whose pages follow one another. */
struct patched {
	struct madt_plan_rows first; /* turned to the first of them */
	uint32_t count;
	struct range pages;
};

/* Turns `row` from the first of them to the patch behind them; *more: whether there is one. */
static struct patched patched_pages(const struct module *module, struct madt_plan_rows *row,
		bool *more)
{
	struct patched found = { *row, 0, { PAGE_DOWN(module->bias + row->row.key), 0 } };

	do {
		const struct madt_plan_patch patch = madt_plan_patch_of(row->row);

		found.pages.end = PAGE_UP(module->bias + patch.address + patch.length);
		found.count++;
		*more = madt_plan_rows_next(row);
	} while (*more && PAGE_DOWN(module->bias + row->row.key) <= found.pages.end);
	return found;
}

static void patches_write(const struct module *module, const struct patched *patched)
{
	struct madt_plan_rows row = patched->first;

	for (uint32_t i = 0; i < patched->count; i++, madt_plan_rows_next(&row)) {
		const struct madt_plan_patch patch = madt_plan_patch_of(row.row);

		if (!calm_has(module->bias + patch.address))
			patch_write(module, &patch);
	}
}

static void all_write(const struct module *module, bool anew)
{
	struct madt_plan_rows row = plan_rows(module->plan, module->plan->patches);
	const struct madt_plan_door *door = plan_table(module->plan, module->plan->doors);
	bool more = madt_plan_rows_next(&row);

	while (more) {
		const struct patched patched = patched_pages(module, &row, &more);
		struct range pages = patched.pages;

		if (sys_failed(SYS3(__NR_mprotect, pages.start, pages.end - pages.start,
					PROT_READ | PROT_WRITE)))
			continue;
		if (anew)
			SYS3(__NR_madvise, pages.start, pages.end - pages.start, MADV_DONTNEED);
		/* all at once; where the kernel does not know it (before Linux 5.14), by a fault a page */
		SYS3(__NR_madvise, pages.start, pages.end - pages.start, MADV_POPULATE_WRITE);
		patches_write(module, &patched);
		doors_write(module, pages, &door);
		SYS3(__NR_mprotect, pages.start, pages.end - pages.start, PROT_READ | PROT_EXEC);
	}
}

static void text_open(const struct module *module)
{
	if (module->plan->edition.size)
		edition_protect(module, PROT_READ | PROT_EXEC);
}

/* Where its own text comes back, nobody runs in it before its patches are there. */
void text_patch(struct module *module, bool anew)
{
	if (!calm_touches((struct range){ module->start, module->end }) && edition_on(module))
		return;
	edition_leave(module, PROT_READ);
	all_write(module, anew);
	text_open(module);
}

/* The patch in which the instruction is. False: it is in none. */
static bool patch_around(const struct module *module, uintptr_t code, struct madt_plan_patch *patch)
{
	struct madt_plan_row row;

	if (!plan_row(module->plan, module->plan->patches, (uint32_t)(code - module->bias), &row))
		return false;
	*patch = madt_plan_patch_of(row);
	return code - module->bias - patch->address < patch->length;
}

void text_patch_at(const struct module *module, uintptr_t code)
{
	struct madt_plan_patch patch;
	struct range pages;

	if (!patch_around(module, code, &patch) || patch.length < JUMP_BYTES
			|| patch.tactic == MADT_TACTIC_NEAR || calm_has(module->bias + patch.address))
		return;
	pages.start = PAGE_DOWN(module->bias + patch.address);
	pages.end = PAGE_UP(module->bias + patch.address + patch.length);
	if (sys_failed(SYS3(__NR_mprotect, pages.start, pages.end - pages.start,
				PROT_READ | PROT_WRITE)))
		return;
	patch_write(module, &patch);
	SYS3(__NR_mprotect, pages.start, pages.end - pages.start, PROT_READ | PROT_EXEC);
}

/* ---------------------------------------------------------------- and their end */

/*
 * Where short jumps lead to doors: a thread may stand at a door, which is no instruction's start in
 * the module's own text. So both jumps stay, unless the thread that asks is the only one.
 */
static void doors_keep(const struct module *module, const struct patched *patched)
{
	const struct madt_plan_door *door = plan_table(module->plan, module->plan->doors),
								*first = door;
	const struct madt_plan_door *end = door + module->plan->doors.count;
	struct madt_plan_rows row = patched->first;

	for (uint32_t i = 0; i < patched->count; i++, madt_plan_rows_next(&row)) {
		const struct madt_plan_patch patch = madt_plan_patch_of(row.row);

		while (door < end && door->address < patch.address)
			door++;
		if (patch.tactic == MADT_TACTIC_NEAR
				|| (door < end && door->address < patch.address + patch.length))
			patch_write(module, &patch);
	}
	doors_write(module, patched->pages, &first);
}

static void patches_rest(const struct module *module, bool keep)
{
	struct madt_plan_rows row = plan_rows(module->plan, module->plan->patches);
	bool more = madt_plan_rows_next(&row);

	while (more) {
		const struct patched patched = patched_pages(module, &row, &more);
		struct range pages = patched.pages;

		SYS3(__NR_mprotect, pages.start, pages.end - pages.start, PROT_READ | PROT_WRITE);
		SYS3(__NR_madvise, pages.start, pages.end - pages.start, MADV_DONTNEED);
		if (keep)
			doors_keep(module, &patched);
		SYS3(__NR_mprotect, pages.start, pages.end - pages.start, PROT_READ | PROT_EXEC);
	}
}

void text_rest(struct module *module)
{
	bool keep = LOAD_ACQUIRE(&thread_count) != 1 && module->plan->doors.count;

	if (module->edition && !keep) {
		edition_off(module, PROT_READ | PROT_EXEC);
		return;
	}
	edition_off(module, PROT_READ); /* nobody runs in it yet */
	patches_rest(module, keep);
	text_open(module);
}

void text_restore_at(struct module *module, struct range pages)
{
	edition_leave(module, PROT_READ | PROT_EXEC);
	SYS3(__NR_madvise, pages.start, pages.end - pages.start, MADV_DONTNEED);
}

void text_restore(struct module *module)
{
	struct madt_plan_rows row = plan_rows(module->plan, module->plan->patches);
	bool more = madt_plan_rows_next(&row);

	while (more)
		text_restore_at(module, patched_pages(module, &row, &more).pages);
}
