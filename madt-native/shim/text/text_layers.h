/* What the files of this room alone use: pages, and the layers of text. */
#ifndef MADT_TEXT_LAYERS_H
#define MADT_TEXT_LAYERS_H

#include "module/module.h"

/*
 * From here on nobody executes the pages. Returns their bytes, to be changed: in their place, or,
 * if `apart`, a copy, so that they stay one mapping with their neighbours. NULL: the kernel
 * refuses.
 */
uint8_t *pages_edit(struct range pages, bool apart);
/* Has the changed bytes executed from here on. */
void pages_edited(struct range pages, uint8_t *bytes);
/* Has anonymous pages there at once, before they are written one by one. */
void pages_populate(struct range pages);
/* Makes pages the file's again (madvise(2), MADV_DONTNEED). */
void pages_forget(struct range pages);
/* Writes pages whose rights stay as they are; `by_rights`: if need be, by changing these. */
void pages_poke(struct range pages, const uint8_t *bytes, bool by_rights);
/* Nobody executes them; or everybody may. */
void pages_close(struct range pages);
void pages_open(struct range pages);

/* ---------------------------------------------------------------- own bytes, see text_marks.c, text_saved.c */

#define MARK_SAVED 1u /* its own bytes are at hand */
#define MARK_CLEAN 2u /* it was its file's when they were saved */
#define MARK_TAKEN 4u /* it is the program's own */

/* Makes the table of marks. False: there is no memory. */
bool marks_make(struct module *module);
/* The mark of a page; NULL: it has none. */
uint8_t *mark_of(const struct module *module, uintptr_t page);
/* Room for its own bytes, if it has a mark. */
uint8_t *own_page(const struct module *module, uintptr_t page);
/* Saves what stands in pages that are about to be patched first. False: there is no memory. */
bool own_save(struct module *module, struct range pages);
/* The own bytes of a page, or NULL. */
const uint8_t *own_saved(const struct module *module, uintptr_t page);
/* Gives a page these bytes; it lies at this place. */
void own_put(const struct module *module, uintptr_t page, uintptr_t place, const uint8_t *bytes);
void own_drop(struct module *module);
/* Pages are the program's own; any in this range is. */
bool own_take(struct module *module, struct range pages);
bool own_taken(const struct module *module, struct range range);
/* Copies bytes of text that may be gone; returns how many. */
size_t text_read(void *to, uintptr_t from, size_t size);

/* ---------------------------------------------------------------- patches, see text_undo.c */

/* Which patches give their place back. */
enum undo {
	UNDO_ALL,
	UNDO_UNLED,  /* all but springboards and what leads to them: a thread may stand at one */
	UNDO_BROKEN, /* those that are partly in pages of the program's own */
	UNDO_WHOLE   /* of pages of the program's own alone: those that stand there whole */
};
/*
 * Gives pages their own bytes, as far as they are saved; they lie `shift` from their places. Those
 * of the program's own have UNDO_WHOLE.
 */
void pages_undo(struct module *module, struct range pages, uintptr_t shift, enum undo which);
/* Returns whether a patch must not be laid: see UNDO_BROKEN. */
bool patch_broken(const struct module *module, const struct madt_plan_patch *patch);
void patch_make(uint8_t *at, const struct madt_plan_patch *patch);
/* Leaves the patched text image; these pages are the program's, the others' patches are written. */
void text_yield_image(struct module *module, struct range pages);
void jump_write(uint8_t *at, int32_t relative);

/* An int3, and what it stands on; it may be executed at any time. False: the kernel refuses. */
bool trap_lay(uintptr_t at, uint8_t *saved, uint8_t *armed);
void trap_lift(uintptr_t at, const uint8_t *saved, uint8_t *armed);

/*
 * Single bytes that are put while others may execute them. Their pages stay one mapping with their
 * neighbours, so that a patched text image can leave its place; begins as { 0 }.
 */
struct text_bytes {
	bool begun;
	long memory; /* a descriptor */
};
void text_byte_put(struct text_bytes *bytes, uintptr_t at, uint8_t byte);
void text_bytes_end(struct text_bytes *bytes);

/* Takes out what lies above patches in this range of a module, and lays it again. */
void layers_out(struct module *module, struct range range);
void layers_in(struct module *module, struct range range);
void triggers_out(struct module *module, struct range range);
void triggers_in(struct module *module, struct range range);
void points_out(struct module *module, struct range range);
/* Puts the bytes that points of a page stand on into its copy. */
void points_beneath(const struct module *module, uintptr_t page, uint8_t *bytes);
void points_in(struct module *module, struct range range);
void return_out(struct module *module, struct range range);
void return_in(struct module *module, struct range range);

/* The executable segments of a module have a patched text image; these are its pages. */
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
