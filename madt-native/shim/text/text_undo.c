/*
 * A page gets back the bytes that patches took. What the page would be with all patches is made
 * beside it: where it is like that, patches stand; where it is not, the program has written.
 */
#include "text/text.h"
#include "text/text_layers.h"
#include "text/text_plan.h"

/* A page as it is, and as it would be with all patches. */
struct undone {
	uint8_t now[MADT_PAGE] __attribute__((aligned(8))), patched[MADT_PAGE];
};

/* The rows of patches from one in front of this address on. */
static struct madt_plan_rows rows_before(const struct module *module, uintptr_t code)
{
	const struct madt_plan_table table = module->plan->patches;
	const struct madt_plan_block *index = plan_table(module->plan, table);
	const uint32_t key = code > module->bias ? (uint32_t)(code - module->bias) : 0;
	const uint32_t blocks = madt_plan_blocks_up_to(index, table.count, key);

	return madt_plan_rows_from(index, table.count, blocks ? blocks - 1 : 0);
}

static struct range patch_range(const struct module *module, const struct madt_plan_patch *patch)
{
	const uintptr_t at = module->bias + patch->address;

	return (struct range){ at, at + patch->length };
}

/* The next patch that lies in the page, or partly. False: none does. */
static bool patch_next(const struct module *module, struct madt_plan_rows *rows, uintptr_t page,
		struct madt_plan_patch *patch)
{
	while (madt_plan_rows_next(rows)) {
		*patch = madt_plan_patch_of(rows->row);
		if (patch_range(module, patch).start >= page + MADT_PAGE)
			return false;
		if (patch_range(module, patch).end > page)
			return true;
	}
	return false;
}

/* Puts bytes into the copy of a page, as far as they lie in it. */
static void page_put(uint8_t *copy, uintptr_t page, uintptr_t at, const uint8_t *bytes, size_t size)
{
	for (size_t i = 0; i < size; i++)
		if (at + i - page < MADT_PAGE)
			copy[at + i - page] = bytes[i];
}

/* ---------------------------------------------------------------- springboards */

static bool is_springboard_in(const struct module *module, struct range range,
		const struct madt_plan_springboard *springboard)
{
	return springboard < springboards_end(module->plan)
			&& module->bias + springboard->address < range.end;
}

static bool has_springboard(const struct module *module, struct range range)
{
	return is_springboard_in(module, range,
			springboard_from(module->plan, range.start - module->bias));
}

/* The patch in which the springboard lies that a near patch leads to. */
static bool host_of(const struct module *module, const struct madt_plan_patch *near,
		struct madt_plan_patch *host)
{
	struct madt_plan_row row;
	uint32_t to = near->address + MADT_PLAN_SHORT + (uint32_t)near->relative;

	if (!plan_row(module->plan, module->plan->patches, to, &row))
		return false;
	*host = madt_plan_patch_of(row);
	return true;
}

/* ---------------------------------------------------------------- a page */

static void page_patched(const struct module *module, uintptr_t page, uint8_t *copy)
{
	const struct range range = { page, page + MADT_PAGE };
	struct madt_plan_rows rows = rows_before(module, page - MADT_PLAN_PATCH_MAX);
	const struct madt_plan_springboard *springboard = springboard_from(module->plan,
			page - MADT_PLAN_JUMP - module->bias);
	struct madt_plan_patch patch;
	uint8_t bytes[MADT_PLAN_PATCH_MAX];

	while (patch_next(module, &rows, page, &patch)) {
		patch_make(bytes, &patch);
		page_put(copy, page, module->bias + patch.address, bytes, patch.length);
	}
	for (; is_springboard_in(module, range, springboard); springboard++) {
		jump_write(bytes, springboard->relative);
		page_put(copy, page, module->bias + springboard->address, bytes, MADT_PLAN_JUMP);
	}
}

