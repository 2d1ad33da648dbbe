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
static bool own_unseen(int number, const siginfo_t *info, ucontext_t *context)
{
	bool waits = gate_in_stub((uintptr_t)context_registers(context)[REG_RIP]) && self.signal.waits;
	uint64_t blocked = waits ? self.signal.wait_mask : self.signal.virtual_mask;

	if (blocked & SIGNAL_BIT(number)) {
		if (signal_keep_own(number, info, context_registers(context), gate_looks(context)))
			return true;
	} else if (self.signal.actions->action[number].handler != (uintptr_t)SIG_IGN) {
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

void signal_to_target(int number, siginfo_t *info, ucontext_t *context)
{
	bool sent = info->si_code <= 0;
	uint64_t under;
	bool unseen; /* it opens or closes a window, and does nothing else */
	bool opens;

	/* all others have been held already: signal_receive */
	if (sent && signal_owned(number) && self.critical && held_add(number, info, context))
		return;
	info->si_code = signal_code(info->si_code);
	gate_plain(context);
	if (sent && signal_owned(number) && own_unseen(number, info, context))
		return;
	unseen = window_signal(number) && !action_handled(&self.signal.actions->action[number]);
	if (unseen)
		call_repeat(context);
	under = mask_under(number, context);
	signal_settle(context);
	if (!sent && (SIGNALS_FAULT & SIGNAL_BIT(number)))
		engine.show(info, context,
				action_handled(&self.signal.actions->action[number])
						&& !(self.signal.virtual_mask & SIGNAL_BIT(number)));
	else if (engine.hold(number, info, context))
		return;
	opens = !recording;
	window_signalled(number);
	if (opens)
		gate_open_tell(context);
	if (unseen)
		return;
	if (!action_handled(&self.signal.actions->action[number])
			|| (!sent && (self.signal.virtual_mask & SIGNAL_BIT(number))))
		signal_default(number, info, context);
	else {
		if (sent || !(SIGNALS_FAULT & SIGNAL_BIT(number)))
			handed_signal(self.signal.actions->action[number].handler);
		signal_enter(number, info, context, under);
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
	if (opens)
		gate_open_tell(context);
}

/* All other signals with a handler of the target. In a critical section they wait until it ends. */
void signal_receive(int number, siginfo_t *info, void *raw)
{
	ucontext_t *context = raw;

	gs_back();
	if (self.critical && held_add(number, info, context))
		return;
	signal_to_target(number, info, context);
}
