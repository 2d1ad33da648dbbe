/* What a call of the target's needs before it is made. */
#include "gate/gate_parts.h"

#include "module/storage.h"
#include "region/region.h"
#include "session/session.h"
#include "signal/signal.h"
#include "thread/thread.h"
#include "trap/trap.h"

/*
 * A process that shares this one's memory and runs at the same time: nobody but itself knows that
 * it ends.
 */
static bool beside(void)
{
	return !self.vfork_child && SYS0(__NR_getpid) != session.pid;
}

bool gate_prepare(struct pending *pending, ucontext_t *context)
{
	bool bare = false;
	greg_t *registers = context_registers(context);
	const long number = pending->number;

	switch (number) {
	case __NR_ppoll:
		gate_wait_mask(pending, registers, 3);
		break;
	case __NR_epoll_pwait:
	case __NR_epoll_pwait2:
		gate_wait_mask(pending, registers, 4);
		break;
	case __NR_rt_sigsuspend:
		gate_wait_mask(pending, registers, 0);
		break;
	case __NR_pselect6:
	case __NR_io_pgetevents:
		gate_wait_mask_pselect(pending, registers);
		break;
	case __NR_rt_sigtimedwait:
		gate_strip_set(pending, registers, 0);
		break;
	case __NR_signalfd:
	case __NR_signalfd4:
		gate_descriptor(pending);
		break;
	case __NR_execve:
	case __NR_execveat:
		if (beside())
			record_flush();
		bare = !gate_exec_prepare(pending, registers) && signal_inherits();
		break;
	case __NR_exit:
		if (!self.vfork_child)
			exit_pins_make();
		storage_end();
		thread_end();
		break;
	case __NR_exit_group:
		if (!self.vfork_child)
			exit_pins_make();
		if (beside())
			thread_end();
		ring_put(&(struct madt_event){ .type = MADT_EVENT_EXIT,
				.address = (uint64_t)SYS0(__NR_getpid),
				.size = (uint64_t)pending->argument[0] & 0xff,
				.old = tsc_now() });
		break;
	case __NR_set_robust_list:
		robust_set((uintptr_t)pending->argument[0], (size_t)pending->argument[1]);
		break;
	case __NR_set_tid_address:
		self.gate.clear_tid = (uintptr_t)pending->argument[0];
		break;
	case __NR_rseq:
		/* The kernel writes there whenever it likes, and kills who does not let it. */
		region_untrace(PAGE_DOWN(pending->argument[0]),
				PAGE_UP((uintptr_t)pending->argument[0] + (size_t)pending->argument[1]));
		break;
	case __NR_mremap:
		/* The kernel moves one mapping only: pages that a wrapper holds open would split it. */
		kept_close();
		break;
	}
	if (gate_clones(number))
		gate_clone_prepare(pending, context);
	else
		gate_open(pending);
	gate_map_begin(pending);
	if (number == __NR_execve || number == __NR_execveat)
		gate_record(pending, 0); /* it does not come back */
	return bare;
}
