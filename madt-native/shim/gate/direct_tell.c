/* Before and behind a system call that needs no gate: what is recorded of it (direct.S). */
#include "gate/direct.h"

#include "gate/calls.h"
#include "gate/gate_parts.h"
#include "session/session.h"
#include "signal/signal.h"
#include "thread/thread.h"

_Static_assert(offsetof(struct direct_registers, flags) == 72, "direct.S");

/* ---------------------------------------------------------------- before the call */

static bool needs_gate(const struct pending *pending)
{
	const long *a = pending->argument;

	switch (pending->number) {
	case __NR_open:
	case __NR_creat:
		return gate_opens_status((uintptr_t)a[0]) || gate_opens_name((uintptr_t)a[0]);
	case __NR_openat:
	case __NR_openat2:
		return gate_opens_status((uintptr_t)a[1]) || gate_opens_name((uintptr_t)a[1]);
	case __NR_ppoll:
		return a[3];
	case __NR_epoll_pwait:
	case __NR_epoll_pwait2:
		return a[4];
	case __NR_pselect6:
		return a[5];
	case __NR_setsockopt:
		sockets_note(pending->number, a);
		return false;
	default:
		return false;
	}
}

static void call_note(struct pending *pending, const long *arguments)
{
	pending->next = self.direct.next;
	pending->number = pending->made = (long)self.direct.made;
	for (int i = 0; i < 6; i++)
		pending->argument[i] = arguments[i];
	pending->limit = UINT32_MAX;
	pending->i386 = false;
	pending->silent = frame_silent() || self.unseen;
}

#define ARGUMENTS(registers)                                                         \
	{                                                                                \
		(long)(registers)->rdi, (long)(registers)->rsi, (long)(registers)->rdx,      \
				(long)(registers)->r10, (long)(registers)->r8, (long)(registers)->r9 \
	}

static void pass_visit(struct pending *pending, uintptr_t start, size_t length, unsigned direction)
{
	(void)pending;
	(void)start;
	(void)length;
	(void)direction;
}

static bool is_told(struct pending *pending)
{
	const struct call *call;

	if (pending->number == __NR_read && self.thread.frames)
		return true; /* frame_move */
	if (pending->silent)
		return false;
	call = call_find(pending->number, pending->argument);
	if (!call || !call->count)
		return false;
	if (recording && call_has_limit(call))
		call_walk(pending, NULL, pass_visit);
	return true;
}

/*
 * Answers calls that the gate answers by its tables alone. A signal that comes meanwhile is held and
 * comes behind the call, as one does that the kernel finds pending when it leaves the call.
 */
static bool is_answered(struct direct_registers *registers)
{
	switch (self.direct.made) {
	case __NR_rt_sigaction:
		registers->rax = (uint64_t)signal_action((int)registers->rdi, registers->rsi,
				registers->rdx, registers->r10);
		return true;
	case __NR_sigaltstack:
		registers->rax = (uint64_t)signal_alternate(registers->rdi, registers->rsi, registers->rsp);
		return true;
	default:
		return false;
	}
}

/* Notes a wait with a limit. Returns whether it goes on, which the gate knows how to do. */
static bool wait_noted(struct pending *pending)
{
	if (!wait_has_limit(pending->number, pending->argument))
		return false;
	if (wait_goes_on(pending))
		return true;
	wait_note(pending);
	return false;
}

/* Returns whether direct.S would not have looked at such a call: see there. */
static bool is_passed(enum direct_way way)
{
	if (self.session.led != recording)
		return false;
	return way == DIRECT_PLAIN || way == DIRECT_POINTERS || (!recording && !self.thread.frames);
}

unsigned direct_look(struct direct_registers *registers)
{
	struct pending *pending = &self.gate.pending;
	const long arguments[] = ARGUMENTS(registers);
	enum direct_way way = direct_way[registers->rax];
	bool told;

	frame_prune(registers->rsp);
	if (way == DIRECT_NOT)
		return DIRECT_NOT;
	if (self.unseen)
		return way == DIRECT_ASK ? DIRECT_NOT : DIRECT_PLAIN;
	if (way == DIRECT_ASK && is_answered(registers))
		return DIRECT_ANSWERED;
	call_note(pending, arguments);
	if (way == DIRECT_ASK && needs_gate(pending))
		return DIRECT_NOT;
	if (wait_noted(pending))
		return DIRECT_NOT;
	if (way >= DIRECT_LIMITED) {
		way = direct_way_besides(pending->number);
		if (is_passed(way))
			return way == DIRECT_PLAIN || self.thread.frames ? DIRECT_PLAIN : DIRECT_TOLD;
	}
	self.direct.looked = 1;
	self.direct.told = way != DIRECT_PLAIN && is_told(pending);
	told = handed_begin(pending);
	told |= call_time_begin(pending->number);
	return told || self.direct.told ? DIRECT_TOLD : DIRECT_PLAIN;
}

/* Ends the call: what is noted of it has been noted. */
static void result_tell(long result)
{
	call_time_end(self.gate.pending.number, result);
	handed_end(&self.gate.pending, result);
	if (!self.direct.looked || self.direct.told)
		gate_record(&self.gate.pending, result);
}

/* Behind the call its arguments are still in place (System V ABI, A.2.1). */
void direct_tell(const struct direct_registers *registers)
{
	const long arguments[] = ARGUMENTS(registers);

	if (!self.direct.looked) {
		if (!call_has_touched((long)self.direct.made, arguments, (long)registers->rax))
			return;
		call_note(&self.gate.pending, arguments);
	}
	result_tell((long)registers->rax);
}

void direct_tell_now(const greg_t *registers)
{
	struct pending *pending = &self.gate.pending;
	long arguments[6];

	for (int i = 0; i < 6; i++)
		arguments[i] = (long)registers[gate_argument[i]];
	if (!self.direct.looked)
		call_note(pending, arguments);
	result_tell((long)registers[REG_RAX]);
}
