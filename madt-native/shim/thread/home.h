/* Where the states of threads lie: within this room. */
#ifndef MADT_HOME_H
#define MADT_HOME_H

#include "base/state.h"

/*
 * A handler stack with the thread's state above it. They outlive their threads: a thread cannot
 * unmap the stack that it runs on.
 */
struct home {
	char stack[HANDLER_STACK_BYTES];
	struct madt_thread state;
};

/* A home for the calling thread, whose state is all zeros; NULL if there is no memory. */
struct home *home_take(uint32_t tid);
/* Its thread is about to end, and needs it until it has. */
void home_leave(const struct madt_thread *thread);
/* Nobody runs on it any more. */
void home_give_back(const struct madt_thread *thread);
/* In the child of a fork: of its threads only this one is there. */
void homes_after_fork(uint32_t tid);

#endif
