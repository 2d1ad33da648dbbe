/*
 * Pages of text that the program takes for itself: it maps something else there, unmaps them, or
 * makes them writable. Before it does so they get their own bytes, and so do patches that lie
 * partly in them. No patch comes there again. A patched text image is left for good: what remains
 * of the module's text is patched by bytes that are written.
 *
 * A program that moves its text copies it before it maps the copy in its place. What its own loads
 * have copied has patches, of which those at the edges would be broken now. So the pages get their
 * own bytes once more when the program can execute them again.
 */
#include "text/text.h"
#include "text/text_layers.h"

/* The pages of the module's executable segments in this range, or nothing. */
static struct range text_in(const struct module *module, struct range range)
{
	struct range found = { UINTPTR_MAX, 0 };

	for (uint32_t i = 0; i < module->text_count && i < MODULE_TEXTS; i++) {
		uintptr_t start = PAGE_DOWN(module->texts[i].start), end = PAGE_UP(module->texts[i].end);

		start = start > range.start ? start : range.start;
		end = end < range.end ? end : range.end;
		if (start >= end)
			continue;
		found.start = start < found.start ? start : found.start;
		found.end = end > found.end ? end : found.end;
	}
	return found.end ? found : (struct range){ 0, 0 };
}

static void written_yield(struct module *module, struct range pages)
{
	const struct range around = { pages.start - MADT_PAGE, pages.end + MADT_PAGE };

	for (uintptr_t page = around.start; page < around.end; page += MADT_PAGE) {
		const struct range there = { page, page + MADT_PAGE };
		const bool inside = page >= pages.start && page < pages.end;

		if (!own_saved(module, page) || (!inside && own_taken(module, there)))
			continue;
		pages_close(there);
		pages_undo(module, there, 0, UNDO_BROKEN);
		pages_open(there);
	}
}

bool text_yields(const struct module *module, struct range range)
{
	const struct range pages = text_in(module, range);

	return module->plan && pages.end && (range.start > module->start || range.end < module->end);
}

void text_yield(struct module *module, struct range range)
{
	const struct range all = { module->start, module->end };
	const struct range pages = text_in(module, range);

	STORE_RELEASE(&module->text.yields, true);
	layers_out(module, all);
	if (module->text.state == TEXT_PATCHED)
		text_yield_image(module, pages);
	else if (own_take(module, pages))
		written_yield(module, pages);
	layers_in(module, all);
	STORE_RELEASE(&module->text.yields, false);
}

/* The thread that was about to take pages is not there: they are as they were, without patches. */
void text_yield_after_fork(struct module *module)
{
	if (!module->text.yields)
		return;
	for (uint32_t i = 0; i < module->text_count && i < MODULE_TEXTS; i++)
		pages_open((struct range){
				PAGE_DOWN(module->texts[i].start), PAGE_UP(module->texts[i].end) });
	if (text_is_patched(module))
		text_patch(module, true);
	module->text.yields = false;
}

void text_yielded(struct module *module, struct range range)
{
	pages_undo(module, text_in(module, range), 0, UNDO_WHOLE);
}
