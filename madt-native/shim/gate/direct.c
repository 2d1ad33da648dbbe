/*
 * System calls that need no gate (engine splice): which they are, what is recorded of them, and
 * where the target sees a thread that a signal found on the way (direct.S).
 *
 * A call goes to the gate if MadT has to answer it, to change it, or to know of it: signals and
 * masks, mappings, threads, processes and programs, what installs filters. All others change
 * nothing that MadT knows of. Calls that may begin or end something that has to be followed (a
 * descriptor that shows MadT's signals) are looked at by their arguments; once there is such a
 * thing, all calls that could meet it go to the gate.
 */
#include "gate/direct.h"

#include "gate/calls.h"
#include "gate/gate_parts.h"
#include "session/session.h"
#include "thread/thread.h"

#include <errno.h>

#define NUMBERS 1024 /* more than the kernel has */

uint8_t direct_way[DIRECT_WAYS];

/* Calls that calls.c knows and the gate must see: see gate_answer, gate_prepare, gate_return. */
static const uint16_t seen[] = {
	__NR_rt_sigaction,
	__NR_rt_sigprocmask,
	__NR_rt_sigreturn,
	__NR_rt_sigpending,
	__NR_rt_sigsuspend,
	__NR_rt_sigtimedwait,
	__NR_rt_sigqueueinfo,
	__NR_rt_tgsigqueueinfo,
	__NR_sigaltstack,
	__NR_signalfd,
	__NR_signalfd4,
	__NR_pidfd_send_signal,
	__NR_kill,
	__NR_tkill,
	__NR_tgkill,
	__NR_mmap,
	__NR_munmap,
	__NR_mremap,
	__NR_mprotect,
	__NR_pkey_mprotect,
	__NR_pkey_alloc,
	__NR_pkey_free,
	__NR_brk,
	__NR_shmat,
	__NR_shmdt,
	__NR_clone,
	__NR_clone3,
	__NR_fork,
	__NR_vfork,
	__NR_execve,
	__NR_execveat,
	__NR_exit,
	__NR_exit_group,
	__NR_wait4,
	__NR_waitid,
	__NR_unshare,
	__NR_setns,
	__NR_personality,
	__NR_ptrace,
	__NR_seccomp,
	__NR_prctl,
	__NR_arch_prctl,
	__NR_set_tid_address,
	__NR_set_robust_list,
	__NR_get_robust_list,
	__NR_rseq,
	__NR_io_setup,
	__NR_io_destroy,
	__NR_io_getevents,
	__NR_io_pgetevents,
	__NR_vmsplice,
};

/* Calls whose arguments decide: see needs_gate. */
static const uint16_t asked[] = {
	__NR_open,
	__NR_openat,
	__NR_openat2,
	__NR_creat,
	__NR_ppoll,
	__NR_pselect6,
	__NR_epoll_pwait,
	__NR_epoll_pwait2,
};

/* What may meet a descriptor of /proc/PID/status: see gate_status. */
static const uint16_t of_status[] = { __NR_read, __NR_pread64, __NR_dup, __NR_dup2, __NR_dup3,
	__NR_fcntl, __NR_close };

/* What may look at a descriptor of signalfd: see gate_masked. */
static const uint16_t of_signals[] = { __NR_read, __NR_readv, __NR_poll, __NR_ppoll, __NR_select,
	__NR_pselect6, __NR_epoll_wait, __NR_epoll_pwait, __NR_epoll_pwait2 };

/* What may bring the bytes that open or close a window: see gate_reads.c. */
static const uint16_t of_reads[] = { __NR_read, __NR_readv, __NR_pread64, __NR_preadv, __NR_preadv2,
	__NR_recvfrom, __NR_recvmsg };

#define SET(numbers, way) ways_set(numbers, sizeof numbers / sizeof *numbers, way)

static void ways_set(const uint16_t *numbers, size_t count, enum direct_way way)
{
	for (size_t i = 0; i < count; i++)
		direct_way[numbers[i]] = (uint8_t)way;
}

