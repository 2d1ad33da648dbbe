/*
 * The layer of patches: all of them or one, and the file's text again. Where other threads may be
 * in it, the caller sees to them (splice_begin.c).
 */
#include "text/text.h"
#include "text/text_layers.h"
#include "text/text_plan.h"

#include "thread/thread.h"

#include <sys/mman.h>

#define JUMP_BYTES 5

/* Pages that are edited, and where their bytes are. */
struct edit {
	struct range pages;
	uint8_t *bytes;
};

static uint8_t *edit_at(const struct edit *edit, const struct module *module, uint32_t address)
{
	return edit->bytes + (module->bias + address - edit->pages.start);
}

static void patch_write(const struct edit *edit, const struct module *module,
		const struct madt_plan_patch *patch)
{
	patch_make(edit_at(edit, module, patch->address), patch);
}

/* Returns whether what leads to it, or it, must not be laid. */
static bool springboard_broken(const struct module *module,
		const struct madt_plan_springboard *springboard)
{
	struct madt_plan_row row;
	struct madt_plan_patch near;

	if (!module->text.taken
			|| !plan_row(module->plan, module->plan->patches, springboard->patch, &row))
		return false;
	near = madt_plan_patch_of(row);
	return patch_broken(module, &near);
}

/* Writes the springboards of these pages, from *springboard on. */
static void springboards_write(const struct edit *edit, const struct module *module,
		const struct madt_plan_springboard **springboard)
{
	const struct range pages = edit->pages;
	const struct madt_plan_springboard *last = (const struct madt_plan_springboard *)
													   plan_table(module->plan,
															   module->plan->springboards)
			+ module->plan->springboards.count;

	for (; *springboard < last && module->bias + (*springboard)->address < pages.end;
			++*springboard)
		if (module->bias + (*springboard)->address >= pages.start
				&& !springboard_broken(module, *springboard))
			jump_write(edit_at(edit, module, (*springboard)->address), (*springboard)->relative);
}

/* Patches whose pages follow one another. */
struct patched {
	struct madt_plan_rows first; /* turned to the first of them */
	uint32_t count;
	struct range pages;
};

/* Turns `row` to the next patch that no page of the program's own has part in. */
static bool patched_next(const struct module *module, struct madt_plan_rows *row)
{
	bool more = madt_plan_rows_next(row);

	while (more && module->text.taken) {
		const struct madt_plan_patch patch = madt_plan_patch_of(row->row);
		const uintptr_t at = module->bias + patch.address;

		if (!own_taken(module, (struct range){ at, at + patch.length }))
			break;
		more = madt_plan_rows_next(row);
	}
	return more;
}

/* Turns `row` from the first of them to the patch behind them; *more: whether there is one. */
static struct patched patched_pages(const struct module *module, struct madt_plan_rows *row,
		bool *more)
{
	struct patched found = { *row, 0, { PAGE_DOWN(module->bias + row->row.key), 0 } };

	do {
		const struct madt_plan_patch patch = madt_plan_patch_of(row->row);

		found.pages.end = PAGE_UP(module->bias + patch.address + patch.length);
		found.count++;
		*more = patched_next(module, row);
	} while (*more && PAGE_DOWN(module->bias + row->row.key) <= found.pages.end);
	return found;
}

static void patches_write(const struct edit *edit, const struct module *module,
		const struct patched *patched)
{
	struct madt_plan_rows row = patched->first;

	for (uint32_t i = 0; i < patched->count; i++, madt_plan_rows_next(&row)) {
		const struct madt_plan_patch patch = madt_plan_patch_of(row.row);

		if (!rate_limit_has(module->bias + patch.address) && !patch_broken(module, &patch))
			patch_write(edit, module, &patch);
	}
}

static void all_write(struct module *module, bool anew)
{
	struct madt_plan_rows row = plan_rows(module->plan, module->plan->patches);
	const struct madt_plan_springboard *springboard = plan_table(module->plan,
			module->plan->springboards);
	bool more = patched_next(module, &row);

	while (more) {
		const struct patched patched = patched_pages(module, &row, &more);
		struct edit edit = { patched.pages, NULL };

		pages_close(patched.pages);
		if (anew)
			pages_undo(module, patched.pages, 0, UNDO_ALL);
		if (own_save(module, patched.pages))
			edit.bytes = pages_edit(patched.pages, module->text.taken);
		if (!edit.bytes) {
			pages_open(patched.pages);
			continue;
		}
		patches_write(&edit, module, &patched);
		springboards_write(&edit, module, &springboard);
		pages_edited(edit.pages, edit.bytes);
	}
}

/* Pages of the program's own have the rights that it gives them; no others are closed then. */
static void own_open(const struct module *module)
{
	if (module->plan->patched_text.size && !module->text.taken)
		patched_text_protect(module, PROT_READ | PROT_EXEC);
}

/*
 * Lays the patches: where the own text comes back, nobody runs in it before its patches are there.
 */
static void patches_lay(struct module *module, bool anew)
{
	patched_text_leave(module, PROT_READ);
	all_write(module, anew);
	own_open(module);
	STORE_RELEASE(&module->text.state, TEXT_WRITTEN);
}

