/*
 * The handlers of MadT's signals. Each hands the signal to whom it concerns, in this order: the
 * gate, the step at hand, the loader's breakpoint, the engine; and the target has what is left.
 */
#include "fault/fault.h"

#include "base/load.h"
#include "gate/gate.h"
#include "module/module.h"
#include "region/region.h"
#include "splice/splice.h"
#include "text/text.h"
#include "thread/thread.h"
#include "trap/trap.h"

#define SYS_SECCOMP 1
#define SYS_USER_DISPATCH 2

/*
 * A signal that was sent found a new thread in front of its stub's int3, which gives it a state: it
 * gets that at once, and the signal afterwards.
 */
static bool sent_too_early(int number, siginfo_t *info, ucontext_t *context)
{
	if (info->si_code > 0 || !gate_newborn(context))
		return false;
	gate_return(context);
	SYS4(__NR_rt_tgsigqueueinfo, SYS0(__NR_getpid), SYS0(__NR_gettid), number, info);
	gs_go();
	return true;
}

/* The process is about to leave MadT: a request that was sent, to any of its threads or to one. */
static bool leaves(int number, siginfo_t *info, ucontext_t *context)
{
	if (!leave_asked(info))
		return false;
	gate_plain(context);
	leave_on_signal(number, info, context);
	gs_go();
	return true;
}

/* A window is to be opened or closed, perhaps. */
static bool asks(siginfo_t *info, ucontext_t *context)
{
	if (!window_asked(info))
		return false;
	gate_plain(context);
	window_to_thread(info, context);
	gs_go();
	return true;
}

static void on_fault(int number, siginfo_t *info, void *raw)
{
	ucontext_t *context = raw;

	if (sent_too_early(number, info, context))
		return;
	gs_back();
	if (library_on_fault(info, context)) {
		gs_go();
		return;
	}
	if (leaves(number, info, context) || asks(info, context))
		return;
	gate_close_first();
	if (!engine.fault(info, context) && (info->si_code <= 0 || !load_resume(context)))
		signal_to_target(number, info, context);
	gs_go();
}

/* The way into a trampoline may be an instruction that is none. */
static void on_illegal(int number, siginfo_t *info, void *raw)
{
	if (sent_too_early(number, info, raw))
		return;
	gs_back();
	if (library_on_fault(info, raw))
		gs_go();
	else if (info->si_code <= 0 || !splice_on_trap(number, info, raw))
		signal_to_target(number, info, raw);
}

/* The target's own step leads from a trampoline to a system call. */
static bool steps_into_call(const siginfo_t *info, ucontext_t *context)
{
	if (info->si_code != TRAP_TRACE || !direct_entered(context) || !splice_own_ends(context))
		return false;
	gate_stepped(context);
	return true;
}

/* At the entry of a function that opens or closes a window, or behind it. */
static bool trap_of_point(const siginfo_t *info, ucontext_t *context)
{
	return info->si_code == TRAP_TRACE ? point_stepped(context) : point_hit(context);
}

/*
 * Virtual machines lose now and then why a debug exception came (DR6.BS). Linux then calls a step
 * TRAP_BRKPT, as it calls no int3, whose code is SI_KERNEL.
 */
static void step_rename(siginfo_t *info, const ucontext_t *context)
{
	if (info->si_code == TRAP_BRKPT && context->uc_mcontext.gregs[REG_EFL] & TRAP_FLAG)
		info->si_code = TRAP_TRACE;
}

static void on_trap(int number, siginfo_t *info, void *raw)
{
	ucontext_t *context = raw;

	step_rename(info, context);
	if (sent_too_early(number, info, context))
		return;
	gs_back();
	gate_plain(context);
	if (info->si_code > 0) {
		/* first of all: a new thread has no state of its own there */
		if (gate_in_stub((uintptr_t)context_registers(context)[REG_RIP] - 1)) {
			gate_return(context);
			gs_go();
			return;
		}
		if (direct_on_trap(info, context) || call_out_on_trap(info, context)
				|| steps_into_call(info, context) || trap_of_point(info, context)) {
			gs_go();
			return;
		}
		if (self.trap.step.active) {
			if (trap_goes_on(context))
				return;
			trap_end_step(context);
			if (!self.trap.step.flag || (engine.leads && splice_on_trap(number, info, context)))
				return;
			/* the target steps itself: this trap is its own as well */
		} else if (loader_breakpoint(context) || splice_on_trap(number, info, context)) {
			return;
		}
	}
	signal_to_target(number, info, context);
}

static void call_enter(int number, siginfo_t *info, ucontext_t *context)
{
	switch (user_dispatch(info, context)) {
	case DISPATCH_PASSES:
		gate_call(info, context);
		break;
	case DISPATCH_SIGNALS:
		signal_to_target(number, info, context);
		break;
	case DISPATCH_ENDS:
		break;
	}
}

static void on_call(int number, siginfo_t *info, void *raw)
{
	ucontext_t *context = raw;

	if (sent_too_early(number, info, context))
		return;
	gs_back();
	gate_plain(context);
	if (info->si_code == SYS_USER_DISPATCH) {
		direct_hand_over(context);
		call_enter(number, info, context);
	} else {
		if (info->si_code == SYS_SECCOMP) {
			gate_refused(info, context);
			direct_refused(info, context);
		}
		signal_to_target(number, info, context);
	}
}

const struct signal_entries fault_entries = { on_fault, on_trap, on_call, on_illegal,
	signal_receive };
