/*
 * The tables of signal actions, and the alternate stack: what the kernel keeps for the target, kept
 * by MadT in its stead.
 */
#ifndef MADT_SIGNAL_TABLE_H
#define MADT_SIGNAL_TABLE_H

#include "base/state.h"

#define SIGNALS 64
#define AUTODISARM (int)(1u << 31) /* SS_AUTODISARM */
struct kernel_action {
	uintptr_t handler;
	uint64_t flags;
	uintptr_t restorer;
	uint64_t mask;
};

enum table_state { TABLE_FREE, TABLE_COMING /* its first thread has not begun */, TABLE_USED };

/*
 * One for each that the kernel has: threads share it (CLONE_SIGHAND), other children have a copy,
 * in shared memory too.
 */
struct action_table {
	uint32_t state;
	uint64_t dropped; /* those that the target ignores: MadT's handlers do not block them */
	struct kernel_action action[SIGNALS + 1]; /* as the target set them */
};

extern const int own_number[SIGNALS_OWN_COUNT]; /* of MadT's signals */

static inline bool signal_owned(int number)
{
	return SIGNALS_OWN & SIGNAL_BIT(number);
}

static inline bool action_handled(const struct kernel_action *action)
{
	return action->handler != (uintptr_t)SIG_DFL && action->handler != (uintptr_t)SIG_IGN;
}

/* Returns the action as it is now: threads that change it do so as a whole. */
struct kernel_action action_now(int number);
/* Returns whether the target ignores the signal, so that the kernel would drop it. */
bool action_drops(int number, const struct kernel_action *action);
/* SA_RESETHAND, at the handler's entry. */
void action_reset(int number);
/* The kernel's default action, whatever the table says. */
void kernel_default(int number);
/* The target ignores it from the start. */
void signal_ignore(int number);
/*
 * Returns whether a stack pointer lies on the alternate stack, and whether this forbids to change
 * it or to begin at its top.
 */
bool alternate_holds(const stack_t *stack, uintptr_t rsp);
bool alternate_busy(const stack_t *stack, uintptr_t rsp);
/* 0 or a negated errno, as sigaltstack(2) has it. */
long alternate_set(const stack_t *wanted, uintptr_t rsp);
void alternate_reset(void);

/* One of MadT's signals that the target believes pending goes to the kernel, which blocks it. */
void signal_queue_own(int number);

#endif
