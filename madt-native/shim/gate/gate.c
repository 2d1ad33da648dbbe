/*
 * The gate for the target's system calls, entered by Syscall User Dispatch (SIGSYS). The handler prepares and returns to a
 * stub `syscall; int3` in the permitted range, so that the call is made on the target's stack, with its registers and mask; the int3's
 * handler closes, records, and goes on behind the original instruction.
 */
#include "gate/gate.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/prctl.h>
#include <linux/sched.h>
#include <sys/ptrace.h>

#define DISPATCH_SET 59 /* PR_SET_SYSCALL_USER_DISPATCH */

void gate_arm(void)
{
	SYS5(__NR_prctl, DISPATCH_SET, 1, madt_sys_begin, madt_sys_end - madt_sys_begin, 0);
}

void gate_disarm(void)
{
	SYS5(__NR_prctl, DISPATCH_SET, 0, 0, 0, 0);
}

bool gate_in_stub(uintptr_t code)
{
	return code - (uintptr_t)madt_stub < 2 * MADT_STUB_SLOTS * MADT_STUB_STRIDE;
}

static uintptr_t stub_of(const struct pending *pending)
{
	return (uintptr_t)madt_stub + ((pending->i386 ? MADT_STUB_SLOTS : 0) + pending->slot) * MADT_STUB_STRIDE;
}

static unsigned slot_of(uintptr_t code)
{
	return (unsigned)((code - (uintptr_t)madt_stub) / MADT_STUB_STRIDE % MADT_STUB_SLOTS);
}

const int gate_argument[6] = {REG_RDI, REG_RSI, REG_RDX, REG_R10, REG_R8, REG_R9};

/* ---------------------------------------------------------------- slots of the stub, for calls that return twice */

static struct {
	uint32_t users;
	struct pending pending;
	struct inherited inherited;
	struct madt_thread *child; /* that of a vfork */
} slots[MADT_STUB_SLOTS];

/* `users`: parent and child if they share memory, else the parent alone, for the child of fork frees its own copy. */
static unsigned slot_take(uint32_t users)
{
	for (;;) {
		for (unsigned i = 1; i < MADT_STUB_SLOTS; i++) {
			uint32_t none = 0;

			if (__atomic_compare_exchange_n(&slots[i].users, &none, users, false, __ATOMIC_ACQ_REL,
					__ATOMIC_RELAXED))
				return i;
		}
		SYS0(__NR_sched_yield);
	}
}

bool gate_stub_empty(void)
{
	for (unsigned i = 1; i < MADT_STUB_SLOTS; i++)
		if (LOAD_ACQUIRE(&slots[i].users))
			return false;
	return true;
}

static void slot_release(unsigned i)
{
	if (i)
		__atomic_fetch_sub(&slots[i].users, 1, __ATOMIC_ACQ_REL);
}

/* The call failed, or is to be made again: there is no child. */
static void slot_cancel(unsigned i)
{
	if (!i)
		return;
	gate_close(&slots[i].pending);
	signal_inherited_by_none(&slots[i].inherited);
	STORE_RELEASE(&slots[i].users, 0);
}

/* ---------------------------------------------------------------- calls that MadT answers itself */

/*
 * After this call MadT's signals and calls would do harm: the process leaves first, and makes the call by itself. A vfork child, whose memory
 * is its parent's, is no longer seen, which is enough until its exec.
 */
static bool leave_before(enum madt_left why, ucontext_t *context)
{
	greg_t *registers = context_registers(context);

	if (self.vfork_child)
		gate_disarm();
	else if (!leave_all(why, context))
		return false;
	registers[REG_RAX] = (greg_t)self.pending.made;
	registers[REG_RIP] = (greg_t)(self.pending.next - 2);
	return true;
}

