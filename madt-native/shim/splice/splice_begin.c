/*
 * While no window of the recording is open, the text of modules is as it was. In a session that
 * waits for its first window, plans are put off: a module's areas are reserved, so that their
 * places are sure. A program that never comes to a window pays for nothing else. When one opens,
 * all plans are applied, while other threads may be in the code:
 *
 *   areas      numbered and made executable; nobody goes there yet
 *   patched    from here on, a trap at an instruction start within a patch is MadT's
 *   text       module by module: not executable, changed, executable again
 *
 * When it closes, text becomes the file's again in the same way. A thread that is in an area comes
 * out of it where it would have. Areas stay, for that and for the next window. Windows between
 * markers may be many and short: behind them the text stays as it is.
 *
 * Windows of system calls that are made often are there all the same (splice_often.c).
 *
 * A thread that comes to pages that change meanwhile faults, and waits. One that stood within a
 * window finds a trap there, which leads to the copy of its instruction, as an unforeseen jump does
 * (docs/SPLICE.md, Windows). No signal of the target's reaches the thread that patches: its handler
 * may lie in these pages.
 */
#include "splice/splice.h"

#include "base/state.h"
#include "region/region.h"
#include "session/session.h"
#include "text/text.h"

static bool patching;    /* while others may run */
static uint32_t changes; /* of text, so far */

static void plan_apply(struct module *module)
{
	if (text_waits(module))
		splice_patch(module);
}

static void areas_again(struct module *module)
{
	patched_text_after_fork(module);
	text_yield_after_fork(module);
	if (module->text.state == TEXT_DEFERRED)
		splice_areas_renew(module);
}

/* It may be half done. */
static void plan_apply_again(struct module *module)
{
	areas_again(module);
	if (text_waits(module))
		splice_patch(module);
	else if (text_may_be_met(module)
			&& rate_limit_touches((struct range){ module->start, module->end }))
		text_patch(module, true);
}

static void change_begin(void)
{
	STORE_RELEASE(&changes, changes + 1);
	STORE_RELEASE(&patching, true);
}

static void change_end(void)
{
	STORE_RELEASE(&patching, false);
}

static void change_all(bool begin, void (*change)(struct module *module))
{
	change_begin();
	splice_set_begun(begin);
	module_visit(change);
	change_end();
}

void splice_begin(void)
{
	if (splice_has_begun() && !LOAD_ACQUIRE(&patching) && !points_any())
		return;
	module_hold_list();
	points_lift();
	if (engine.leads && !splice_has_begun()) {
		module_list(); /* what has gone is there no more */
		change_all(true, plan_apply);
	}
	points_arm(MADT_POINT_CLOSES);
	module_let_go();
}

void splice_alone(uintptr_t code)
{
	struct module *module;

	module_hold();
	module = (struct module *)module_of(code);
	if (!splice_has_begun() && module && text_waits(module)) {
		points_hold();
		change_begin();
		splice_patch_at(module, code);
		change_end();
		points_let_go();
	}
	module_let_go();
}

/* ---------------------------------------------------------------- text that the program takes */

static struct range yielded; /* the caller holds the modules */

static bool has_text(struct range range)
{
	return module_of(range.start) || module_edge(range.start) < range.end;
}

static void plan_yield(struct module *module)
{
	if (text_yields(module, yielded))
		text_yield(module, yielded);
}

void splice_yield(struct range range)
{
	if (!has_text(range))
		return;
	module_hold();
	points_hold();
	yielded = range;
	change_begin();
	module_visit(plan_yield);
	change_end();
	points_let_go();
	module_let_go();
}

static void plan_yielded(struct module *module)
{
	if (module->text.taken)
		text_yielded(module, yielded);
}

/* The range has changed. */
static void changed_visit(struct range range, void (*visit)(struct module *module))
{
	if (!has_text(range))
		return;
	module_hold();
	yielded = range;
	module_visit(visit);
	module_let_go();
}

void splice_yielded(struct range range)
{
	changed_visit(range, plan_yielded);
}

static void plan_unmapped(struct module *module)
{
	if (module->start >= yielded.start && module->end <= yielded.end)
		splice_remove(module);
}

void splice_unmapped(struct range range)
{
	changed_visit(range, plan_unmapped);
}

/* ---------------------------------------------------------------- */

static void plan_renew(struct module *module)
{
	if (text_is_patched(module) && rate_limit_grew((struct range){ module->start, module->end }))
		text_patch(module, true);
}

void splice_rate_limit(void)
{
	module_hold_list();
	if (rate_limit_takes() && splice_has_begun()) {
		points_hold();
		module_list();
		change_all(true, plan_renew);
		points_let_go();
	}
	module_let_go();
}

void splice_switched(void)
{
	module_hold();
	module_visit(triggers_follow);
	module_let_go();
}

static void plan_rest(struct module *module)
{
	if (text_is_patched(module) && !module->plan->hooks.count)
		text_rest(module);
}

void splice_end(void)
{
	bool rests = engine.leads && session.page->start != MADT_START_MARKER;

	if (!rests && !points_any())
		return;
	module_hold_list();
	points_lift();
	if (rests) {
		module_list();
		change_all(false, plan_rest);
		often_forget();
	}
	if (window_opens_again())
		points_arm(MADT_POINT_OPENS);
	module_let_go();
}

/* Likewise: one window may have been about to be there, or all to be gone. */
static void plan_rest_again(struct module *module)
{
	areas_again(module);
	if (text_may_be_met(module) && !module->plan->hooks.count)
		text_rest(module);
}

/*
 * Another thread may have been about to patch, and is not there: the child does it all, before it
 * runs any of the code.
 */
void splice_after_fork(void)
{
	triggers_after_fork();
	if (patching) {
		module_visit(splice_has_begun() ? plan_apply_again : plan_rest_again);
		often_forget();
		patching = false;
	}
	points_after_fork();
	copies_after_fork();
}

bool splice_on_fetch(const siginfo_t *info, ucontext_t *context)
{
	const struct module *module = module_of((uintptr_t)info->si_addr);
	bool fetch = info->si_code == SEGV_ACCERR && context_registers(context)[REG_ERR] & FAULT_FETCH;

	if (!fetch || !module || !module->plan)
		return false;
	if (!LOAD_ACQUIRE(&patching)) {
		uint32_t latest = LOAD_ACQUIRE(&changes);
		bool first = self.splice.fetched != latest; /* it may have ended just now */

		self.splice.fetched = latest;
		return first;
	}
	while (LOAD_ACQUIRE(&patching))
		SYS0(__NR_sched_yield);
	return true;
}
