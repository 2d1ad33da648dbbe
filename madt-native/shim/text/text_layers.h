/* What the files of this room alone use: pages, and the layers of text. */
#ifndef MADT_TEXT_LAYERS_H
#define MADT_TEXT_LAYERS_H

#include "module/module.h"

/*
 * From here on nobody executes the pages. Returns their bytes, to be changed: in their place, or a
 * copy; those of the file if `anew`. NULL: the kernel refuses.
 */
uint8_t *pages_edit(struct range pages, bool anew);
/* Has the changed bytes executed from here on. */
void pages_edited(struct range pages, uint8_t *bytes);
/* They are the file's again (madvise(2), MADV_DONTNEED); nobody executes them meanwhile. */
void pages_renew(struct range pages);
/* The same where somebody may. */
void pages_forget(struct range pages);

/* An int3, and what it stands on; it may be executed at any time. False: the kernel refuses. */
bool trap_lay(uintptr_t at, uint8_t *saved, uint8_t *armed);
void trap_lift(uintptr_t at, const uint8_t *saved, uint8_t *armed);

/* Takes out what lies above patches in this range of a module, and lays it again. */
void layers_out(const struct module *module, struct range range);
void layers_in(const struct module *module, struct range range);
void points_out(const struct module *module, struct range range);
void points_in(const struct module *module, struct range range);
void return_out(const struct module *module, struct range range);
void return_in(const struct module *module, struct range range);

/* The executable segment of a module has a patched text image. */
void own_text_note(struct range text);
/* Is taken from the plan's file, if that has one, and dropped with the module. */
void patched_text_take(struct module *module, long fd);
void patched_text_drop(struct module *module);
/* It is on, or patches must be written; it is off, with these rights of the own text, or left for
 * good. */
bool patched_text_on(struct module *module);
void patched_text_off(struct module *module, int protection);
void patched_text_leave(struct module *module, int protection);
void patched_text_protect(const struct module *module, int protection); /* what is in its place */
/* The pages that have a patched text image; empty if none do. */
static inline struct range patched_text_range(const struct module *module)
{
	uintptr_t start = module->bias + module->plan->patched_text.address;

	return (struct range){ start, start + module->plan->patched_text.size };
}

#endif