static bool answer(ucontext_t *context, struct pending *pending)
{
	greg_t *registers = context_registers(context);
	const long *a = pending->argument;

	if (gate_i386_leaves(pending)) {
		if (!leave_before(MADT_LEFT_I386, context))
			registers[REG_RAX] = -ENOSYS;
		return true;
	}
	switch (pending->number) {
	case __NR_rt_sigaction:
		registers[REG_RAX] = signal_action((int)a[0], (uintptr_t)a[1], (uintptr_t)a[2], (size_t)a[3]);
		return true;
	case __NR_rt_sigprocmask:
		registers[REG_RAX] = gate_mask_change(context, pending);
		signal_send_pending();
		return true;
	case __NR_sigaltstack:
		registers[REG_RAX] =
			signal_alternate((uintptr_t)a[0], (uintptr_t)a[1], (uintptr_t)registers[REG_RSP]);
		return true;
	case __NR_rt_sigreturn:
		signal_return(context);
		signal_send_pending();
		return true;
	case __NR_rt_sigtimedwait:
		return signal_wait_own(pending, registers);
	case __NR_get_robust_list:
		return robust_answer(pending, registers);
	case __NR_ptrace:
		if (a[0] == PTRACE_ATTACH || a[0] == PTRACE_SEIZE)
			leave_for_tracer((uint32_t)a[1]);
		return a[0] == PTRACE_TRACEME && leave_before(MADT_LEFT_DEBUGGED, context);
	case __NR_seccomp:
		return filter_shuts_out(pending) && leave_before(MADT_LEFT_FILTERED, context);
	case __NR_arch_prctl:
		return gs_call(pending, registers);
	case __NR_prctl:
		if (filter_shuts_out(pending))
			return leave_before(MADT_LEFT_FILTERED, context);
		if (a[0] == PR_SET_TSC)
			registers[REG_RAX] = tsc_set((unsigned long)a[1]);
		else if (a[0] == DISPATCH_SET)
			registers[REG_RAX] = -EINVAL;
		else
			return false;
		return true;
	default:
		return false;
	}
}

/* ---------------------------------------------------------------- fork and clone */

/* The arguments of all four calls in the form of clone3 (clone(2)). */
static void clone_arguments(const struct pending *pending, struct clone_args *arguments)
{
	const long *a = pending->argument;
	size_t size = (size_t)a[1] < sizeof *arguments ? (size_t)a[1] : sizeof *arguments;

	bytes_set(arguments, 0, sizeof *arguments);
	switch (pending->number) {
	case __NR_vfork:
		arguments->flags = CLONE_VM | CLONE_VFORK;
		break;
	case __NR_clone:
		arguments->flags = (uint64_t)a[0];
		arguments->stack = (uint64_t)a[1];
		arguments->parent_tid = arguments->pidfd = (uint64_t)a[2];
		arguments->child_tid = (uint64_t)a[3];
		break;
	case __NR_clone3:
		region_read(arguments, (uintptr_t)a[0], size);
		arguments->stack += arguments->stack ? arguments->stack_size : 0;
		break;
	}
}

static bool makes_child(long number)
{
	return number == __NR_fork || number == __NR_vfork || number == __NR_clone || number == __NR_clone3;
}

/* What the kernel reads and writes for the parent; and for the child, which may begin long after the parent has gone on. */
static void clone_open(struct pending *pending, const struct clone_args *arguments)
{
	uint64_t flags = arguments->flags;

	if (pending->number == __NR_clone3)
		gate_open_range(pending, (uintptr_t)pending->argument[0], (size_t)pending->argument[1]);
	if (flags & CLONE_PARENT_SETTID)
		gate_open_range(pending, (uintptr_t)arguments->parent_tid, 4);
	if (flags & CLONE_PIDFD)
		gate_open_range(pending, (uintptr_t)arguments->pidfd, 4);
}

#define FIRST_FRAME 16384 /* bytes: more than a signal frame with all that AVX-512 saves */

/*
 * CLONE_CLEAR_SIGHAND would take MadT's own handlers from the child, which begins with a trap: it does without, and resets those of the target
 * then. Together with CLONE_SIGHAND it is an error that the kernel shall find.
 */
static void clear_withhold(struct pending *pending, const struct clone_args *arguments, greg_t *registers)
{
	size_t size = (size_t)pending->argument[1];
	uint64_t flags = arguments->flags & ~CLONE_CLEAR_SIGHAND;

	if (pending->number != __NR_clone3 || !(arguments->flags & CLONE_CLEAR_SIGHAND) || (arguments->flags & CLONE_SIGHAND) ||
		size > sizeof self.scratch || region_read(self.scratch, (uintptr_t)pending->argument[0], size) < size)
		return;
	bytes_copy(self.scratch, &flags, sizeof flags);
	pending->clears = true;
	registers[REG_RDI] = (greg_t)self.scratch;
}

