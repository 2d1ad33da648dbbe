/* Behind the call: at the stub's int3, and where a signal found the thread in the stub. */
#include "gate/gate_parts.h"

#include "chain/chain.h"
#include "region/region.h"
#include "session/session.h"
#include "signal/signal.h"
#include "thread/thread.h"

#include <errno.h>

/* 0 for all calls but those that return twice: see gate_clone.c. */
static unsigned slot_of(uintptr_t code)
{
	return (unsigned)((code - (uintptr_t)madt_stub) / MADT_STUB_STRIDE % MADT_STUB_SLOTS);
}

/* The processor leaves these behind `syscall`, and `int $0x80` all registers as they are. */
void gate_registers_leave(const struct pending *pending, greg_t *registers)
{
	if (pending->i386)
		return;
	registers[REG_RCX] = (greg_t)pending->next;
	registers[REG_R11] = registers[REG_EFL];
}

static void registers_restore(const struct pending *pending, greg_t *registers)
{
	for (int i = 0; i < 6 && !pending->i386; i++)
		registers[gate_argument[i]] = (greg_t)pending->argument[i];
}

void gate_close_first(void)
{
	if (!self.gate.first_frame)
		return;
	self.gate.first_frame = false;
	gate_close(&self.gate.pending);
}

/* At the stub's int3: the call has been made. */
void gate_return(ucontext_t *context)
{
	greg_t *registers = context_registers(context);
	unsigned slot = slot_of((uintptr_t)registers[REG_RIP]);
	struct pending *pending = &self.gate.pending;
	long result = (long)registers[REG_RAX];
	const bool opens = window_awaits(MADT_START_READ) && !recording;

	if (slot)
		pending = gate_clone_end(slot, result, context);
	if (slot && result == 0)
		self.gate.called = 0; /* the child's, which has not called */
	socket_timer_end();
	call_time_end(pending->number, result);
	handed_end(pending, result);
	gate_record(pending, result);
	gate_waited(pending, result);
	gate_status(pending, result, context);
	if (!slot)
		gate_names(pending, result);
	gate_masked_end(pending, result);
	if (pending->number == __NR_rt_sigpending && result == 0)
		signal_add_pending((uintptr_t)pending->argument[0]);
	if (slot && result == 0 && pending->makes_thread)
		/* this handler returns from a frame in pages that were opened for it */
		self.gate.first_frame = true;
	else
		gate_close(pending);
	gate_map_follow(pending, result);
	gate_map_end(pending);
	gate_proc_follow(pending, result);
	if (pending->number == __NR_execve || pending->number == __NR_execveat)
		gate_exec_failed();
	registers_restore(pending, registers);
	registers[REG_RIP] = (greg_t)pending->next;
	if (opens)
		open_tell(context, false);
	gate_registers_leave(pending, registers);
}

#define RESTART_BLOCK (-516) /* ERESTART_RESTARTBLOCK: the kernel knows how long is left */
#define CALL_BYTES 2

/* Calls that are made again as a whole come to the gate by themselves. */
uintptr_t gate_take_over(long number, long result, const int64_t *argument, uintptr_t next)
{
	struct pending *pending = &self.gate.pending;

	if (result != RESTART_BLOCK)
		return next;
	bytes_set(pending, 0, offsetof(struct pending, open));
	pending->next = next;
	pending->made = pending->number = number;
	for (int i = 0; i < 6; i++)
		pending->argument[i] = argument[i];
	wait_note(pending);
	call_time_begin(number);
	return (uintptr_t)madt_stub + CALL_BYTES;
}

void gate_open_tell(const ucontext_t *context)
{
	ucontext_t plain = *context;
	greg_t *registers = context_registers(&plain);

	if (gate_in_stub((uintptr_t)registers[REG_RIP]))
		registers[REG_RIP] = (greg_t)self.gate.pending.next;
	open_tell(&plain, false);
}

bool gate_newborn(const ucontext_t *context)
{
	const greg_t *registers = context->uc_mcontext.gregs;
	uintptr_t code = (uintptr_t)registers[REG_RIP];

	return gate_in_stub(code) && slot_of(code) && registers[REG_RAX] == 0
			&& (code - (uintptr_t)madt_stub) % MADT_STUB_STRIDE;
}

bool gate_interrupted(const ucontext_t *context)
{
	const greg_t *registers = context->uc_mcontext.gregs;

	return gate_in_stub((uintptr_t)registers[REG_RIP]) && registers[REG_RAX] == -EINTR
			&& ((uintptr_t)registers[REG_RIP] - (uintptr_t)madt_stub) % MADT_STUB_STRIDE;
}

const long *gate_looks(const ucontext_t *context)
{
	return self.gate.pending.number == __NR_rt_sigtimedwait && gate_interrupted(context)
			? self.gate.pending.argument
			: NULL;
}

/* All arguments are still in place, but for what is left of a limit. */
void gate_repeat(ucontext_t *context)
{
	const struct pending *pending = &self.gate.pending;
	greg_t *registers = context_registers(context);

	if (!pending->i386)
		wait_break(pending->number, pending->argument, pending->next);
	if (!pending->i386 && wait_is_over(pending, registers))
		return;
	registers[REG_RAX] = (greg_t)pending->made;
	registers[REG_RIP] -= ((uintptr_t)registers[REG_RIP] - (uintptr_t)madt_stub) % MADT_STUB_STRIDE;
	if (!pending->i386)
		wait_again(pending, registers);
}

bool gate_waits(const ucontext_t *context)
{
	uintptr_t code = (uintptr_t)context->uc_mcontext.gregs[REG_RIP];

	return gate_in_stub(code) && self.signal.waits
			&& (gate_interrupted(context) || (code - (uintptr_t)madt_stub) % MADT_STUB_STRIDE == 0);
}

/*
 * A signal found the thread in the stub. Before its int3 the call has been made, and ends here; at
 * its syscall instruction it has not, or is to be made again after the handler: the target is shown
 * its own instruction, and comes back through the gate.
 */
void gate_interrupt(ucontext_t *context)
{
	greg_t *registers = context_registers(context);
	uintptr_t offset = (uintptr_t)registers[REG_RIP] - (uintptr_t)madt_stub;
	struct pending *pending = &self.gate.pending;

	if (offset % MADT_STUB_STRIDE) {
		gate_return(context);
		return;
	}
	wait_shown();
	call_time_end(pending->number, -EINTR);
	gate_close(pending);
	gate_map_follow(pending, -EINTR);
	gate_map_end(pending);
	gate_clone_interrupt(slot_of((uintptr_t)registers[REG_RIP]), context);
	if (pending->number == __NR_execve || pending->number == __NR_execveat)
		gate_exec_failed();
	registers_restore(pending, registers);
	if (self.signal.waits) {
		/* the handler runs within the wait, as it were, for it runs under the wait's mask */
		registers[REG_RAX] = -EINTR;
		registers[REG_RIP] = (greg_t)pending->next;
		return;
	}
	registers[REG_RAX] = (greg_t)pending->made;
	registers[REG_RIP] = (greg_t)(pending->next - 2);
}

void gate_again(ucontext_t *context)
{
	if (gate_interrupted(context))
		gate_repeat(context);
	self.signal.waits = false; /* its mask is set again with it */
	gate_interrupt(context);
}
