/*
 * The text of modules as it is in their files, for what reads it: a function that is copied and
 * called there, a checksum, a dump. What stands in its place may have patches; where that is an
 * edition (splice_edition.c), the module's own text lies aside.
 */
#include "module/module.h"

#include <stddef.h>

#define LIBRARIES ((uintptr_t)6 << 44) /* the kernel places them above, and programs below */

/* All editions lie in these; they only grow. */
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
	uintptr_t offset, aside;

	if (at < all->start || at >= all->end || !(module = module_of(at)))
		return from;
	aside = LOAD_ACQUIRE(&module->aside);
	if (!LOAD_ACQUIRE(&module->edition) || !aside)
		return from;
	offset = at - module->bias - module->plan->edition.address;
	if (offset >= module->plan->edition.size || size > module->plan->edition.size - offset)
		return from;
	return (const void *)(aside + offset);
}