/* What is recorded of it depends on a length that the kernel overwrites. */
static bool has_limit(const struct call *call)
{
	for (unsigned i = 0; i < call->count; i++)
		if (call->touch[i].length == LENGTH_SOCKET || call->touch[i].length == LENGTH_MESSAGE
				|| call->touch[i].length == LENGTH_MESSAGES)
			return true;
	return false;
}

static enum direct_way way_of(const struct call *call)
{
	return !call->count ? DIRECT_PLAIN : has_limit(call) ? DIRECT_LENGTHS : DIRECT_POINTERS;
}

void direct_set_up(void)
{
	static const long none[6];

	thread_calls_at = (uintptr_t)madt_direct;
	if (engine.closes)
		return;
	for (long number = 0; number < NUMBERS; number++) {
		const struct call *call;

		if (call_by_operation(number, none, &call))
			direct_way[number] = call && has_limit(call) ? DIRECT_LENGTHS : DIRECT_POINTERS;
		else if ((call = call_find(number, none)))
			direct_way[number] = (uint8_t)way_of(call);
	}
	direct_way[__NR_restart_syscall] = DIRECT_PLAIN;
	for (long number = 0; number < NUMBERS && call_time_told(); number++)
		if (direct_way[number] != DIRECT_NOT)
			direct_way[number] = DIRECT_TIMED;
	SET(seen, DIRECT_NOT);
	SET(asked, DIRECT_ASK);
	if (gate_reads_watched())
		SET(of_reads, DIRECT_NOT);
}

void direct_leave_status(void)
{
	SET(of_status, DIRECT_NOT);
}

void direct_leave_all(void)
{
	bytes_set(direct_way, DIRECT_NOT, sizeof direct_way);
}

void direct_leave_signals(void)
{
	SET(of_signals, DIRECT_NOT);
}

_Static_assert(offsetof(struct direct_registers, flags) == 72, "direct.S");

/* ---------------------------------------------------------------- before the call */

static bool needs_gate(const struct pending *pending)
{
	const long *a = pending->argument;

	switch (pending->number) {
	case __NR_open:
	case __NR_creat:
		return gate_opens_status((uintptr_t)a[0]);
	case __NR_openat:
	case __NR_openat2:
		return gate_opens_status((uintptr_t)a[1]);
	case __NR_ppoll:
		return a[3];
	case __NR_epoll_pwait:
	case __NR_epoll_pwait2:
		return a[4];
	case __NR_pselect6:
		return a[5];
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
	if (recording && has_limit(call))
		call_walk(pending, NULL, pass_visit);
	return true;
}

unsigned direct_look(const struct direct_registers *registers)
{
	struct pending *pending = &self.gate.pending;
	const long arguments[] = ARGUMENTS(registers);
	enum direct_way way = direct_way[registers->rax];

	frame_prune(registers->rsp);
	if (way == DIRECT_NOT)
		return DIRECT_NOT;
	if (self.unseen)
		return way == DIRECT_ASK ? DIRECT_NOT : DIRECT_PLAIN;
	call_note(pending, arguments);
	self.direct.looked = 1;
	if (way == DIRECT_ASK && needs_gate(pending))
		return DIRECT_NOT;
	self.direct.told = way != DIRECT_PLAIN && is_told(pending);
	return call_time_begin(pending->number) || self.direct.told ? DIRECT_TOLD : DIRECT_PLAIN;
}

/* What is noted of the call has been noted. */
static void result_tell(long result)
{
	call_time_end(self.gate.pending.number, result);
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

/* ---------------------------------------------------------------- a signal finds the thread on the
 * way */

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

	registers[REG_RAX] = (greg_t)self.direct.made;
	registers[REG_RIP] -= 2;
}

static void tell_now(const greg_t *registers)
{
	struct pending *pending = &self.gate.pending;
	long arguments[6];

	for (int i = 0; i < 6; i++)
		arguments[i] = (long)registers[gate_argument[i]];
	if (!self.direct.looked)
		call_note(pending, arguments);
	result_tell((long)registers[REG_RAX]);
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
		tell_now(registers);
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

void direct_step(ucontext_t *context)
{
	static const siginfo_t none;
	greg_t *registers = context_registers(context);

	registers[REG_RIP] = registers[REG_RCX];
	gate_call(&none, context);
}
