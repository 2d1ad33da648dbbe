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
#define SHORT_BYTES 2

static void jump_write(uint8_t *at, int32_t relative)
{
	*at = 0xe9;
	((struct number *)(at + 1))->value = (uint32_t)relative;
}

static void patch_make(uint8_t *at, const struct madt_plan_patch *patch)
{
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
		if (module->bias + (*springboard)->address >= pages.start)
			jump_write(edit_at(edit, module, (*springboard)->address), (*springboard)->relative);
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

static void patches_write(const struct edit *edit, const struct module *module,
		const struct patched *patched)
{
	struct madt_plan_rows row = patched->first;

	for (uint32_t i = 0; i < patched->count; i++, madt_plan_rows_next(&row)) {
		const struct madt_plan_patch patch = madt_plan_patch_of(row.row);

		if (!rate_limit_has(module->bias + patch.address))
			patch_write(edit, module, &patch);
	}
}

static void all_write(const struct module *module, bool anew)
{
	struct madt_plan_rows row = plan_rows(module->plan, module->plan->patches);
	const struct madt_plan_springboard *springboard = plan_table(module->plan,
			module->plan->springboards);
	bool more = madt_plan_rows_next(&row);

	while (more) {
		const struct patched patched = patched_pages(module, &row, &more);
		const struct edit edit = { patched.pages, pages_edit(patched.pages, anew) };

		if (!edit.bytes)
			continue;
		patches_write(&edit, module, &patched);
		springboards_write(&edit, module, &springboard);
		pages_edited(edit.pages, edit.bytes);
	}
}

static void own_open(const struct module *module)
{
	if (module->plan->patched_text.size)
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

void text_patch_at(const struct module *module, uintptr_t code)
{
	struct madt_plan_patch patch;
	uint8_t bytes[MADT_PLAN_PATCH_MAX];
	struct range range;

	if (!patch_around(module, code, &patch) || patch.length < JUMP_BYTES
			|| patch.tactic == MADT_TACTIC_NEAR || rate_limit_has(module->bias + patch.address))
		return;
	patch_make(bytes, &patch);
	range.start = module->bias + patch.address;
	range.end = range.start + patch.length;
	layers_out(module, range);
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

	for (uint32_t i = 0; i < patched->count; i++, madt_plan_rows_next(&row)) {
		const struct madt_plan_patch patch = madt_plan_patch_of(row.row);

		while (springboard < end && springboard->address < patch.address)
			springboard++;
		if (patch.tactic == MADT_TACTIC_NEAR
				|| (springboard < end && springboard->address < patch.address + patch.length))
			patch_write(edit, module, &patch);
	}
	springboards_write(edit, module, &first);
}

static void patches_rest(const struct module *module, bool keep)
{
	struct madt_plan_rows row = plan_rows(module->plan, module->plan->patches);
	bool more = madt_plan_rows_next(&row);

	while (more) {
		const struct patched patched = patched_pages(module, &row, &more);
		const struct edit edit = { patched.pages, keep ? pages_edit(patched.pages, true) : NULL };

		if (!edit.bytes) {
			pages_renew(edit.pages);
			continue;
		}
		springboards_keep(&edit, module, &patched);
		pages_edited(edit.pages, edit.bytes);
	}
}

static void own_lay(struct module *module)
{
	bool keep = LOAD_ACQUIRE(&thread_count) != 1 && module->plan->springboards.count;

	if (module->text.state == TEXT_PATCHED && !keep) {
		patched_text_off(module, PROT_READ | PROT_EXEC);
		return;
	}
	patched_text_off(module, PROT_READ); /* nobody runs in it yet */
	patches_rest(module, keep);
	own_open(module);
}

void text_rest(struct module *module)
{
	const struct range all = { module->start, module->end };

	layers_out(module, all);
	own_lay(module);
	layers_in(module, all);
	STORE_RELEASE(&module->text.state, TEXT_RESTING);
}

/*
 * Restores pages where what lies above is of no use any more: the process is about to end, or MadT
 * leaves it.
 */
static void pages_restore(struct module *module, struct range pages)
{
	patched_text_leave(module, PROT_READ | PROT_EXEC);
	pages_forget(pages);
}

void text_restore_at(struct module *module, uintptr_t code)
{
	pages_restore(module, (struct range){ PAGE_DOWN(code), PAGE_UP(code + INSN_BYTES_MAX) });
}

void text_restore(struct module *module)
{
	struct madt_plan_rows row = plan_rows(module->plan, module->plan->patches);
	bool more = madt_plan_rows_next(&row);

	while (more)
		pages_restore(module, patched_pages(module, &row, &more).pages);
}
