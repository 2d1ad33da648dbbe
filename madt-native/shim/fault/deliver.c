/*
 * Every handler of the target is entered here, on MadT's handler stack: the thread is first taken
 * out of whatever MadT was doing.
 */
#include "fault/fault.h"

#include "gate/gate.h"
#include "region/region.h"
#include "signal/signal_table.h"
#include "thread/thread.h"
#include "trap/trap.h"

/* Brings the thread back to where all its state is the target's own. */
static void signal_settle(ucontext_t *context)
{
	if (self.trap.step.active)
		trap_end_step(context);
	if (gate_in_stub((uintptr_t)context_registers(context)[REG_RIP]))
		gate_interrupt(context);
	direct_show(context);
}

/* The target does not see the signal: a call that ended for it is made again. */
static void call_repeat(ucontext_t *context)
{
	if (gate_interrupted(context))
		gate_repeat(context);
	if (direct_interrupted(context))
		direct_repeat(context);
}

/*
 * A signal of MadT's that was sent while the target ignores or blocks it. The kernel would not have
 * looked up from what it was doing: a call that ended for it is made again.
 */
static bool own_unseen(const struct kernel_action *action, int number, const siginfo_t *info,
		ucontext_t *context)
{
	bool waits = gate_in_stub((uintptr_t)context_registers(context)[REG_RIP]) && self.signal.waits;
	uint64_t blocked = waits ? self.signal.wait_mask : self.signal.virtual_mask;

	if (blocked & SIGNAL_BIT(number)) {
		if (signal_keep_own(number, info, context_registers(context), gate_looks(context)))
			return true;
	} else if (action->handler != (uintptr_t)SIG_IGN) {
		return false;
	}
	call_repeat(context);
	return true;
}

/*
 * The mask that a handler runs under: that of the call which the signal ends, if it has one for as
 * long as it waits.
 */
static uint64_t mask_under(int number, ucontext_t *context)
{
	if (!gate_waits(context))
		return *context_mask(context) | self.signal.virtual_mask;
	if (!(self.signal.wait_mask & SIGNAL_BIT(number)))
		return self.signal.wait_mask;
	self.signal.waits = false; /* it came before the wait began, which will be made anew */
	return *context_mask(context) | self.signal.virtual_mask;
}

/* The process ends by an access of its own: all of the context is the target's. */
static void crash_tell(int number, const siginfo_t *info, ucontext_t *context)
{
	const greg_t *registers = context_registers(context);
	bool store = registers[REG_ERR] & FAULT_WRITE, fetch = registers[REG_ERR] & FAULT_FETCH;

	if (number == SIGSEGV && recording && !self.vfork_child)
		ring_put(&(struct madt_event){ .type = MADT_EVENT_CRASH,
				.callers = 1,
				.address = (uintptr_t)info->si_addr,
				.size = (uint64_t)number,
				.old = info->si_code == SI_KERNEL ? 3
						: fetch                   ? 2
												  : store,
				.caller = { (uintptr_t)registers[REG_RIP] | MADT_CODE_EXACT } });
}

static bool is_handled(int number, const struct kernel_action *action)
{
	return action_handled(action) && !(self.signal.virtual_mask & SIGNAL_BIT(number));
}

void signal_to_target(int number, siginfo_t *info, ucontext_t *context)
{
	struct kernel_action action;
	bool sent = info->si_code <= 0;
	bool fault = !sent && (SIGNALS_FAULT & SIGNAL_BIT(number));
	uint64_t under;
	bool unseen; /* it opens or closes a window, and does nothing else */
	bool opens;

	/* all others have been held already: signal_receive */
	if (sent && signal_owned(number) && self.critical && held_add(number, info, context))
		return;
	/* once, for another thread may change it; and not where this thread does, which is critical */
	action = action_now(number);
	info->si_code = signal_code(info->si_code);
	gate_plain(context);
	if (sent && signal_owned(number) && own_unseen(&action, number, info, context))
		return;
	if (!fault && action_drops(number, &action)) {
		call_repeat(context); /* the target has begun to ignore it since it was sent */
		return;
	}
	unseen = window_signal(number) && !action_handled(&action);
	if (unseen)
		call_repeat(context);
	under = mask_under(number, context);
	signal_settle(context);
	if (fault) {
		engine.show(info, context, is_handled(number, &action));
		if (!is_handled(number, &action))
			crash_tell(number, info, context);
	} else if (engine.hold(number, info, context))
		return;
	opens = !recording;
	window_signalled(number);
	if (opens)
		gate_open_tell(context);
	if (unseen)
		return;
	if (!action_handled(&action) || (!sent && (self.signal.virtual_mask & SIGNAL_BIT(number))))
		signal_default(number, info, context);
	else {
		if (!fault) {
			gate_wait_ends(context);
			handed_signal(action.handler);
		}
		signal_enter(&action, number, info, context, under);
	}
}

void window_to_thread(siginfo_t *info, ucontext_t *context)
{
	bool opens;

	if (self.vfork_child || held_has(window_asked)
			|| (self.critical && held_add(MADT_ASKED_BY, info, context)))
		return;
	call_repeat(context);
	self.signal.waits = false; /* a wait with a mask begins anew */
	signal_settle(context);
	if (engine.hold(MADT_ASKED_BY, info, context))
		return;
	gate_close_first();
	opens = !recording;
	window_answer();
	leave_none(context);
	if (opens)
		gate_open_tell(context);
}

/*
 * Returns whether a handler of MadT's or a step was interrupted. It blocks all signals but those
 * that the target ignored as it began, so the target handles this one since then.
 */
static bool too_early(int number, ucontext_t *context)
{
	const uintptr_t stack = (uintptr_t)self.handler_stack;
	const uintptr_t rsp = (uintptr_t)context_registers(context)[REG_RSP];

	return (self.trap.step.active && !(SIGNALS_FAULT & SIGNAL_BIT(number)))
			|| (rsp - stack < HANDLER_STACK_BYTES
					&& (*context_mask(context) & SIGNALS_OWN) == SIGNALS_OWN);
}

/* All other signals with a handler of the target. In a critical section they wait until it ends. */
void signal_receive(int number, siginfo_t *info, void *raw)
{
	ucontext_t *context = raw;

	gs_back();
	if (self.critical && held_add(number, info, context))
		return;
	if (too_early(number, context)) {
		*context_mask(context) |= SIGNAL_BIT(number); /* it comes again when that is over */
		SYS4(__NR_rt_tgsigqueueinfo, SYS0(__NR_getpid), self.tid, number, info);
		return;
	}
	signal_to_target(number, info, context);
}
