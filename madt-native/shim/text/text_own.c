/*
 * The text of modules as it is in their files, for what reads it: a function that is copied and
 * called there, a checksum, a dump. What stands in its place may have patches; where that is an
 * patched text image (text_patched.c), the module's own text lies aside.
 */
#include "text/text.h"
#include "text/text_layers.h"

#define LIBRARIES ((uintptr_t)6 << 44) /* the kernel places them above, and programs below */

/* All patched text images lie in these; they only grow. */
static struct range texts[2];

void own_text_note(struct range text)
{
	struct range *all = &texts[text.start >= LIBRARIES];

	if (!all->start || text.start < all->start)
		STORE_RELEASE(&all->start, text.start);
	if (text.end > all->end)
		STORE_RELEASE(&all->end, text.end);
}

const void *own_text(const void *from, size_t size)
{
	const uintptr_t at = (uintptr_t)from;
	const struct range *all = &texts[at >= LIBRARIES];
	const struct module *module;
	struct range whole;
	uintptr_t aside;

	if (at < all->start || at >= all->end || !(module = module_of(at)))
		return from;
	aside = LOAD_ACQUIRE(&module->text.aside);
	if (LOAD_ACQUIRE(&module->text.state) != TEXT_PATCHED || !aside)
		return from;
	whole = patched_text_range(module);
	if (at < whole.start || at >= whole.end || size > whole.end - at)
		return from;
	return (const void *)(aside + (at - whole.start));
}

bool text_both(const struct module *module, uintptr_t code, const uint8_t **patched,
		const uint8_t **own)
{
	const uint8_t *here = (const uint8_t *)code, *aside;
	const struct range whole = patched_text_range(module);
	bool first = LOAD_ACQUIRE(&module->text.state) == TEXT_PATCHED;

	*patched = here;
	if (!LOAD_ACQUIRE(&module->text.aside) || code < whole.start || code >= whole.end)
		return false;
	aside = (const uint8_t *)(module->text.aside + (code - whole.start));
	*patched = first ? here : aside;
	*own = first ? aside : here;
	return true;
}

/* Returns where the own byte of this address of a module's text is, and those behind it are. */
static const uint8_t *own_at(const struct module *module, uintptr_t code)
{
	const uint8_t *patched, *own;

	if (text_both(module, code, &patched, &own))
		return own;
	own = own_saved(module, PAGE_DOWN(code));
	return own ? own + (code - PAGE_DOWN(code)) : (const uint8_t *)code;
}

void own_text_copy(const struct module *module, struct range text, uint8_t *to)
{
	for (uintptr_t at = text.start; at < text.end; at = PAGE_DOWN(at) + MADT_PAGE) {
		const uintptr_t end = PAGE_DOWN(at) + MADT_PAGE;

		bytes_copy(to + (at - text.start), own_at(module, at),
				(end < text.end ? end : text.end) - at);
	}
}
