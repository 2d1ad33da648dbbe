/* Whether plans wait until a window opens: see splice_begin.c. */
#include "splice/splice.h"

#include "session/session.h"

static bool begun;  /* plans are applied as modules come */
static bool rested; /* they have been, and are no more */

bool splice_has_begun(void)
{
	return LOAD_ACQUIRE(&begun);
}

void splice_set_begun(bool now)
{
	rested |= !now;
	STORE_RELEASE(&begun, now);
}

/*
 * A program's own allocator is hooked from the beginning: its blocks are told of whether accesses
 * are recorded or not.
 */
bool splice_may_wait(const struct madt_plan *plan)
{
	return engine.leads && (session.page->start >= MADT_START_MARKER || rested)
			&& !plan->hooks.count && !splice_has_begun();
}
