/*
 * The one lock of short changes. Who waits gives way to other threads. It knows neither its holder
 * nor signals: where a handler may want it, the caller is in a critical section or in a handler
 * (state.h). In the child of a fork, the thread that held it is not there: the lock is made anew.
 */
#ifndef MADT_SPIN_H
#define MADT_SPIN_H

#include "base/base.h"

struct spin {
	uint32_t taken;
};

static inline bool spin_try(struct spin *spin)
{
	return !__atomic_exchange_n(&spin->taken, 1, __ATOMIC_ACQUIRE);
}

static inline void spin_lock(struct spin *spin)
{
	while (!spin_try(spin))
		SYS0(__NR_sched_yield);
}

static inline void spin_unlock(struct spin *spin)
{
	STORE_RELEASE(&spin->taken, 0);
}

/* True: another thread held it. */
static inline bool spin_after_fork(struct spin *spin)
{
	bool taken = spin->taken;

	spin->taken = 0;
	return taken;
}

#endif
