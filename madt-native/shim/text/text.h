/*
 * What stands in the text of modules, and who writes it: nobody else does. Text is made of layers,
 * from the lowest:
 *
 *   own       the file's bytes
 *   patches   of the plan: the patched text image in the place of the own text, or written into
 *             it, and then without those of functions that are called too often (--rate-limit)
 *   single    patches of single instructions, while all others wait (hot system calls)
 *   triggers  the second bytes of those of the source that are on
 *   points    int3 where functions are awaited
 *   return    int3 where a function's return is awaited
 *
 * Where a layer changes, those above it are taken out before, and laid again behind it: see
 * text_layers.c, whose table has the order. The loader's int3 lies in a module that has no plan.
 */
#ifndef MADT_TEXT_H
#define MADT_TEXT_H

#include "module/module.h"

/*
 * Writes bytes over text. A single byte comes while others may execute it. While more are written,
 * nobody can execute their pages: who comes there faults, and waits if the caller has seen to that
 * (splice_begin.c). False: the kernel refuses.
 */
bool text_write(struct range text, const void *bytes);
/* The same of code that is no module's, in pages with these rights. */
bool text_write_as(struct range text, const void *bytes, uint32_t protection);
/*
 * Opens the process's memory, which can be written so whatever its pages permit. Returns the
 * descriptor, to be closed; a negated errno on failure.
 */
long memory_open(void);

/* ---------------------------------------------------------------- the loader's */

void loader_watch(void);
void loader_release(void);                   /* MadT no longer wants to know */
bool loader_breakpoint(ucontext_t *context); /* was it the loader's? */

/*
 * ---------------------------------------------------------------- own text and patched text image
 */

/*
 * Returns where these bytes are as they are in the module's file: elsewhere if they are patched
 * text.
 */
const void *own_text(const void *from, size_t size);
/* Copies text of a module as its file has it. */
void own_text_copy(const struct module *module, struct range text, uint8_t *to);
/* Both texts at an address of a module; false: only the patched one is there. */
bool text_both(const struct module *module, uintptr_t code, const uint8_t **patched,
		const uint8_t **own);
/*
 * Returns whether it is text that bears the name of a plan where the kernel lists mappings, and
 * nothing else: whoever unloads a module unmaps all of it.
 */
bool patched_text_covers(uintptr_t start, uintptr_t end);
/* After fork, in which another thread may have been about to change texts. */
void patched_text_after_fork(struct module *module);

/* ---------------------------------------------------------------- states, see text_state.c */

/* The module has a plan, from this file; its patches are put off; its areas are ready; it goes. */
void text_take(struct module *module, long fd);
void text_defer(struct module *module);
void text_ready(struct module *module);
void text_drop(struct module *module);

/*
 * Another plan takes the place of the module's, while nobody else runs: the text is bare of all
 * layers; it is that of no plan; the layers above patches are laid again.
 */
void text_bare(struct module *module);
void text_leave_plan(struct module *module);
void text_layers_lay(struct module *module);

/* A patch may stand in the text, or may have: who met it is in an area. */
static inline bool text_may_be_met(const struct module *module)
{
	return LOAD_ACQUIRE(&module->text.state) >= TEXT_RESTING;
}

/* The text is its own until a window opens. */
static inline bool text_waits(const struct module *module)
{
	return module->text.state == TEXT_DEFERRED || module->text.state == TEXT_RESTING;
}

static inline bool text_is_patched(const struct module *module)
{
	return module->text.state >= TEXT_WRITTEN;
}

/* ---------------------------------------------------------------- patches */

/* All patches. Anew: what stands there is forgotten before. */
void text_patch(struct module *module, bool anew);
/* The patch that this instruction is in, if it is one that needs no other. */
void text_patch_at(struct module *module, uintptr_t code);
/* The file's text, but for what a thread may be in the midst of. */
void text_rest(struct module *module);
/*
 * The text is as it would be without patches: what the program has changed stays. All of it, or the
 * pages of an instruction.
 */
void text_restore(struct module *module);
void text_restore_at(struct module *module, uintptr_t code);

/*
 * The program is about to map, unmap or write these pages of its text, or can execute them again:
 * see text_yield.c.
 */
bool text_yields(const struct module *module, struct range range);
void text_yield(struct module *module, struct range range);
void text_yielded(struct module *module, struct range range);
void text_yield_after_fork(struct module *module);

/* Functions that are called too often: see text_rate_limit.c. */
bool rate_limit_has(uintptr_t code);         /* whether it lies in one of them */
bool rate_limit_touches(struct range range); /* whether one of them does */
bool rate_limit_takes(void);                 /* the launcher's list, if that has grown */
void rate_limit_tell(void);                  /* tells the launcher how long it is */
bool rate_limit_grew(struct range range);    /* by functions in this range */

/* ---------------------------------------------------------------- triggers, see text_triggers.c */

/* Writes those of a module as the switches of their instruments say. */
void triggers_follow(struct module *module);
void triggers_after_fork(void);
void triggers_in_child(void); /* which has switches of its own by now */

/* ---------------------------------------------------------------- points, see text_points.c */

/* Points of this thread's from here on: nobody else changes any, nor what lies beneath them. */
void points_hold(void);
void points_let_go(void);
bool points_any(void);
/* The module has these functions, whose file the answer names. */
void points_take(struct module *module, const struct madt_request *request);
void points_drop(struct module *module);
/* The int3 of all points are taken away; or there are those of this role, of all modules. */
void points_lift(void);
void points_arm(enum madt_point_role role);
void points_after_fork(void);

/* The caller of these holds the points. */
enum madt_point_role points_awaited(void); /* whose points are armed; 0: none */
uintptr_t point_address(const struct module *module, const struct madt_point *point);
struct madt_point *point_find(const struct module *module, uintptr_t code);
void point_arm(const struct module *module, struct madt_point *point);
bool point_lift(const struct module *module, struct madt_point *point);
void points_lift_all(void);

/* Where an awaited function returns to, the stack pointer there, and whose call it is. */
struct point_return {
	uintptr_t address, stack, thread;
	uint8_t saved;
	uint8_t armed;  /* the int3 is there */
	uint8_t lifted; /* it was, and will be */
};
extern struct point_return point_return;
void return_arm(void);
void return_lift(void);

#endif
