/*
 * How long system calls take: where calls of functions have times, an event says of each long one
 * when it began and how long it was, so that a reader knows in which call a thread waited. Short
 * ones are not told: no thread waits so briefly, and the ring has room for what matters. While it
 * lasts, the head of the thread's chunk says which call it is, for a process that is killed in it.
 */
#include "gate/gate_parts.h"

#include "session/session.h"

#include <errno.h>

/* Ticks of the time stamp counter: 2 to 5 microseconds. */
#define LEAST_TICKS 10000

bool call_time_told(void)
{
	return session.page && session.page->flags & MADT_SESSION_TIMES;
}

/*
 * Returns whether a call comes back. Those that do not have nothing to wait for, either: the
 * program or its thread ends by them.
 */
static bool comes_back(long number)
{
	return number != __NR_exit && number != __NR_exit_group && number != __NR_execve
			&& number != __NR_execveat && number != __NR_rt_sigreturn;
}

/* The calls of a vfork child are not this process's, and the parent's state is its own. */
bool call_time_begin(long number)
{
	if (self.vfork_child)
		return false;
	self.gate.called = recording && call_time_told() ? tsc_now() : 0;
	if (self.gate.called && number >= 0 && comes_back(number))
		record_call_begin(self.gate.called, (uint64_t)number);
	return self.gate.called;
}

void call_time_forget(void)
{
	if (self.vfork_child)
		return;
	self.gate.called = 0;
	record_call_end();
}

static bool is_told(uint64_t ticks)
{
	return recording && (ticks >= LEAST_TICKS || session.page->flags & MADT_SESSION_EVERY);
}

/* Apart from its caller: in most recordings nothing is told, and an event is large. */
static void call_tell(long number, long result, uint64_t begun)
{
	struct madt_event event = { .type = MADT_EVENT_SYSTEM_CALL, .address = begun };

	call_time_forget();
	event.size = tsc_now() - begun;
	event.old = (uint64_t)number | (result == -EINTR ? MADT_CALL_BROKEN : 0);
	event.old_size = self.gate.pending.number == number ? (uint64_t)self.gate.pending.argument[0]
														: UINT64_MAX;
	if (is_told(event.size) && number >= 0)
		ring_put(&event);
}

void call_time_end(long number, long result)
{
	uint64_t begun = self.gate.called;

	if (begun && !self.vfork_child)
		call_tell(number, result, begun);
}
