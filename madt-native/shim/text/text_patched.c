/*
 * PatchedTexts: a module's text with all patches in it, mapped and not made. The module's own text
 * and the patched text image are two mappings; one is in its place, the other aside, not
 * executable. They change places by mremap(2), so that a thread sees the one or the other, and
 * nothing is opened: the files may be gone by then.
 *
 *   own text in place  ──patched_text_on──▶   patched text image in place
 *   patched text image aside      ◀──patched_text_off──  own text aside
 *
 * Where the kernel refuses (before Linux 5.13 a file's mapping cannot leave its place so), patches
 * are written (text_patches.c).
 */
#include "text/text.h"
#include "text/text_layers.h"
#include "text/text_plan.h"

#include <sys/mman.h>

#define MREMAP_MAYMOVE 1
#define MREMAP_FIXED 2
#define MREMAP_DONTUNMAP 4

static uintptr_t text_at(const struct module *module)
{
	return patched_text_range(module).start;
}

void patched_text_protect(const struct module *module, int protection)
{
	SYS3(__NR_mprotect, text_at(module), module->plan->patched_text.size, protection);
}

void patched_text_take(struct module *module, long fd)
{
	const struct madt_plan_patched_text *whole = &module->plan->patched_text;
	long at = whole->size ? sys_map_at(whole->size, PROT_READ, MAP_PRIVATE, fd, whole->offset) : 0;

	module->text.aside = sys_failed(at) ? 0 : (uintptr_t)at;
}

void patched_text_drop(struct module *module)
{
	if (module->text.aside)
		sys_unmap(module->text.aside, module->plan->patched_text.size);
	module->text.aside = 0;
}

/* Maps the inactive text image over the active one. */
static void aside_place(struct module *module, int protection)
{
	size_t size = module->plan->patched_text.size;

	SYS3(__NR_mprotect, module->text.aside, size, protection);
	SYS5(__NR_mremap, module->text.aside, size, size, MREMAP_MAYMOVE | MREMAP_FIXED,
			text_at(module));
	own_remove(module->text.aside);
}

/* False: nothing has changed. */
static bool change_places(struct module *module, enum text_state state, int protection)
{
	size_t size = module->plan->patched_text.size;
	long left;

	patched_text_protect(module, PROT_READ);
	left = SYS5(__NR_mremap, text_at(module), size, size, MREMAP_MAYMOVE | MREMAP_DONTUNMAP,
			sys_wish(size));
	if (sys_failed(left)) {
		patched_text_protect(module, PROT_READ | PROT_EXEC);
		return false;
	}
	own_add((uintptr_t)left, size);
	own_text_note(patched_text_range(module));
	STORE_RELEASE(&module->text.leaving, (uintptr_t)left); /* a child may be forked in between */
	aside_place(module, protection);
	STORE_RELEASE(&module->text.aside, (uintptr_t)left);
	STORE_RELEASE(&module->text.state, state);
	STORE_RELEASE(&module->text.leaving, 0);
	return true;
}

bool patched_text_on(struct module *module)
{
	if (module->text.state == TEXT_PATCHED)
		return true;
	if (!module->text.aside || module->text.taken
			|| !change_places(module, TEXT_PATCHED, PROT_READ | PROT_EXEC))
		return false;
	/* what was written into it, for one instruction or where a thread may have stood */
	pages_undo(module, module->text.saved, module->text.aside - text_at(module), UNDO_ALL);
	return true;
}

void patched_text_off(struct module *module, int protection)
{
	if (module->text.state == TEXT_PATCHED && !change_places(module, TEXT_RESTING, protection))
		patched_text_leave(module, protection);
}

void patched_text_leave(struct module *module, int protection)
{
	if (module->text.state != TEXT_PATCHED)
		return;
	aside_place(module, protection);
	module->text.aside = 0;
	STORE_RELEASE(&module->text.state, TEXT_WRITTEN);
}

/* Returns whether a jump of the plan stands in the text; any of them tells. */
static bool text_is_swapped(const struct module *module)
{
	struct madt_plan_rows rows = plan_rows(module->plan, module->plan->patches);

	while (madt_plan_rows_next(&rows)) {
		const struct madt_plan_patch patch = madt_plan_patch_of(rows.row);
		const struct number *relative = (const struct number *)(module->bias + patch.address + 1);

		if (patch.length >= MADT_PLAN_JUMP && patch.tactic != MADT_TACTIC_NEAR)
			return relative->value == (uint32_t)patch.relative;
	}
	return false;
}

/* The thread that changed texts is not there: either it had done so, or what it began is undone. */
void patched_text_after_fork(struct module *module)
{
	struct module_text *text = &module->text;
	uintptr_t left = text->leaving;
	bool whole;

	if (!left)
		return;
	patched_text_protect(module, PROT_READ | PROT_EXEC);
	whole = text_is_swapped(module);
	if (text->aside != left && whole == (text->state == TEXT_PATCHED)) {
		sys_unmap(left, module->plan->patched_text.size);
	} else {
		if (text->aside != left)
			own_remove(text->aside);
		text->aside = left;
		text->state = whole ? TEXT_PATCHED : TEXT_RESTING;
	}
	text->leaving = 0;
}

bool patched_text_covers(uintptr_t start, uintptr_t end)
{
	const struct module *module = module_of(start);

	return module && module->text.state == TEXT_PATCHED && start < end
			&& start >= patched_text_range(module).start && end <= patched_text_range(module).end;
}
