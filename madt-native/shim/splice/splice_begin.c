/*
 * In a session that waits for a marker, plans are put off: a module's areas are reserved, so that
 * their places are sure, and its text stays as it was. A program that never comes to a marker pays
 * for nothing else. When recording begins, all plans are applied, while other threads may be in the
 * code:
 *
 *   areas      numbered and made executable; nobody goes there yet
 *   patched    from here on, a trap at an instruction start within a patch is MadT's
 *   text       some pages at a time: not executable, patched, executable again
 *
 * A thread that comes to such pages meanwhile faults, and waits. One that stood within a window
 * finds a trap there, which leads to the copy of its instruction, as an unforeseen jump does
 * (docs/SPLICE.md, Windows). No signal of the target's reaches the thread that patches: its handler
 * may lie in these pages.
 */
#include "splice/splice.h"

#include "base/state.h"
#include "module/module.h"
#include "session/session.h"

#define FAULT_FETCH 16 /* page-fault error code, Intel SDM volume 3, 4.7 */

static bool begun;    /* plans are applied as modules come */
static bool patching; /* while others may run */

/*
 * A program's own allocator is hooked from the beginning: its blocks are told of whether accesses
 * are recorded or not.
 */
bool splice_may_wait(const struct madt_plan *plan)
{
	return engine.leads && session.page->start == MADT_START_MARKER && !plan->hooks.count
			&& !LOAD_ACQUIRE(&begun);
}

bool splice_put_off(struct module *module)
{
	bool wait;

	module_hold();
	wait = splice_may_wait(module->plan);
	module->put_off = wait;
	module_let_go();
	return wait;
}

static void plan_apply(struct module *module)
{
	if (module->put_off)
		splice_patch(module);
}

/* It may be half done. */
static void plan_apply_again(struct module *module)
{
	if (module->put_off)
		splice_areas_renew(module);
	plan_apply(module);
}

void splice_begin(void)
{
	if (LOAD_ACQUIRE(&begun) && !LOAD_ACQUIRE(&patching))
		return;
	module_hold_list();
	if (!begun) {
		module_list(); /* what has gone is there no more */
		STORE_RELEASE(&patching, true);
		STORE_RELEASE(&begun, true);
		module_visit(plan_apply);
		STORE_RELEASE(&patching, false);
	}
	module_let_go();
}

/*
 * Another thread may have been about to patch, and is not there: the child does it all, before it
 * runs any of the code.
 */
void splice_after_fork(void)
{
	if (!patching)
		return;
	module_visit(plan_apply_again);
	patching = false;
}

bool splice_on_fetch(const siginfo_t *info, ucontext_t *context)
{
	const struct module *module = module_of((uintptr_t)info->si_addr);
	bool fetch = info->si_code == SEGV_ACCERR && context_registers(context)[REG_ERR] & FAULT_FETCH;

	if (!fetch || !module || !module->plan || !LOAD_ACQUIRE(&begun))
		return false;
	if (!LOAD_ACQUIRE(&patching)) {
		bool first = !self.splice.fetched; /* it may have ended just now */

		self.splice.fetched = true;
		return first;
	}
	while (LOAD_ACQUIRE(&patching))
		SYS0(__NR_sched_yield);
	return true;
}
