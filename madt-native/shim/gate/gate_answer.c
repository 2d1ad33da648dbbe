/* Calls that MadT answers itself. */
#include "gate/gate_parts.h"

#include "session/session.h"
#include "signal/signal.h"
#include "text/text.h"
#include "thread/thread.h"
#include "trap/trap.h"

#include <errno.h>
#include <linux/prctl.h>
#include <sys/ptrace.h>

/* Nothing of it is recorded any more: it meets no closed page, nor the end of a chunk. */
static void child_let_go(void)
{
	self.unseen = true;
	__atomic_fetch_add(&session.control->vfork_unseen, 1, __ATOMIC_RELAXED);
	lead_follow();
	record_flush();
	if (engine.closes)
		gate_open_all(&self.gate.pending); /* until its parent goes on */
	gate_disarm();
}

/*
 * After this call MadT's signals and calls would do harm: the process leaves first, and makes the
 * call by itself. A vfork child, whose memory is its parent's, is no longer seen, which is enough
 * until its exec.
 */
static bool leave_before(enum madt_left why, ucontext_t *context)
{
	greg_t *registers = context_registers(context);

	if (self.vfork_child)
		child_let_go();
	else if (!leave_all(why, context))
		return false;
	registers[REG_RAX] = (greg_t)self.gate.pending.made;
	registers[REG_RIP] = (greg_t)(self.gate.pending.next - 2);
	return true;
}

bool gate_answer(ucontext_t *context, struct pending *pending)
{
	greg_t *registers = context_registers(context);
	const long *a = pending->argument;

	if (gate_i386_leaves(pending)) {
		if (!leave_before(MADT_LEFT_I386, context))
			registers[REG_RAX] = -ENOSYS;
		return true;
	}
	switch (pending->number) {
	case __NR_rt_sigaction:
		registers[REG_RAX] = signal_action((int)a[0], (uintptr_t)a[1], (uintptr_t)a[2],
				(size_t)a[3]);
		return true;
	case __NR_rt_sigprocmask:
		registers[REG_RAX] = gate_mask_change(context, pending);
		signal_send_pending();
		return true;
	case __NR_sigaltstack:
		registers[REG_RAX] = signal_alternate((uintptr_t)a[0], (uintptr_t)a[1],
				(uintptr_t)registers[REG_RSP]);
		return true;
	case __NR_rt_sigreturn:
		signal_return(context);
		signal_send_pending();
		return true;
	case __NR_rt_sigtimedwait:
		return signal_wait_own(a, registers);
	case __NR_get_robust_list:
		return robust_answer(a, registers);
	case __NR_kill:
		return tracer_awaited(a, false) && leave_before(MADT_LEFT_DEBUGGED, context);
	case __NR_tgkill:
		return tracer_awaited(a, true) && leave_before(MADT_LEFT_DEBUGGED, context);
	case __NR_ptrace:
		tracer_note();
		if (a[0] == PTRACE_ATTACH || a[0] == PTRACE_SEIZE)
			leave_for_tracer((uint32_t)a[1]);
		return a[0] == PTRACE_TRACEME && leave_before(MADT_LEFT_DEBUGGED, context);
	case __NR_seccomp:
		return filter_shuts_out(pending) && leave_before(MADT_LEFT_FILTERED, context);
	case __NR_arch_prctl:
		return gs_call(a, registers);
	case __NR_munmap:
		/* of a program that wants to be rid of all mappings that it does not know */
		if (!own_covers((uintptr_t)a[0], PAGE_UP(a[0] + a[1]))
				&& !patched_text_covers((uintptr_t)a[0], PAGE_UP(a[0] + a[1])))
			return false;
		registers[REG_RAX] = 0;
		return true;
	case __NR_prctl:
		if (filter_shuts_out(pending))
			return leave_before(MADT_LEFT_FILTERED, context);
		if (a[0] == PR_SET_TSC)
			registers[REG_RAX] = tsc_set((unsigned long)a[1]);
		else if (a[0] == DISPATCH_SET)
			registers[REG_RAX] = user_dispatch_set(a);
		else
			return false;
		return true;
	default:
		return false;
	}
}
