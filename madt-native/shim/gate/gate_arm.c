/* Which system calls come to the gate, and where they are made. */
#include "gate/gate_parts.h"

const int gate_argument[6] = { REG_RDI, REG_RSI, REG_RDX, REG_R10, REG_R8, REG_R9 };

void gate_arm(void)
{
	SYS5(__NR_prctl, DISPATCH_SET, 1, madt_sys_begin, madt_sys_end - madt_sys_begin, 0);
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
