/* Engine trap; and steps with the trap flag, which either engine makes. */
#ifndef MADT_TRAP_H
#define MADT_TRAP_H

#include "base/state.h"

struct module;

/* Do what the engine does: see struct engine. */
bool trap_prepare(struct module *module, struct madt_request *request);
bool trap_keep(struct module *module);
bool trap_fault(const siginfo_t *info, ucontext_t *context);

void trap_begin_step(ucontext_t *context);
/*
 * Returns whether the step's trap came while elements are left. A gather or scatter that is
 * interrupted by a fault, MadT's or one that the kernel mends, may be trapped with part of them
 * done, and goes on with the others (SDM volume 2, VPGATHERDD: "traps or interrupts [...] will be
 * delivered in lieu of the exception"); it is recorded already.
 */
bool trap_goes_on(const ucontext_t *context);
void trap_end_step(ucontext_t *context);
/* A thread that is gone may have been in a step. */
void trap_abandon(struct madt_thread *thread);
/*
 * A fault of an instruction with a GS prefix: true if it is to be made alone, with the target's
 * base.
 */
bool gs_override(const siginfo_t *info, ucontext_t *context);

/* Engine trap: robust mutexes in pages that the kernel finds closed; see robust.c. */
void robust_begin(void);                      /* the list that the thread already has */
void robust_look(void);                       /* the thread may have locked one */
void robust_restore(void);                    /* the kernel has the target's own list again */
void robust_set(uintptr_t head, size_t size); /* the target is about to name another */
void robust_unmapped(uintptr_t start, uintptr_t end);
/* get_robust_list; false: the kernel is to be asked */
bool robust_answer(const long *argument, greg_t *registers);
void robust_after_fork(void);

/* Restartable sequences: see trap_rseq.c. */
void trap_rseq_module(const struct module *module);
/* The page that was written to is open. */
void trap_rseq_written(uintptr_t address);
/*
 * Returns whether the fault has aborted one, so that the thread is seen at this address; the page
 * stays open.
 */
bool trap_rseq_aborted(uintptr_t code, uintptr_t page);

#endif
