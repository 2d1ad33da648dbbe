/* The target's signals, as the target sees them. */
#ifndef MADT_SIGNAL_H
#define MADT_SIGNAL_H

#include "base/state.h"

/* MadT's handlers: of its own signals, and of all others that the target handles. */
typedef void signal_entry(int number, siginfo_t *info, void *context);
struct signal_entries {
	signal_entry *fault, *trap, *call, *illegal, *other;
};
void signal_set_up(const struct signal_entries *of_handlers);
/*
 * The same where the target runs already, for its handlers too; and for each of its threads, by the
 * signal mask and the alternate stack that it has. The mask that it is to have in the kernel is the
 * caller's affair.
 */
void signal_take_over(const struct signal_entries *of_handlers);
void signal_take_over_thread(uint64_t mask, const stack_t *stack);
/*
 * A signal of MadT's that the target blocks is passed on to a thread that does not, or kept. True
 * if this thread has been told at once: `looks` are the arguments of the sigtimedwait in which it
 * was interrupted, or NULL.
 */
bool signal_keep_own(int number, const siginfo_t *info, greg_t *registers, const long *looks);
/*
 * Lets the kernel's default action take place where the target stands: on return, with the signal
 * on its way.
 */
void signal_default(int number, siginfo_t *info, ucontext_t *context);
/*
 * Enters the action's handler, which returns to the mask that the context has. `under`: the mask that the
 * handler has besides its own.
 */
struct kernel_action;
void signal_enter(const struct kernel_action *action, int number, siginfo_t *info,
		ucontext_t *context, uint64_t under);
/*
 * Gives handlers, mask and alternate stack to the kernel as the target set them: MadT leaves this
 * process.
 */
void signal_release(void);
void signal_release_thread(ucontext_t *context);
/*
 * For an exec: the kernel ignores what the target ignores of MadT's signals, or MadT's handlers are
 * there again.
 */
void signal_bare(bool bare);
bool signal_inherits(void); /* whether the target ignores or blocks any of them */
long signal_action(int number, uintptr_t action, uintptr_t old, size_t size);
long signal_alternate(uintptr_t stack, uintptr_t old, uintptr_t rsp);
void signal_return(ucontext_t *context);
/* Returns what a child takes over, by the flags of clone(2); its table of actions is made here. */
struct inherited signal_bequeath(uint64_t flags);
/*
 * In the child. `from`: what it takes over, or NULL where it has a copy of everything; `clears`:
 * CLONE_CLEAR_SIGHAND.
 */
void signal_begin(const struct inherited *from, bool clears);
void signal_inherited_by_none(const struct inherited *from);
void signal_after_fork(void);
/* MadT's signals, pending as the target sees it: sent again once they are not blocked. */
void signal_send_pending(void);
/* si_code as it was before one thread passed the signal on to another. */
int signal_code(int code);
/* Hands those that are pending, and that this thread may take, to the kernel: it blocks them. */
void signal_hand_over(void);
/* sigpending's answer: the kernel knows nothing of them. */
void signal_add_pending(uintptr_t set);
/* sigtimedwait for one of them, by its arguments; false if the kernel is to be asked. */
bool signal_wait_own(const long *argument, greg_t *registers);
/*
 * Writes what an image started by execve inherits, as a text: ignored and blocked signals of
 * MadT's.
 */
size_t signal_inheritance(char *text);
void signal_inherit(const char *text);
void signal_inherit_bare(const char *text); /* in a program that MadT leaves alone */

#endif
