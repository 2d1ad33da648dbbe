/*
 * The target's own Syscall User Dispatch (Documentation/admin-guide/syscall-user-dispatch.rst).
 * MadT has the kernel's for itself, so the target's is kept here: a range of code whose calls pass,
 * and a byte that says whether those of other code do. A call that does not becomes SIGSYS.
 *
 * All calls of the process take the gate once a thread has one. The kernel forgets it in a new
 * thread, in the child of a fork and at an exec.
 */
#include "gate/gate_parts.h"

#include "region/region.h"
#include "signal/signal.h"

#include <errno.h>

#define USER_END ((uintptr_t)0x7ffffffff000)
#define RESTORER_BYTES 16

enum selector { SELECTOR_ALLOW, SELECTOR_BLOCK };

long user_dispatch_set(const long *a)
{
	const uintptr_t start = (uintptr_t)a[2], size = (uintptr_t)a[3], selector = (uintptr_t)a[4];
	const bool on = a[1] == 1;

	if (on ? start && start + size <= start : a[1] || start || size || selector)
		return -EINVAL;
	if (on && selector >= USER_END)
		return -EFAULT;
	self.gate.dispatch = (struct user_dispatch){ on, start, size, selector };
	if (on)
		direct_leave_all();
	return 0;
}

void user_dispatch_after_fork(void)
{
	self.gate.dispatch.on = false;
}

/* A target's handler returns through code of MadT's, which lies in no range of the target's. */
static bool returns_from_handler(const greg_t *registers)
{
	return (uintptr_t)registers[REG_RIP] - (uintptr_t)madt_restore_target < RESTORER_BYTES;
}

enum user_dispatched user_dispatch(siginfo_t *info, ucontext_t *context)
{
	const struct user_dispatch *dispatch = &self.gate.dispatch;
	const greg_t *registers = context_registers(context);
	const uintptr_t code = (uintptr_t)registers[REG_RIP];
	uint8_t selector = SELECTOR_BLOCK;
	int fatal = SIGSYS;

	if (!dispatch->on || self.vfork_child || code - dispatch->start < dispatch->size
			|| returns_from_handler(registers))
		return DISPATCH_PASSES;
	if (dispatch->selector && region_read(&selector, dispatch->selector, 1) != 1)
		fatal = SIGSEGV;
	if (selector == SELECTOR_ALLOW)
		return DISPATCH_PASSES;
	info->si_call_addr = (void *)code;
	info->si_syscall = (int)registers[REG_RAX];
	if (fatal == SIGSYS && selector == SELECTOR_BLOCK)
		return DISPATCH_SIGNALS;
	signal_default(fatal, info, context);
	return DISPATCH_ENDS;
}