/*
 * Signals wait until parent and child have left the stub: the child has no state of its own there. Its int3 puts a signal frame on the
 * target's stack, for it has no handler stack yet.
 */
static void clone_prepare(struct pending *pending, ucontext_t *context)
{
	struct clone_args arguments;
	struct pending *child;

	clone_arguments(pending, &arguments);
	pending->makes_thread = (arguments.flags & CLONE_VM) && !(arguments.flags & CLONE_VFORK);
	pending->lends = (arguments.flags & CLONE_VM) && (arguments.flags & CLONE_VFORK);
	clear_withhold(pending, &arguments, context_registers(context));
	pending->mask = *context_mask(context);
	*context_mask(context) = ~SIGNALS_FAULT;
	if (!(arguments.flags & CLONE_VM))
		pending->fork_ticket = ring_put(&(struct madt_event){.type = MADT_EVENT_FORK_BEGIN});
	if (arguments.flags & CLONE_CHILD_CLEARTID)
		pending->clear_tid = arguments.child_tid;
	pending->slot = (uint8_t)slot_take(arguments.flags & CLONE_VM ? 2 : 1);
	slots[pending->slot].inherited = signal_bequeath(arguments.flags);
	child = &slots[pending->slot].pending;
	*child = *pending;
	if (recording && !self.vfork_child) {
		pending->begun = child->begun = tsc_now();
		clone_open(pending, &arguments);
		/* A child with memory of its own has the handler stack, and one that memory is lent to finds everything open. */
		if (arguments.stack && pending->makes_thread)
			gate_open_range(child, arguments.stack - FIRST_FRAME, FIRST_FRAME);
		if ((arguments.flags & CLONE_CHILD_SETTID) && !pending->lends)
			gate_open_range(pending->makes_thread ? child : pending, (uintptr_t)arguments.child_tid, 4);
	}
	if (pending->lends)
		gate_open_all(pending);
}

/* ---------------------------------------------------------------- the way in and out */

/* A process that shares this one's memory and runs at the same time: nobody but itself knows that it ends. */
static bool beside(void)
{
	return !self.vfork_child && SYS0(__NR_getpid) != session.pid;
}

/* True: an exec that is to be made here. */
static bool prepare(struct pending *pending, ucontext_t *context)
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
			will_make();
		thread_end();
		break;
	case __NR_exit_group:
		if (!self.vfork_child)
			will_make();
		if (beside())
			thread_end();
		ring_put(&(struct madt_event){.type = MADT_EVENT_EXIT,
			.address = (uint64_t)SYS0(__NR_getpid), .size = (uint64_t)pending->argument[0] & 0xff});
		break;
	case __NR_set_robust_list:
		robust_set((uintptr_t)pending->argument[0], (size_t)pending->argument[1]);
		break;
	case __NR_set_tid_address:
		self.clear_tid = (uintptr_t)pending->argument[0];
		break;
	case __NR_rseq:
		/* The kernel writes there whenever it likes, and kills who does not let it. */
		region_untrace(PAGE_DOWN(pending->argument[0]), PAGE_UP((uintptr_t)pending->argument[0] + (size_t)pending->argument[1]));
		break;
	case __NR_mremap:
		/* The kernel moves one mapping only: pages that a wrapper holds open would split it. */
		kept_close();
		break;
	}
	if (makes_child(number))
		clone_prepare(pending, context);
	else
		gate_open(pending);
	gate_map_begin(pending);
	if (number == __NR_execve || number == __NR_execveat)
		gate_record(pending, 0); /* it does not come back */
	return bare;
}

/* A seccomp filter of the target's refused the call with a signal (seccomp(2), SECCOMP_RET_TRAP): rax still holds its number. */
static void call_refused(siginfo_t *info, ucontext_t *context)
{
	greg_t *registers = context_registers(context);

	registers[REG_RAX] = -ENOSYS;
	gate_return(context);
	registers[REG_RAX] = (greg_t)self.pending.made;
	info->si_call_addr = (void *)self.pending.next;
}

