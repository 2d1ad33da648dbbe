/*
 * A process leaves MadT for good: from then on it runs as if MadT had never been there, untraced.
 * It does so
 *
 *   for a debugger         at PTRACE_TRACEME, and when another process of the session is about to
 *                          attach to it (its tracer passes the gate too, and asks first). A
 *                          debugger stops its tracee at every signal, also at those that MadT's
 *                          engines are made of;
 *   for its user           who wants it to go on untraced (madt ctl PID detach);
 *   for a seccomp filter   that allows less than MadT needs, before it is installed (filter.c).
 *
 * All threads must stand where all their state is the target's own. The first one to know leads: it
 * signals the others, each of which comes to such a place and waits in its handler (`parked`); then
 * the leader puts everything back, and each thread what is its own. Where for a second none of
 * those that are missing comes, everything stays as it was.
 */
#include "gate/gate_parts.h"
#include "gate/leave.h"

#include "module/module.h"
#include "region/region.h"
#include "session/session.h"
#include "signal/signal.h"
#include "splice/splice.h"
#include "thread/thread.h"
#include "trap/trap.h"

#include <errno.h>
#include <linux/futex.h>

#define SIGNALS 64

/* The leader leaves by itself, but has been asked as well: enum madt_leave, or 0. */
static uint32_t outside;

static bool standing; /* nobody leaves: all stand still for a moment */

static void ask_thread(struct madt_thread *thread)
{
	siginfo_t info = leave_request();
	uint8_t unasked = ASKED_NOT;

	if (__atomic_compare_exchange_n(&thread->gate.asked, &unasked, ASKED_SENT, false,
				__ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)
			|| unasked == ASKED_SENT)
		SYS4(__NR_rt_tgsigqueueinfo, session.pid, thread->tid, MADT_ASKED_BY, &info);
}

/*
 * Asks those that have not seen it yet, and counts those that are parked. False while one is on its
 * way, or if one can never come: a process that shares this memory.
 */
static bool others_parked(uint32_t *parked)
{
	struct madt_thread *other;
	bool all = gate_stub_empty();

	*parked = 0;
	for (uint32_t i = 0; (other = thread_other(&i)); i++) {
		if (LOAD_ACQUIRE(&other->gate.parked)) {
			++*parked;
		} else if (!sys_failed(SYS3(__NR_tgkill, session.pid, other->tid, 0))) {
			ask_thread(other);
			all = false;
		} else if (!sys_failed(SYS2(__NR_tkill, other->tid, 0))) {
			all = false;
		}
	}
	return all && *parked + 1 >= __atomic_load_n(&thread_count, __ATOMIC_RELAXED);
}

/* Waits until all are; false if for so many looks none has come. */
static bool others_gather(int longest)
{
	uint32_t parked, before = 0;

	for (int looks = 0; !others_parked(&parked); looks++) {
		if (parked != before)
			looks = 0;
		else if (looks == longest)
			return false;
		before = parked;
		leave_moment();
	}
	return true;
}

/*
 * The handler's return is the last call that MadT makes in a thread. That it has been made shows in
 * the thread's signal mask, which is another in the handler: all signals but those that are ignored
 * (signal_table.c), or one less where the target itself blocks these. What the target makes of its
 * mask then is its own affair.
 */
static void leave_last(uint64_t mask)
{
	const uint64_t possible = ~(SIGNAL_BIT(SIGKILL) | SIGNAL_BIT(SIGSTOP));
	uint64_t here = possible & ~(*self.dropped & ~mask);

	if ((mask & possible) == here)
		here &= ~SIGNAL_BIT(SIGNALS);

	SYS4(__NR_rt_sigprocmask, SIG_SETMASK, &here, NULL, KERNEL_SET);
	self.gate.leaves_from = here;
	STORE_RELEASE(&self.gate.leaves, true);
}

/* Until the others are back in the target's code. */
static void others_await(void)
{
	struct madt_thread *other;
	uint64_t mask;

	for (uint32_t i = 0; (other = thread_other(&i)); i++)
		for (int looks = 0; looks < LEAVE_LONGEST
				&& (LOAD_ACQUIRE(&other->gate.parked) || LOAD_ACQUIRE(&other->gate.leaves));
				looks++) {
			if (LOAD_ACQUIRE(&other->gate.leaves)
					&& (!proc_blocked(other->tid, &mask) || mask != other->gate.leaves_from))
				break;
			leave_moment();
		}
}

