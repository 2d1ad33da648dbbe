/* Instructions of the target's with a GS prefix, in either engine: see thread/gs.c. */
#include "trap/trap.h"

bool gs_override(const siginfo_t *info, ucontext_t *context)
{
	if (info->si_code <= 0 || self.thread.gs_wanted
			|| (uintptr_t)info->si_addr == (uintptr_t)context_registers(context)[REG_RIP]
			|| segment_prefix((uintptr_t)context_registers(context)[REG_RIP],
					   (uintptr_t)info->si_addr)
					!= PREFIX_GS)
		return false;
	if (!self.trap.step.active)
		trap_begin_step(context);
	self.thread.gs_wanted = true;
	return true;
}
