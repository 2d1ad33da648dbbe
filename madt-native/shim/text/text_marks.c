/*
 * Marks of the pages of a module's executable segments, and room for their own bytes:
 *
 *   marks   a byte a page
 *   own     the pages' own bytes, where they are saved (text_saved.c)
 *
 * It is made when a page is first patched or taken. Pages that the program maps anew or makes
 * writable are its own from then on (text_yield.c).
 */
#include "text/text_layers.h"

static size_t marks_size(struct range pages)
{
	return PAGE_UP((pages.end - pages.start) / MADT_PAGE);
}

bool marks_make(struct module *module)
{
	struct range pages = { UINTPTR_MAX, 0 };
	uint8_t *table;

	if (module->text.marks)
		return true;
	for (uint32_t i = 0; i < module->text_count && i < MODULE_TEXTS; i++) {
		pages.start = module->texts[i].start < pages.start ? PAGE_DOWN(module->texts[i].start)
														   : pages.start;
		pages.end = module->texts[i].end > pages.end ? PAGE_UP(module->texts[i].end) : pages.end;
	}
	table = pages.end ? sys_pages(marks_size(pages) + (pages.end - pages.start)) : NULL;
	if (!table)
		return false;
	module->text.saved = pages;
	STORE_RELEASE(&module->text.marks, table);
	return true;
}

/* First of all they are not the module's: another thread may fork at any time. */
void own_drop(struct module *module)
{
	const struct range pages = module->text.saved;
	uint8_t *marks = module->text.marks;

	module->text.taken = false;
	STORE_RELEASE(&module->text.marks, NULL);
	if (marks)
		sys_unmap((uintptr_t)marks, marks_size(pages) + (pages.end - pages.start));
}

uint8_t *mark_of(const struct module *module, uintptr_t page)
{
	uint8_t *marks = LOAD_ACQUIRE(&module->text.marks);

	return marks && page >= module->text.saved.start && page < module->text.saved.end
			? marks + (page - module->text.saved.start) / MADT_PAGE
			: NULL;
}

uint8_t *own_page(const struct module *module, uintptr_t page)
{
	return module->text.marks + marks_size(module->text.saved) + (page - module->text.saved.start);
}

/* ---------------------------------------------------------------- pages of the program's own */

bool own_taken(const struct module *module, struct range range)
{
	if (!LOAD_ACQUIRE(&module->text.taken))
		return false;
	for (uintptr_t page = PAGE_DOWN(range.start); page < range.end; page += MADT_PAGE) {
		const uint8_t *mark = mark_of(module, page);

		if (mark && *mark & MARK_TAKEN)
			return true;
	}
	return false;
}

bool own_take(struct module *module, struct range pages)
{
	if (!marks_make(module))
		return false;
	for (uintptr_t page = pages.start; page < pages.end; page += MADT_PAGE)
		if (mark_of(module, page))
			*mark_of(module, page) |= MARK_TAKEN;
	STORE_RELEASE(&module->text.taken, true);
	return true;
}