bool patch_broken(const struct module *module, const struct madt_plan_patch *patch)
{
	struct madt_plan_patch host;

	if (!LOAD_ACQUIRE(&module->text.taken))
		return false;
	return own_taken(module, patch_range(module, patch))
			|| (patch->tactic == MADT_TACTIC_NEAR && host_of(module, patch, &host)
					&& own_taken(module, patch_range(module, &host)));
}

static bool patch_goes(const struct module *module, const struct madt_plan_patch *patch,
		enum undo which)
{
	switch (which) {
	case UNDO_UNLED:
		return patch->tactic != MADT_TACTIC_NEAR
				&& !has_springboard(module, patch_range(module, patch));
	case UNDO_BROKEN:
		return patch_broken(module, patch);
	default:
		return true;
	}
}

/*
 * Undoes what of a patch lies in the page. A page of the program's own may hold other code, which
 * is like a patch in single bytes.
 */
static void patch_undo(struct undone *page, const uint8_t *own, struct range part, enum undo which)
{
	const size_t size = part.end - part.start;

	if (which == UNDO_WHOLE
			&& bytes_compare(page->now + part.start, page->patched + part.start, size) != 0)
		return;
	for (uintptr_t i = part.start; i < part.end; i++)
		if (page->now[i] == page->patched[i])
			page->now[i] = own[i];
}

static bool undone_read(const struct module *module, uintptr_t page, uintptr_t place,
		struct undone *undone)
{
	if (text_read(undone->now, place, MADT_PAGE) != MADT_PAGE)
		return false;
	bytes_copy(undone->patched, own_saved(module, page), MADT_PAGE);
	page_patched(module, page, undone->patched);
	return true;
}

/* Undoes those patches in the page as it was read. */
static void undone_make(const struct module *module, uintptr_t page, struct undone *undone,
		enum undo which)
{
	struct madt_plan_rows rows = rows_before(module, page - MADT_PLAN_PATCH_MAX);
	struct madt_plan_patch patch;

	while (patch_next(module, &rows, page, &patch)) {
		struct range part = patch_range(module, &patch);

		part.start = part.start > page ? part.start - page : 0;
		part.end = part.end < page + MADT_PAGE ? part.end - page : MADT_PAGE;
		if (patch_goes(module, &patch, which))
			patch_undo(undone, own_saved(module, page), part, which);
	}
}

static bool is_patched(const struct undone *undone)
{
	const uint64_t *now = (const uint64_t *)undone->now,
				   *patched = (const uint64_t *)undone->patched;

	for (size_t i = 0; i < MADT_PAGE / sizeof *now; i++)
		if (now[i] != patched[i])
			return false;
	return true;
}

/* Returns whether the page is to become its file's; else it has its own bytes. */
static bool page_undo(const struct module *module, uintptr_t page, uintptr_t place,
		struct undone *undone, enum undo which)
{
	if (!own_saved(module, page) || !undone_read(module, page, place, undone))
		return false;
	if (which == UNDO_ALL && *mark_of(module, page) & MARK_CLEAN && is_patched(undone))
		return true;
	undone_make(module, page, undone, which);
	own_put(module, page, place, undone->now);
	return false;
}

/* Many pages become their file's at once: each call of madvise(2) interrupts all processors. */
void pages_undo(struct module *module, struct range pages, uintptr_t shift, enum undo which)
{
	struct undone *undone = sys_pages(sizeof *undone);
	uintptr_t first = pages.start;

	if (!undone)
		return;
	for (uintptr_t page = pages.start; page < pages.end; page += MADT_PAGE) {
		const bool taken = own_taken(module, (struct range){ page, page + 1 });

		if ((taken || which != UNDO_WHOLE)
				&& page_undo(module, page, page + shift, undone, taken ? UNDO_WHOLE : which))
			continue;
		if (first < page)
			pages_forget((struct range){ first + shift, page + shift });
		first = page + MADT_PAGE;
	}
	if (first < pages.end)
		pages_forget((struct range){ first + shift, pages.end + shift });
	sys_unmap((uintptr_t)undone, sizeof *undone);
}
