/* Which system calls come to the gate, and where they are made. */
#include "gate/gate_parts.h"

const int gate_argument[6] = { REG_RDI, REG_RSI, REG_RDX, REG_R10, REG_R8, REG_R9 };

void gate_arm(void)
{
	SYS5(__NR_prctl, DISPATCH_SET, 1, madt_sys_begin, madt_sys_end - madt_sys_begin, 0);
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
	call_time_begin(number);
	return (uintptr_t)madt_stub + CALL_BYTES;
}

void gate_disarm(void)
{
	const struct user_dispatch *own = &self.gate.dispatch;

	if (own->on)
		SYS5(__NR_prctl, DISPATCH_SET, 1, own->start, own->size, own->selector);
	else
		SYS5(__NR_prctl, DISPATCH_SET, 0, 0, 0, 0);
}

bool gate_in_stub(uintptr_t code)
{
	return code - (uintptr_t)madt_stub < 2 * MADT_STUB_SLOTS * MADT_STUB_STRIDE;
}