/* Returns whether code that looks at the thread's state goes on, or is returned to. */
static bool state_needed(uintptr_t code)
{
	const struct module *module = module_of(code);
	uint32_t place;

	return self.thread.frames || (module && module->flags & MODULE_SHIM)
			|| (engine.leads && splice_module(code, &place));
}

/* Sets the alternate stack, which no return from a handler does here. */
static void stack_give_back(void)
{
	stack_t stack = self.signal.virtual_stack;

	stack.ss_flags &= ~SS_ONSTACK;
	SYS2(__NR_sigaltstack, &stack, NULL);
}

/* Leaves what is this thread's. */
static void leave_own(ucontext_t *context)
{
	self.thread.keeps_gs = state_needed((uintptr_t)context_registers(context)[REG_RIP]);
	lead_begin();
	signal_release_thread(context);
	gate_disarm();
	if (self.gate.stopped)
		stack_give_back();
	else
		leave_last(*context_mask(context));
}

/* Whoever has asked from outside sends this thread one signal more, which must not come too late. */
static bool outside_asks(void)
{
	return outside && self.tid == (uint32_t)session.pid;
}

/*
 * Another one leads. Returns when it is decided. Whether it came by a request or by itself, it may have
 * been asked once more meanwhile.
 */
static void park(ucontext_t *context)
{
	record_flush();
	STORE_RELEASE(&self.gate.parked, true);
	while (LOAD_ACQUIRE(&leave_phase) == LEAVE_GATHERING)
		SYS4(__NR_futex, &leave_phase, FUTEX_WAIT_PRIVATE, LEAVE_GATHERING, NULL);
	if (LOAD_ACQUIRE(&leave_phase) == LEAVE_LEFT) {
		request_take(outside_asks() ? 1 : 0);
		leave_own(context);
		gate_wait_leaves(context);
	}
	STORE_RELEASE(&self.gate.parked, false);
}

static void request_await(void)
{
	outside = __atomic_exchange_n(&session.control->leave, MADT_LEAVE_TRACED, __ATOMIC_ACQ_REL);
	if (outside_asks())
		request_take(1);
}