void text_patch(struct module *module, bool anew)
{
	const struct range all = { module->start, module->end };

	layers_out(module, all);
	if (rate_limit_touches(all) || !patched_text_on(module))
		patches_lay(module, anew);
	layers_in(module, all);
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

void text_patch_at(struct module *module, uintptr_t code)
{
	struct madt_plan_patch patch;
	uint8_t bytes[MADT_PLAN_PATCH_MAX];
	struct range range;

	if (!patch_around(module, code, &patch) || patch.length < JUMP_BYTES
			|| patch.tactic == MADT_TACTIC_NEAR || patch_broken(module, &patch)
			|| rate_limit_has(module->bias + patch.address))
		return;
	patch_make(bytes, &patch);
	range.start = module->bias + patch.address;
	range.end = range.start + patch.length;
	layers_out(module, range);
	if (own_save(module, (struct range){ PAGE_DOWN(range.start), PAGE_UP(range.end) }))
		text_write(range, bytes);
	layers_in(module, range);
}

/* ---------------------------------------------------------------- and their end */

/*
 * Keeps springboards where short jumps lead to them: a thread may stand at a springboard, which is
 * no instruction's start in the module's own text. So both jumps stay, unless the thread that asks
 * is the only one.
 */
static void springboards_keep(const struct edit *edit, const struct module *module,
		const struct patched *patched)
{
	const struct madt_plan_springboard *springboard = plan_table(module->plan,
											   module->plan->springboards),
									   *first = springboard;
	const struct madt_plan_springboard *end = springboard + module->plan->springboards.count;
	struct madt_plan_rows row = patched->first;

	for (uint32_t i = 0; i < patched->count; i++, patched_next(module, &row)) {
		const struct madt_plan_patch patch = madt_plan_patch_of(row.row);

		while (springboard < end && springboard->address < patch.address)
			springboard++;
		if ((patch.tactic == MADT_TACTIC_NEAR && !patch_broken(module, &patch))
				|| (springboard < end && springboard->address < patch.address + patch.length))
			patch_write(edit, module, &patch);
	}
	springboards_write(edit, module, &first);
}

/* The patched text image has gone from its place just now: its springboards come into the text. */
static void patched_keep(struct module *module, const struct patched *patched)
{
	const struct edit edit = { patched->pages,
		own_save(module, patched->pages) ? pages_edit(patched->pages, false) : NULL };

	if (!edit.bytes)
		return;
	springboards_keep(&edit, module, patched);
	pages_edited(edit.pages, edit.bytes);
}

static void patches_rest(struct module *module, bool was_image, bool keep)
{
	struct madt_plan_rows row = plan_rows(module->plan, module->plan->patches);
	bool more = patched_next(module, &row);

	while (more) {
		const struct patched patched = patched_pages(module, &row, &more);

		pages_close(patched.pages);
		if (was_image && keep)
			patched_keep(module, &patched);
		else
			pages_undo(module, patched.pages, 0, keep ? UNDO_UNLED : UNDO_ALL);
		pages_open(patched.pages);
	}
}

static void own_lay(struct module *module)
{
	const bool keep = LOAD_ACQUIRE(&thread_count) != 1 && module->plan->springboards.count;
	const bool was_image = module->text.state == TEXT_PATCHED;

	if (was_image && !keep) {
		patched_text_off(module, PROT_READ | PROT_EXEC);
		return;
	}
	patched_text_off(module, PROT_READ); /* nobody runs in it yet */
	patches_rest(module, was_image, keep);
	own_open(module);
}

void text_rest(struct module *module)
{
	const struct range all = { module->start, module->end };

	layers_out(module, all);
	own_lay(module);
	STORE_RELEASE(&module->text.state, TEXT_RESTING);
	layers_in(module, all);
}

void text_yield_image(struct module *module, struct range pages)
{
	patched_text_leave(module, PROT_READ);
	if (!own_save(module, pages))
		pages = (struct range){ PAGE_DOWN(module->start), PAGE_UP(module->end) };
	if (own_take(module, pages))
		all_write(module, false);
	patched_text_protect(module, PROT_READ | PROT_EXEC);
}

/*
 * Here what lies above is of no use any more: the process is about to end, or MadT leaves it.
 */
void text_restore_at(struct module *module, uintptr_t code)
{
	patched_text_leave(module, PROT_READ | PROT_EXEC);
	pages_undo(module, (struct range){ PAGE_DOWN(code), PAGE_UP(code + INSN_BYTES_MAX) }, 0,
			UNDO_ALL);
}

void text_bare(struct module *module)
{
	layers_out(module, (struct range){ module->start, module->end });
	text_restore(module);
}

void text_layers_lay(struct module *module)
{
	layers_in(module, (struct range){ module->start, module->end });
}

void text_restore(struct module *module)
{
	triggers_out(module, (struct range){ module->start, module->end });
	patched_text_leave(module, PROT_READ | PROT_EXEC);
	pages_undo(module, module->text.saved, 0, UNDO_ALL);
}
