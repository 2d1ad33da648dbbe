/*
 * PatchedTexts: a module's text with all patches in it, mapped and not made. The module's own text
 * and the patched text image are two ranges of mappings, one for each executable segment; one is in
 * its place, the other aside, not executable. They change places by mremap(2), so that a thread
 * sees the one or the other, and nothing is opened: the files may be gone by then. Between the
 * segments may be memory that is not the module's: it stays.
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

#include <errno.h>
#include <sys/mman.h>

#define MREMAP_MAYMOVE 1
#define MREMAP_FIXED 2
#define MREMAP_DONTUNMAP 4

static uintptr_t text_at(const struct module *module)
{
	return patched_text_range(module).start;
}

/* ---------------------------------------------------------------- segments */

/* The pages of an executable segment. */
static struct range segment_pages(const struct module *module, uint32_t i)
{
	return (struct range){ PAGE_DOWN(module->texts[i].start), PAGE_UP(module->texts[i].end) };
}

/* Returns where something of the text is in the range aside that begins there. */
static uintptr_t aside_of(const struct module *module, uintptr_t aside, uintptr_t at)
{
	return aside + (at - text_at(module));
}

/* Moves a segment, to or from a range aside. False: the kernel refuses. */
static bool segment_move(struct range pages, uintptr_t from, uintptr_t to, unsigned flags)
{
	const size_t size = pages.end - pages.start;

	return !sys_failed(SYS5(__NR_mremap, from, size, size, MREMAP_MAYMOVE | MREMAP_FIXED | flags,
			to));
}

void patched_text_protect(const struct module *module, int protection)
{
	for (uint32_t i = 0; i < module->text_count; i++) {
		const struct range pages = segment_pages(module, i);

		SYS3(__NR_mprotect, pages.start, pages.end - pages.start, protection);
	}
}

/* ---------------------------------------------------------------- texts change places */

void patched_text_take(struct module *module, long fd)
{
	const struct madt_plan_patched_text *whole = &module->plan->patched_text;
	long at = whole->size ? sys_map_at(whole->size, PROT_READ, MAP_PRIVATE, fd, whole->offset) : 0;

	module->text.aside = sys_failed(at) ? 0 : (uintptr_t)at;
}

/* First of all it is not the module's: another thread may fork at any time. */
void patched_text_drop(struct module *module)
{
	const uintptr_t aside = module->text.aside;

	STORE_RELEASE(&module->text.aside, 0);
	if (aside)
		sys_unmap(aside, module->plan->patched_text.size);
}

/* Unmaps what lies between segments in a range aside that they have left. */
static void holes_unmap(const struct module *module, uintptr_t aside)
{
	for (uint32_t i = 1; i < module->text_count; i++) {
		const struct range hole = { segment_pages(module, i - 1).end,
			segment_pages(module, i).start };

		if (hole.start < hole.end)
			SYS2(__NR_munmap, aside_of(module, aside, hole.start), hole.end - hole.start);
	}
}

/* Maps the inactive text image over the active one, from this segment on. */
static void aside_place(struct module *module, uint32_t first, int protection)
{
	const uintptr_t aside = module->text.aside;

	for (uint32_t i = first; i < module->text_count; i++) {
		const struct range pages = segment_pages(module, i);
		const uintptr_t from = aside_of(module, aside, pages.start);

		SYS3(__NR_mprotect, from, pages.end - pages.start, protection);
		segment_move(pages, from, pages.start, 0);
	}
	holes_unmap(module, aside);
	own_remove(aside);
}

/* Moves those back that have left for this range; the other segments are in their place. */
static void place_return(const struct module *module, uintptr_t left)
{
	uint8_t byte;

	for (uint32_t i = 0; i < module->text_count; i++) {
		const struct range pages = segment_pages(module, i);
		const uintptr_t from = aside_of(module, left, pages.start);

		if (text_read(&byte, from, sizeof byte)) /* nobody reads what is reserved alone */
			segment_move(pages, from, pages.start, 0);
	}
}

/* Has what is in place in this range, too, which is reserved. False: the kernel refuses. */
static bool place_leave(const struct module *module, uintptr_t left)
{
	for (uint32_t i = 0; i < module->text_count; i++) {
		const struct range pages = segment_pages(module, i);

		if (!segment_move(pages, pages.start, aside_of(module, left, pages.start),
					MREMAP_DONTUNMAP))
			return false;
	}
	return true;
}

/* Takes back what was begun, while nothing of the inactive text image has gone to its place. */
static void change_undo(struct module *module)
{
	const uintptr_t left = module->text.leaving;

	place_return(module, left);
	patched_text_protect(module, PROT_READ | PROT_EXEC);
	STORE_RELEASE(&module->text.leaving, 0);
	sys_unmap(left, module->plan->patched_text.size);
}

/* False: nothing has changed. */
static bool change_places(struct module *module, enum text_state state, int protection)
{
	const long left = sys_map_at(module->plan->patched_text.size, PROT_NONE,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (sys_failed(left))
		return false;
	STORE_RELEASE(&module->text.leaving, (uintptr_t)left); /* a child may be forked in between */
	patched_text_protect(module, PROT_READ);
	if (!place_leave(module, (uintptr_t)left)) {
		change_undo(module);
		return false;
	}
	own_text_note(patched_text_range(module));
	aside_place(module, 0, protection);
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
	aside_place(module, 0, protection);
	module->text.aside = 0;
	STORE_RELEASE(&module->text.state, TEXT_WRITTEN);
}

/* ---------------------------------------------------------------- and in a child */

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

/* Returns how many segments of the range aside have gone to their places. */
static uint32_t segments_placed(const struct module *module)
{
	uint32_t i = 0;

	while (i < module->text_count
			&& SYS3(__NR_madvise,
					   aside_of(module, module->text.aside, segment_pages(module, i).start),
					   MADT_PAGE, MADV_NORMAL)
					== -ENOMEM)
		i++;
	return i;
}

/*
 * The thread that changed texts is not there. It has done so; or what it began with no segment is
 * undone, and what it began is done.
 */
void patched_text_after_fork(struct module *module)
{
	struct module_text *text = &module->text;
	const uintptr_t left = text->leaving;
	uint32_t placed;

	if (!left)
		return;
	if (text->aside != left) {
		placed = segments_placed(module);
		if (!placed) {
			change_undo(module);
			return;
		}
		aside_place(module, placed, PROT_READ | PROT_EXEC);
		text->aside = left;
	}
	patched_text_protect(module, PROT_READ | PROT_EXEC);
	text->state = text_is_swapped(module) ? TEXT_PATCHED : TEXT_RESTING;
	text->leaving = 0;
}

bool patched_text_covers(uintptr_t start, uintptr_t end)
{
	const struct module *module = module_of(start);

	return module && module->text.state == TEXT_PATCHED && start < end
			&& start >= patched_text_range(module).start && end <= patched_text_range(module).end;
}
