/*
 * The gate for the target's system calls, entered by Syscall User Dispatch (SIGSYS). The handler
 * prepares and returns to a stub `syscall; int3` in the permitted range, so that the call is made
 * on the target's stack, with its registers and mask; the int3's handler closes, records, and goes
 * on behind the original instruction.
 */
#include "gate/direct.h"
#include "gate/gate_parts.h"

#include "session/session.h"
#include "signal/signal.h"
#include "splice/splice.h"
#include "thread/thread.h"
#include "trap/trap.h"

#include <errno.h>
#include <linux/audit.h>

#define CALL_BYTES 2 /* of `syscall` */

static uintptr_t stub_of(const struct pending *pending)
{
	return (uintptr_t)madt_stub
			+ ((pending->i386 ? MADT_STUB_SLOTS : 0) + pending->slot) * MADT_STUB_STRIDE;
}

/*
 * A seccomp filter of the target's refused the call with a signal (seccomp(2), SECCOMP_RET_TRAP):
 * rax still holds its number.
 */
void gate_refused(siginfo_t *info, ucontext_t *context)
{
	greg_t *registers = context_registers(context);

	if (!gate_in_stub((uintptr_t)registers[REG_RIP]))
		return;
	registers[REG_RAX] = -ENOSYS;
	gate_return(context);
	registers[REG_RAX] = (greg_t)self.gate.pending.made;
	info->si_call_addr = (void *)self.gate.pending.next;
}

static void call_read(struct pending *pending, const siginfo_t *info, const greg_t *registers)
{
	bytes_set(pending, 0, offsetof(struct pending, open));
	self.signal.waits = self.signal.masked = false;
	pending->next = (uintptr_t)registers[REG_RIP];
	pending->made = pending->number = (long)registers[REG_RAX];
	pending->silent = frame_silent() || self.unseen;
	if (info->si_arch == AUDIT_ARCH_I386)
		gate_i386_read(pending, registers);
	else
		for (int i = 0; i < 6; i++)
			pending->argument[i] = (long)registers[gate_argument[i]];
}

/* The next one from there may take another way. */
static bool needs_no_gate(const struct pending *pending)
{
	return !pending->i386 && (unsigned long)pending->number < DIRECT_WAYS
			&& direct_way[pending->number] != DIRECT_NOT;
}

void gate_call(const siginfo_t *info, ucontext_t *context)
{
	greg_t *registers = context_registers(context);
	struct pending *pending = &self.gate.pending;
	bool bare; /* an exec that is to be made here */

	__atomic_fetch_add(&session.control->calls_gated, 1, __ATOMIC_RELAXED);
	gate_close_first();
	frame_prune((uintptr_t)registers[REG_RSP]);
	exit_pins_release();
	robust_look();
	call_read(pending, info, registers);
	if (needs_no_gate(pending) && splice_often(pending->next - CALL_BYTES))
		splice_alone(pending->next - CALL_BYTES);
	if (gate_answer(context, pending)) {
		wait_forget();
		if (pending->number != __NR_rt_sigreturn)
			gate_registers_leave(pending, registers);
		if (!attached)
			gs_go();
		return;
	}
	bare = gate_prepare(pending, context);
	wait_pass(pending, registers);
	handed_begin(pending);
	call_time_begin(pending->number);
	if (bare) {
		registers[REG_RAX] = gate_exec_here(pending, context);
		registers[REG_RIP] = (greg_t)madt_stub;
		gate_return(context);
	} else if (gate_masked(pending, context)) {
		registers[REG_RIP] = (greg_t)madt_stub_masked;
	} else {
		registers[REG_RIP] = (greg_t)stub_of(pending);
	}
}

/* The target's own step has led from a trampoline to a system call. */
void gate_stepped(ucontext_t *context)
{
	static const siginfo_t none;
	greg_t *registers = context_registers(context);

	registers[REG_RIP] = registers[REG_RCX];
	gate_call(&none, context);
}
