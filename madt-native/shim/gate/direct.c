/*
 * Where the target sees a thread that a signal found on the way of a system call that needs no gate
 * (direct.S).
 */
#include "gate/direct.h"

#include "gate/gate_parts.h"
#include "session/session.h"
#include "thread/thread.h"

#include <errno.h>

void direct_set_up(void)
{
	thread_calls_at = (uintptr_t)madt_direct;
	direct_ways_set();
}

static bool lies(uintptr_t code, const char *from, const char *to)
{
	return code >= (uintptr_t)from && code < (uintptr_t)to;
}

/* The first instruction notes it. */
static uintptr_t next_of(const greg_t *registers)
{
	return (uintptr_t)registers[REG_RIP] == (uintptr_t)madt_direct ? (uintptr_t)registers[REG_RCX]
																   : self.direct.next;
}

static bool is_made(uintptr_t code)
{
	return lies(code, madt_direct_made, madt_direct_looking)
			|| lies(code, madt_direct_tell, madt_direct_end)
			|| lies(code, madt_direct_gated_end, madt_direct_back);
}

bool direct_waits(uintptr_t code)
{
	return lies(code, madt_direct, madt_direct_end);
}

bool direct_interrupted(const ucontext_t *context)
{
	const greg_t *registers = context->uc_mcontext.gregs;
	uintptr_t code = (uintptr_t)registers[REG_RIP];

	return (code == (uintptr_t)madt_direct_made || code == (uintptr_t)madt_direct_tell)
			&& registers[REG_RAX] == -EINTR;
}

void direct_repeat(ucontext_t *context)
{
	greg_t *registers = context_registers(context);
	long argument[6];

	for (int i = 0; i < 6; i++)
		argument[i] = (long)registers[gate_argument[i]];
	registers[REG_RAX] = (greg_t)self.direct.made;
	registers[REG_RIP] -= 2;
	wait_break((long)self.direct.made, argument, self.direct.next);
	if (self.gate.wait.until)
		direct_show(context); /* by the gate, with what is left of its limit */
}

void direct_show(ucontext_t *context)
{
	greg_t *registers = context_registers(context);
	uintptr_t code = (uintptr_t)registers[REG_RIP];

	if (!lies(code, madt_direct, madt_direct_end)
			&& !lies(code, madt_direct_gated, madt_direct_back))
		return;
	if (!is_made(code)) {
		/* at the instruction it may have waited until the signal came; else it has not begun */
		if (code == (uintptr_t)madt_direct_told)
			call_time_end((long)self.direct.made, -EINTR);
		call_time_forget();
		registers[REG_RIP] = (greg_t)(next_of(registers) - 2);
		return;
	}
	if (lies(code, madt_direct_tell, madt_direct_telling))
		direct_tell_now(registers);
	registers[REG_RIP] = registers[REG_RCX] = (greg_t)self.direct.next;
	registers[REG_R11] = registers[REG_EFL];
}

void direct_refused(siginfo_t *info, ucontext_t *context)
{
	greg_t *registers = context_registers(context);
	uintptr_t code = (uintptr_t)registers[REG_RIP];

	if (code != (uintptr_t)madt_direct_made && code != (uintptr_t)madt_direct_tell)
		return;
	call_time_end((long)self.direct.made, 0);
	registers[REG_RIP] = registers[REG_RCX] = (greg_t)self.direct.next;
	registers[REG_R11] = registers[REG_EFL];
	info->si_call_addr = (void *)self.direct.next;
}

/* ---------------------------------------------------------------- traps */

void direct_hand_over(ucontext_t *context)
{
	greg_t *registers = context_registers(context);

	if ((uintptr_t)registers[REG_RIP] == (uintptr_t)madt_direct_gated_end)
		registers[REG_RIP] = (greg_t)self.direct.next;
}

bool direct_on_trap(const siginfo_t *info, ucontext_t *context)
{
	uintptr_t code = (uintptr_t)context_registers(context)[REG_RIP];

	if (info->si_code == TRAP_TRACE
			|| (code - 1 != (uintptr_t)madt_direct_held
					&& code - 1 != (uintptr_t)madt_direct_told_held))
		return false;
	direct_show(context);
	held_release(context);
	return true;
}

bool direct_entered(const ucontext_t *context)
{
	return (uintptr_t)context->uc_mcontext.gregs[REG_RIP] == (uintptr_t)madt_direct;
}
