/*
 * The allocator that a program brings along: its functions are entered through the wrappers, and
 * are what these call. Functions that the user has named have a wrapper of their own.
 */
#include "wrap/wrap.h"

#define HOOK_OWN(constant, name) extern char own_##name[] __attribute__((visibility("hidden")));
WRAP_HOOKS(HOOK_OWN)

static const void *allocator; /* the plan of the first module that defines malloc */

static void (*cache_end)(void); /* glibc's own function */

/* Tells of no block that is freed here: the program has freed it before, or never knew of it. */
static void own_cache_end(void)
{
	uintptr_t frame = FRAME;

	frame_enter_allocation(frame);
	cache_end();
	frame_leave(frame);
}

bool wrap_hooks_are(const void *plan, bool has)
{
	if (!allocator && has)
		allocator = plan;
	return plan == allocator || !allocator;
}

void wrap_hooks_move(const void *from, const void *to)
{
	if (allocator == from)
		allocator = to;
}

uintptr_t wrap_hook(uint32_t function, uintptr_t code)
{
	if (madt_is_go(function)) {
		go_set_up();
		return code;
	}
	if (function & MADT_HOOK_NAMED) {
		named_stubs_are(named_stubs);
		return named_wrapper(function, code);
	}
	switch (function) {
#define HOOK_CASE(constant, name)                \
	case MADT_HOOK_##constant:                   \
		real.name = (__typeof__(real.name))code; \
		return (uintptr_t)own_##name;
		WRAP_HOOKS(HOOK_CASE)
	case MADT_HOOK_CACHE_END:
		cache_end = (void (*)(void))code;
		return (uintptr_t)own_cache_end;
	default:
		return 0;
	}
}