/* The processor leaves these behind `syscall`, and `int $0x80` all registers as they are. */
static void registers_leave(const struct pending *pending, greg_t *registers)
{
	if (pending->i386)
		return;
	registers[REG_RCX] = (greg_t)pending->next;
	registers[REG_R11] = registers[REG_EFL];
}

static void call_read(struct pending *pending, const siginfo_t *info, const greg_t *registers)
{
	bytes_set(pending, 0, offsetof(struct pending, open));
	pending->next = (uintptr_t)registers[REG_RIP];
	pending->made = pending->number = (long)registers[REG_RAX];
	pending->silent = frame_silent() || self.vfork_child; /* a vfork child's calls are not this process's */
	if (info->si_arch == AUDIT_ARCH_I386)
		gate_i386_read(pending, registers);
	else
		for (int i = 0; i < 6; i++)
			pending->argument[i] = (long)registers[gate_argument[i]];
}

void gate_on_call(int number, siginfo_t *info, void *raw)
{
	ucontext_t *context = raw;
	greg_t *registers = context_registers(context);
	struct pending *pending;

	gs_back();
	gate_plain(context);
	if (leave_asked(info)) {
		leave_on_signal(info, context);
		gs_go();
		return;
	}
	pending = &self.pending;
	if (info->si_code != 2 /* SYS_USER_DISPATCH */) {
		if (info->si_code == 1 /* SYS_SECCOMP */ && gate_in_stub((uintptr_t)registers[REG_RIP]))
			call_refused(info, context);
		signal_to_target(number, info, context);
		return;
	}
	__atomic_fetch_add(&session.control->calls_gated, 1, __ATOMIC_RELAXED);
	gate_close_first();
	frame_prune((uintptr_t)registers[REG_RSP]);
	will_execute();
	robust_look();
	call_read(pending, info, registers);
	if (answer(context, pending)) {
		if (pending->number != __NR_rt_sigreturn)
			registers_leave(pending, registers);
		if (!attached)
			gs_go();
		return;
	}
	if (prepare(pending, context)) {
		registers[REG_RAX] = gate_exec_here(pending, context);
		registers[REG_RIP] = (greg_t)madt_stub;
		gate_return(context);
	} else if (gate_masked(pending, context)) {
		registers[REG_RIP] = (greg_t)madt_stub_masked;
	} else {
		registers[REG_RIP] = (greg_t)stub_of(pending);
	}
}

static void registers_restore(const struct pending *pending, greg_t *registers)
{
	for (int i = 0; i < 6 && !pending->i386; i++)
		registers[gate_argument[i]] = (greg_t)pending->argument[i];
}

/* The first thing that a new thread or process does: it has no dispatch yet, and a thread no state either. */
static struct pending *child_begin(unsigned slot, ucontext_t *context)
{
	struct pending *pending = &slots[slot].pending;

	if (pending->makes_thread || pending->lends) {
		thread_begin(&slots[slot].inherited);
		signal_begin(pending->clears);
		/* rt_sigreturn puts back the alternate stack that the frame names: none, or the parent's */
		context->uc_stack = (stack_t){.ss_sp = self.handler_stack, .ss_size = HANDLER_STACK_BYTES};
		self.pending = *pending;
		self.clear_tid = pending->clear_tid;
		if (pending->lends) {
			slots[slot].child = thread_self();
			self.pending.opened = 0; /* the parent's to close */
			self.pending.silent = true;
		} else {
			slot_release(slot);
		}
		gate_arm();
		signal_send_pending(); /* what was sent to the process, and all the others block */
	} else {
		signal_begin(pending->clears);
		self.pending = *pending;
		self.clear_tid = pending->clear_tid;
		slot_cancel(slot);
		process_after_fork(context);
	}
	return &self.pending;
}

/* A new process, traced or not, stands in the trace of the one that made it. */
static void child_note(const struct pending *pending, uint64_t pid)
{
	struct madt_event event = {.type = MADT_EVENT_FORK, .address = pid};
	struct clone_args arguments;

	clone_arguments(pending, &arguments);
	event.size = (arguments.flags & CLONE_VM) != 0;
	if (!(arguments.flags & CLONE_THREAD))
		ring_put(&event);
}

