/*
 * Signals and steps that find a thread on the way to a function that a probe calls (call_out.S), or
 * back: the target's signals wait until it is in its trampoline again, and from there at an address
 * where it can be shown.
 *
 *   madt_call_out      a step ends here: the trap flag is off until the thread is back
 *   in the function    held by the critical section
 *   madt_call_out_held the way back, where a signal is held or steps go on
 */
#include "splice/splice.h"

#include "base/state.h"
#include "thread/thread.h"

#include <cpuid.h>

extern const char madt_call_out[], madt_call_out_held[], madt_call_out_end[];

extern uint32_t call_out_bytes;

void call_out_set_up(void)
{
	unsigned a, b, c, d;

	if (__get_cpuid(1, &a, &b, &c, &d) && c & bit_OSXSAVE
			&& __get_cpuid_count(0xd, 0, &a, &b, &c, &d))
		call_out_bytes = b;
	thread_out_at = (uintptr_t)madt_call_out;
}

bool call_out_hold(int number, const siginfo_t *info, ucontext_t *context)
{
	const uintptr_t code = (uintptr_t)context_registers(context)[REG_RIP];

	if (code < (uintptr_t)madt_call_out || code > (uintptr_t)madt_call_out_end
			|| !held_add(number, info, context))
		return false;
	self.splice.out_way = (uintptr_t)madt_call_out_held;
	return true;
}

bool call_out_on_trap(const siginfo_t *info, ucontext_t *context)
{
	greg_t *registers = context_registers(context);
	const uintptr_t code = (uintptr_t)registers[REG_RIP];

	if (info->si_code == TRAP_TRACE) {
		if (code != (uintptr_t)madt_call_out)
			return false;
		registers[REG_EFL] &= ~TRAP_FLAG;
		self.splice.out_steps = true;
		return true;
	}
	if (code - 1 != (uintptr_t)madt_call_out_held)
		return false;
	registers[REG_RIP] = (greg_t)self.block[MADT_GS_CALLEE / 8];
	if (self.splice.out_steps)
		splice_step_on(context);
	self.splice.out_steps = false;
	if (self.held.count && !self.held.stays)
		splice_step_out(context);
	return true;
}
