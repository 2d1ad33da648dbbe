/*
 * calls.c, built with -finstrument-functions, and the logger that one would write by hand: the
 * function and the time stamp counter of each event, in memory, over and over.
 */
#include <x86intrin.h>

#define LOGGED (1 << 20)

struct logged {
	void *function;
	unsigned long long time;
};

static _Thread_local struct logged logged[LOGGED];
static _Thread_local unsigned next;

__attribute__((no_instrument_function)) static inline void logged_add(void *function)
{
	struct logged *one = &logged[next++ % LOGGED];

	one->function = function;
	one->time = __rdtsc();
}

__attribute__((no_instrument_function)) void __cyg_profile_func_enter(void *function, void *caller)
{
	(void)caller;
	logged_add(function);
}

__attribute__((no_instrument_function)) void __cyg_profile_func_exit(void *function, void *caller)
{
	(void)caller;
	logged_add(function);
}

#include "calls.c"
