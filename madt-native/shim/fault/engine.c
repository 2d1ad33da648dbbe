/* The engines, as all rooms see them. */
#include "fault/fault.h"

#include "module/storage.h"
#include "splice/splice.h"
#include "text/text.h"
#include "trap/trap.h"

static bool splice_fault(const siginfo_t *info, ucontext_t *context)
{
	return splice_on_fetch(info, context) || copies_on_fetch(info, context)
			|| splice_on_fault(info, context) || gs_override(info, context);
}

const struct engine splice_engine = {
	.leads = true,
	.claim = storage_tell,
	.prepare = splice_prepare,
	.keep = splice_keep,
	.drop = splice_remove,
	.watch = points_take,
	.begin = splice_begin,
	.rest = splice_end,
	.rate_limit = splice_rate_limit,
	.switched = splice_switched,
	.fault = splice_fault,
	.hold = splice_hold,
	.show = splice_show,
};

/* It records no calls, and has no instruments. */
static void trap_nothing(void)
{
}

static bool trap_hold(int number, const siginfo_t *info, ucontext_t *context)
{
	(void)number;
	(void)info;
	(void)context;
	return false;
}

static void trap_show(siginfo_t *info, ucontext_t *context, bool handled)
{
	(void)info;
	(void)context;
	(void)handled;
}

const struct engine trap_engine = {
	.closes = true,
	.prepare = trap_prepare,
	.keep = trap_keep,
	.drop = splice_remove, /* a program with an allocator of its own has a plan of hooks */
	.watch = points_take,
	.begin = splice_begin, /* what concerns points */
	.rest = splice_end,
	.rate_limit = trap_nothing,
	.switched = trap_nothing,
	.fault = trap_fault,
	.hold = trap_hold,
	.show = trap_show,
};
