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

static const struct madt_plan_patch *patches_end(const struct module *module)
{
	const struct madt_plan_patch *patch = plan_table(module->plan, module->plan->patches);

	return patch + module->plan->patches.count;
}

/* The pages from this patch on that follow one another; *last: the last patch on them. */
static struct range patched_pages(const struct module *module, const struct madt_plan_patch *patch,
		const struct madt_plan_patch **last)
{
	const struct madt_plan_patch *end = patches_end(module);
	struct range pages = { PAGE_DOWN(module->bias + patch->address), 0 };

	for (;; patch++) {
		pages.end = PAGE_UP(module->bias + patch->address + patch->length);
		if (patch + 1 == end || PAGE_DOWN(module->bias + patch[1].address) > pages.end)
			break;
	}
	*last = patch;
	return pages;
}

void text_patch(const struct module *module, bool anew)
{
	const struct madt_plan_patch *patch = plan_table(module->plan, module->plan->patches), *last;
	const struct madt_plan_door *door = plan_table(module->plan, module->plan->doors);

	for (; patch < patches_end(module); patch = last + 1) {
		struct range pages = patched_pages(module, patch, &last);

		if (sys_failed(SYS3(__NR_mprotect, pages.start, pages.end - pages.start,
					PROT_READ | PROT_WRITE)))
			continue;
		if (anew)
			SYS3(__NR_madvise, pages.start, pages.end - pages.start, MADV_DONTNEED);
		/* all at once; where the kernel does not know it (before Linux 5.14), by a fault a page */
		SYS3(__NR_madvise, pages.start, pages.end - pages.start, MADV_POPULATE_WRITE);
		for (; patch <= last; patch++)
			if (!calm_has(module->bias + patch->address))
				patch_write(module, patch);
		doors_write(module, pages, &door);
		SYS3(__NR_mprotect, pages.start, pages.end - pages.start, PROT_READ | PROT_EXEC);
	}
}

/* The patch in which the instruction is, or NULL. */
static const struct madt_plan_patch *patch_of(const struct module *module, uintptr_t code)
{
	const struct madt_plan_patch *patch = plan_table(module->plan, module->plan->patches);
	uint32_t low = 0, high = module->plan->patches.count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (module->bias + patch[middle].address <= code)
			low = middle + 1;
		else
			high = middle;
	}
	return low && code - module->bias - patch[low - 1].address < patch[low - 1].length
			? &patch[low - 1]
			: NULL;
}

void text_patch_at(const struct module *module, uintptr_t code)
{
	const struct madt_plan_patch *patch = patch_of(module, code);
	struct range pages;

	if (!patch || patch->length < JUMP_BYTES || patch->tactic == MADT_TACTIC_NEAR
			|| calm_has(module->bias + patch->address))
		return;
	pages.start = PAGE_DOWN(module->bias + patch->address);
	pages.end = PAGE_UP(module->bias + patch->address + patch->length);
	if (sys_failed(SYS3(__NR_mprotect, pages.start, pages.end - pages.start,
				PROT_READ | PROT_WRITE)))
		return;
	patch_write(module, patch);
	SYS3(__NR_mprotect, pages.start, pages.end - pages.start, PROT_READ | PROT_EXEC);
}

/* ---------------------------------------------------------------- and their end */

/*
 * Where short jumps lead to doors: a thread may stand at a door, which is no instruction's start in
 * the module's own text. So both jumps stay, unless the thread that asks is the only one.
 */
static void doors_keep(const struct module *module, const struct madt_plan_patch *patch,
		const struct madt_plan_patch *last, struct range pages)
{
	const struct madt_plan_door *door = plan_table(module->plan, module->plan->doors),
								*first = door;
	const struct madt_plan_door *end = door + module->plan->doors.count;

	for (; patch <= last; patch++) {
		while (door < end && door->address < patch->address)
			door++;
		if (patch->tactic == MADT_TACTIC_NEAR
				|| (door < end && door->address < patch->address + patch->length))
			patch_write(module, patch);
	}
	doors_write(module, pages, &first);
}

void text_rest(const struct module *module)
{
	const struct madt_plan_patch *patch = plan_table(module->plan, module->plan->patches), *last;
	bool alone = LOAD_ACQUIRE(&thread_count) == 1;

	for (; patch < patches_end(module); patch = last + 1) {
		struct range pages = patched_pages(module, patch, &last);

		SYS3(__NR_mprotect, pages.start, pages.end - pages.start, PROT_READ | PROT_WRITE);
		SYS3(__NR_madvise, pages.start, pages.end - pages.start, MADV_DONTNEED);
		if (!alone && module->plan->doors.count)
			doors_keep(module, patch, last, pages);
		SYS3(__NR_mprotect, pages.start, pages.end - pages.start, PROT_READ | PROT_EXEC);
	}
}

void text_restore(const struct module *module)
{
	const struct madt_plan_patch *patch = plan_table(module->plan, module->plan->patches), *last;

	for (; patch < patches_end(module); patch = last + 1) {
		struct range pages = patched_pages(module, patch, &last);

		SYS3(__NR_madvise, pages.start, pages.end - pages.start, MADV_DONTNEED);
	}
}