static bool phase_begin(void)
{
	uint32_t staying = LEAVE_STAYING;

	return __atomic_compare_exchange_n(&leave_phase, &staying, LEAVE_GATHERING, false,
			__ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
}

static bool lead(enum madt_left why, ucontext_t *context, bool asked)
{
	struct madt_control *control = session.control;

	if (!others_gather(LEAVE_LONGEST)) {
		STORE_RELEASE(&control->leave, 0); /* another time, perhaps */
		leave_phase_set(LEAVE_STAYING);
		return false;
	}
	record_flush();
	if (!asked)
		request_await();
	window_leave(); /* from here on the launcher sends nothing */
	process_leave();
	leave_own(context);
	leave_phase_set(LEAVE_LEFT);
	others_await();
	gate_wait_leaves(context);
	STORE_RELEASE(&control->left, why);
	session_ring();
	return true;
}

bool leave_all(enum madt_left why, ucontext_t *context)
{
	bool again = true;

	if (self.vfork_child || session.gone)
		return false;
	while (again) {
		if (phase_begin())
			return lead(why, context, false);
		again = LOAD_ACQUIRE(&standing); /* nobody leaves */
		park(context);
	}
	return LOAD_ACQUIRE(&leave_phase) == LEAVE_LEFT;
}

/* ---------------------------------------------------------------- and all stay */

/* A wrapper may be about to call a copy of a function's first instructions, which goes. */
static bool in_shim(const ucontext_t *context)
{
	const struct module *module = module_of((uintptr_t)context->uc_mcontext.gregs[REG_RIP]);

	return module && module->flags & MODULE_SHIM;
}

/* Returns whether all stand still and this thread cannot, since it is where none may be. */
static bool stands(const ucontext_t *context)
{
	return LOAD_ACQUIRE(&standing) && in_shim(context);
}

/*
 * Instruments have been added. All threads stand where their state is their own, and go on when the
 * modules have their plans.
 */
static void stand_still(const ucontext_t *context, uint32_t plans)
{
	struct madt_control *control = session.control;

	if (in_shim(context) || !phase_begin())
		return;
	STORE_RELEASE(&standing, true);
	if (others_gather(STAND_LONGEST)) {
		control->plans_refused = splice_renew();
		STORE_RELEASE(&control->plans, plans);
		session_ring();
	} else {
		control->plans_refused = MADT_PLANS_BUSY;
	}
	leave_phase_set(LEAVE_STAYING);
	STORE_RELEASE(&standing, false);
}

void leave_none(const ucontext_t *context)
{
	const uint32_t plans = LOAD_ACQUIRE(&session.page->plans);

	if (attached && engine.leads && !self.vfork_child && !session.gone
			&& plans != LOAD_ACQUIRE(&session.control->plans))
		stand_still(context, plans);
}

/* To where all of the thread's state is the target's; false: the request comes again there. */
static bool come(int number, siginfo_t *info, ucontext_t *context)
{
	if (self.critical && held_add(number, info, context))
		return false;
	if (self.trap.step.active)
		trap_end_step(context);
	if (gate_in_stub((uintptr_t)context_registers(context)[REG_RIP]))
		gate_again(context);
	if (direct_interrupted(context))
		direct_repeat(context);
	direct_show(context);
	if (engine.hold(number, info, context))
		return false;
	gate_close_first();
	return true;
}

/* Returns what has been asked for (enum madt_leave), which has been seen now; 0: nothing. */
static uint32_t request_see(void)
{
	uint32_t asked = MADT_LEAVE_DETACHED;

	return __atomic_compare_exchange_n(&session.control->leave, &asked, MADT_LEAVE_SEEN, false,
				   __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)
			? MADT_LEAVE_SEEN
			: asked;
}

/* Leads, or is parked where another thread was faster, until it is decided. */
static void lead_or_park(ucontext_t *context)
{
	uint32_t asked;

	do {
		if (LOAD_ACQUIRE(&leave_phase) == LEAVE_GATHERING && !stands(context))
			park(context);
		asked = LOAD_ACQUIRE(&leave_phase) == LEAVE_STAYING ? request_see() : 0;
	} while (asked && !phase_begin());
	STORE_RELEASE(&self.gate.asked, ASKED_NOT);
	if (asked)
		lead(asked == MADT_LEAVE_SEEN ? MADT_LEFT_DETACHED : MADT_LEFT_DEBUGGED, context, true);
}

void leave_on_signal(int number, siginfo_t *info, ucontext_t *context)
{
	STORE_RELEASE(&self.gate.asked, ASKED_SEEN);
	if (!held_has(leave_asked) && come(number, info, context))
		lead_or_park(context);
}

/* Until all have come that are stopped as well: no signal is sent to them then. */
static void stopped_gather(uint32_t *missing)
{
	STORE_RELEASE(&self.gate.asked, ASKED_SEEN);
	__atomic_fetch_sub(missing, 1, __ATOMIC_ACQ_REL);
	for (int looks = 0; LOAD_ACQUIRE(missing) && looks < LEAVE_LONGEST; looks++)
		leave_moment();
}

enum madt_attach_leaves leave_stopped(ucontext_t *context, uint32_t *missing)
{
	const uintptr_t code = (uintptr_t)context_registers(context)[REG_RIP];
	siginfo_t info = leave_request();
	const bool waits = !self.critical && (gate_in_stub(code) || direct_waits(code));

	stopped_gather(missing);
	if (!waits) {
		STORE_RELEASE(&self.gate.asked, ASKED_NOT);
		return MADT_ATTACH_ELSEWHERE;
	}
	self.gate.stopped = true;
	leave_on_signal(MADT_ASKED_BY, &info, context);
	self.gate.stopped = false;
	return LOAD_ACQUIRE(&leave_phase) == LEAVE_LEFT ? MADT_ATTACH_GONE : MADT_ATTACH_STAYS;
}