/* The vfork child has left this memory, or never was. */
static void lent_back(unsigned slot)
{
	if (slots[slot].child)
		thread_forget(slots[slot].child);
	slots[slot].child = NULL;
	slot_cancel(slot);
}

void gate_close_first(void)
{
	if (!self.first_frame)
		return;
	self.first_frame = false;
	gate_close(&self.pending);
}

/* At the stub's int3: the call has been made. */
void gate_return(ucontext_t *context)
{
	greg_t *registers = context_registers(context);
	unsigned slot = slot_of((uintptr_t)registers[REG_RIP]);
	struct pending *pending = &self.pending;
	long result = (long)registers[REG_RAX];

	if (slot)
		*context_mask(context) = slots[slot].pending.mask; /* first: a child that leaves MadT adds to it */
	if (slot && result == 0) {
		pending = child_begin(slot, context);
	} else if (slot) {
		child_note(pending, sys_failed(result) ? 0 : (uint64_t)result);
		if (pending->lends)
			lent_back(slot);
		else if (sys_failed(result))
			slot_cancel(slot);
		else
			slot_release(slot);
	}
	gate_record(pending, result);
	gate_waited(pending, result);
	gate_status(pending, result, context);
	gate_masked_end(pending, result);
	if (pending->number == __NR_rt_sigpending && result == 0)
		signal_add_pending((uintptr_t)pending->argument[0]);
	if (slot && result == 0 && pending->makes_thread)
		self.first_frame = true; /* this handler returns from a frame in pages that were opened for it */
	else
		gate_close(pending);
	gate_map_follow(pending, result);
	gate_map_end(pending);
	gate_proc_follow(pending, result);
	if (pending->number == __NR_execve || pending->number == __NR_execveat)
		gate_exec_failed();
	registers_restore(pending, registers);
	registers[REG_RIP] = (greg_t)pending->next;
	registers_leave(pending, registers);
}

bool gate_interrupted(const ucontext_t *context)
{
	const greg_t *registers = context->uc_mcontext.gregs;

	return gate_in_stub((uintptr_t)registers[REG_RIP]) && registers[REG_RAX] == -EINTR &&
		((uintptr_t)registers[REG_RIP] - (uintptr_t)madt_stub) % MADT_STUB_STRIDE;
}

/* All arguments are still in place. */
void gate_repeat(ucontext_t *context)
{
	greg_t *registers = context_registers(context);

	registers[REG_RAX] = (greg_t)self.pending.made;
	registers[REG_RIP] -= ((uintptr_t)registers[REG_RIP] - (uintptr_t)madt_stub) % MADT_STUB_STRIDE;
}

bool gate_waits(const ucontext_t *context)
{
	uintptr_t code = (uintptr_t)context->uc_mcontext.gregs[REG_RIP];

	return gate_in_stub(code) && self.pending.waits &&
		(gate_interrupted(context) || (code - (uintptr_t)madt_stub) % MADT_STUB_STRIDE == 0);
}

/*
 * A signal found the thread in the stub. Before its int3 the call has been made, and ends here; at its syscall instruction it has not, or
 * is to be made again after the handler: the target is shown its own instruction, and comes back through the gate.
 */
void gate_interrupt(ucontext_t *context)
{
	greg_t *registers = context_registers(context);
	uintptr_t offset = (uintptr_t)registers[REG_RIP] - (uintptr_t)madt_stub;
	struct pending *pending = &self.pending;

	if (offset % MADT_STUB_STRIDE) {
		gate_return(context);
		return;
	}
	gate_close(pending);
	gate_map_follow(pending, -EINTR);
	gate_map_end(pending);
	slot_cancel(slot_of((uintptr_t)registers[REG_RIP]));
	if (pending->number == __NR_execve || pending->number == __NR_execveat)
		gate_exec_failed();
	registers_restore(pending, registers);
	if (pending->waits) {
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
	greg_t *registers = context_registers(context);

	if (((uintptr_t)registers[REG_RIP] - (uintptr_t)madt_stub) % MADT_STUB_STRIDE && registers[REG_RAX] == -EINTR) {
		registers[REG_RIP] -= 2;
		registers[REG_RAX] = (greg_t)self.pending.made;
	}
	self.pending.waits = false; /* its mask is set again with it */
	gate_interrupt(context);
}
