/*
 * Exceptions and cancellation that pass a wrapper end its frame at once, so that what runs from
 * then on is recorded: the personality routine of madt_call (Itanium C++ ABI, Exception Handling,
 * level I), which has no handlers and no landing pads.
 */
#include "thread/thread.h"

#define SEARCH_PHASE 1
#define FORCE_UNWIND 8
#define CONTINUE_UNWIND 8

/*
 * An exception is searched a handler for first. When the search comes here, it will leave the
 * wrapper or end the process. Forced unwinding has no such phase.
 */
__attribute__((used)) int madt_personality(int version, int actions, uint64_t class,
		void *exception, void *context)
{
	(void)version;
	(void)class;
	(void)exception;
	(void)context;
	if (actions & (SEARCH_PHASE | FORCE_UNWIND))
		frame_unwound();
	return CONTINUE_UNWIND;
}
