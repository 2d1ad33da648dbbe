/* Engine splice: plans, and what happens in the code that they make. */
#ifndef MADT_SPLICE_H
#define MADT_SPLICE_H

#include "base/base.h"

struct module;

/* At a guard page, with the thread's stack pointer. */
void splice_make_room(uintptr_t stack);

/* Do what the engine does: see struct engine. */
bool splice_prepare(struct module *module, struct madt_request *request);
bool splice_keep(struct module *module);
/* SPLICE_OTHER: it is a plan of other code than the module's. */
enum splice_applied { SPLICE_APPLIED, SPLICE_NO_PLACE, SPLICE_OTHER };
enum splice_applied splice_apply(struct module *module, struct madt_request *request);
/*
 * Puts the plan of the answer into the place of the module's, while no other thread runs or stands
 * in its code. Else the module keeps the one that it has.
 */
enum splice_applied splice_exchange(struct module *module, struct madt_request *request);
/* Does so for all modules whose instruments are not the session's; the same holds. */
enum madt_plans splice_renew(void);
void splice_begin(void);
void splice_end(void);
void splice_remove(struct module *module);
/* MadT leaves this process, which has one thread and is in no trampoline: all code is as it was */
void splice_release(void);
/* After fork: template numbers of the child's own. */
void splice_renumber(struct module *module, uint32_t first_template);
void splice_after_fork(void);
/* Areas and text of a module whose plan is mapped: from here on its code records. */
void splice_patch(struct module *module);
/* The same of areas, and of the text only the patch that this instruction is in. */
void splice_patch_at(struct module *module, uintptr_t code);
void splice_areas_renew(const struct module *module); /* they are the file's again */
/*
 * A `syscall` instruction whose call has come to the gate and needs none: true if it is to have its
 * window, see splice_often.c.
 */
bool splice_often(uintptr_t code);
void often_forget(void); /* no window of such an instruction is there any more */
/* The window of one instruction, though all plans wait. */
void splice_alone(uintptr_t code);
/* The program is about to change this range of its address space, which may be text; or has. */
void splice_yield(struct range range);
void splice_yielded(struct range range);
/*
 * Forgets the text of modules that are not mapped there any more. The loader says so of a library
 * only when it has taken it from its list; the place may be another's by then.
 */
void splice_unmapped(struct range range);
/* Functions that are called too often lose their patches: see text_rate_limit.c. */
void splice_rate_limit(void);
/* Instruments have been switched: triggers follow, see text_triggers.c. */
void splice_switched(void);
/* Returns whether plans are applied as modules come, and from here on: see splice_wait.c. */
bool splice_has_begun(void);
void splice_set_begun(bool now);
/* Returns whether the plan of a module waits until recording begins, and may still wait. */
bool splice_may_wait(const struct madt_plan *plan);
uintptr_t splice_address(const struct module *module, uint32_t place);
/* The module in whose area the code lies, and the place there; NULL if it lies in none. */
const struct module *splice_module(uintptr_t code, uint32_t *place);

/* Each is true if that was all: the context goes on. */
bool splice_on_fetch(const siginfo_t *info, ucontext_t *context);
bool splice_on_fault(const siginfo_t *info, ucontext_t *context);
/* A trap at this address of the target's code: goes on in the trampoline, if it is one of a patch.
 */
bool splice_enter(ucontext_t *context, uintptr_t code);
bool splice_on_trap(int number, const siginfo_t *info, ucontext_t *context);
/* A signal that found the thread in a trampoline is held until it is out. */
bool splice_hold(int number, const siginfo_t *info, ucontext_t *context);
/*
 * A fault of the target's in a trampoline: registers and instruction pointer become those of the
 * original instruction. Where a handler takes it, the access was not made; where none does, the
 * original instruction faults again and ends the process.
 */
void splice_show(siginfo_t *info, ucontext_t *context, bool handled);

/*
 * The patch that leads to the springboard at this address of the target's code, or 0: nothing has
 * been done yet, and a thread at the springboard may be shown there.
 */
uintptr_t splice_before_springboard(uintptr_t code);
/* Returns where the thread may be shown that stands at this place, or 0. */
uintptr_t splice_shown_at(const struct module *module, uint32_t place);
/* Shows it there: registers and instruction pointer become those of the original instruction. */
void splice_show_there(const struct module *module, uint32_t place, ucontext_t *context);
/* Returns whether nothing has been recorded yet of the instruction that a boundary shows. */
bool splice_boundary_clean(uintptr_t at);
/*
 * Takes the accesses of the instruction at this place out of the record at hand: it has not run and
 * will be entered anew.
 */
void splice_withdraw(const struct module *module, uint32_t place);
/* The same of what would come behind it, and never will: it is the process's last. */
void splice_cut(const struct module *module, uint32_t place);

/*
 * Copies of patched text, see splice_copies.c: memory that has become executable; and a fetch that
 * fails, true if the context goes on. MadT leaves the process: all such memory is executable.
 */
void copies_new(uintptr_t start, uintptr_t end, uint32_t protection);
void copies_release(void);
bool copies_on_fetch(const siginfo_t *info, ucontext_t *context);
void copies_after_fork(void);

/* ---------------------------------------------------------------- points, see splice_points.c */

/* A trap at a point: true, and the context goes on behind it. */
bool point_hit(ucontext_t *context);
/* The step behind a point that stays. */
bool point_stepped(ucontext_t *context);

/* ---------------------------------------------------------------- see call_out.c */

void call_out_set_up(void);
/*
 * A signal that finds the thread on the way to a function of a probe's, or back: true, it is held.
 */
bool call_out_hold(int number, const siginfo_t *info, ucontext_t *context);
/* A trap there: true, and the context goes on. */
bool call_out_on_trap(const siginfo_t *info, ucontext_t *context);

/* ---------------------------------------------------------------- see library.c */

/* Takes the functions of the user's; false: there is no memory. */
bool library_set_up(void);
/* A fault of the thread's: true, it was in such a function, and the context goes on. */
bool library_on_fault(const siginfo_t *info, ucontext_t *context);

void splice_step_out(ucontext_t *context);
/* Its steps were interrupted. */
void splice_step_on(ucontext_t *context);
void splice_step_end(ucontext_t *context);
bool splice_on_step(ucontext_t *context);
/* the target steps itself into a trampoline */
void splice_own_begin(const ucontext_t *context);
void splice_own_forget(void);
/* It has stepped out of the trampoline, to a system call: nothing is due. False: the step was
 * MadT's. */
bool splice_own_ends(ucontext_t *context);

#endif
