/* What a stopped thread is made to do: system calls, and functions. */
#define _GNU_SOURCE
#include "inject.h"

#include <elf.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#define FLAGS_OFF 0x500 /* direction and trap */
#define VDSO_MOST 65536
#define SET_OF(signal) (1ull << ((signal)-1))
#define ALL_SIGNALS UINT64_MAX

/*
 * Signals that the kernel does not keep where they are blocked: it takes their handlers away.
 * SIGSYS is not among them: no system call is intercepted yet.
 */
#define FAULTS \
	(SET_OF(SIGSEGV) | SET_OF(SIGTRAP) | SET_OF(SIGILL) | SET_OF(SIGBUS) | SET_OF(SIGFPE))

bool memory_read(pid_t pid, uintptr_t from, void *to, size_t size)
{
	struct iovec here = { to, size }, there = { (void *)from, size };

	return process_vm_readv(pid, &here, 1, &there, 1, 0) == (ssize_t)size;
}

bool memory_write(pid_t pid, uintptr_t to, const void *from, size_t size)
{
	struct iovec here = { (void *)from, size }, there = { (void *)to, size };

	return process_vm_writev(pid, &here, 1, &there, 1, 0) == (ssize_t)size;
}

/* The vDSO, whose functions make calls of their own where they cannot do without. */
static bool vdso_find(pid_t pid, uintptr_t *start, uintptr_t *end)
{
	FILE *maps = process_file(pid, "maps");
	char line[512];
	bool found = false;

	while (maps && !found && fgets(line, sizeof line, maps))
		found = strstr(line, "[vdso]") && sscanf(line, "%lx-%lx", start, end) == 2;
	if (maps)
		fclose(maps);
	return found;
}

/* A process that has ended has no mappings, though it may still be waited for. */
static bool has_ended(pid_t pid)
{
	FILE *maps = process_file(pid, "maps");
	bool ended = !maps || fgetc(maps) == EOF;

	if (maps)
		fclose(maps);
	return ended;
}

bool remote_find(struct remote *remote, pid_t pid)
{
	static uint8_t code[VDSO_MOST];
	uintptr_t start, end;

	remote->instruction = 0;
	if (vdso_find(pid, &start, &end) && end - start <= sizeof code
			&& memory_read(pid, start, code, end - start))
		for (size_t i = 0; i + 1 < end - start && !remote->instruction; i++)
			if (code[i] == 0x0f && code[i + 1] == 0x05)
				remote->instruction = start + i;
	back_find(remote, pid);
	if (!remote->instruction && has_ended(pid))
		return refuse("process %d has ended", (int)pid);
	return remote->instruction
			? true
			: refuse("process %d has no vDSO with a system call in it", (int)pid);
}

bool remote_begin(struct remote *remote, struct target *target, struct stopped *thread)
{
	remote->target = target;
	remote->thread = thread;
	if (!remote->instruction && !remote_find(remote, target->pid))
		return false;
	back_begin(remote);
	return true;
}

void remote_by_library(struct remote *remote, uintptr_t call, uintptr_t back)
{
	remote->instruction = remote->returning = call;
	remote->back = back;
	back_begin(remote);
}

/*
 * The kernel stops the thread in front of the call and behind it. No signal has to do with it: those
 * that come, or have come for the program's own doing, wait.
 */
long remote_call(struct remote *remote, long number, long a, long b, long c, long d, long e, long f)
{
	struct user_regs_struct registers = remote->thread->registers;
	pid_t tid = remote->thread->tid;
	int status;

	registers.rip = remote->stack ? remote->returning : remote->instruction;
	registers.rsp = remote->stack ? remote->stack : registers.rsp;
	registers.rax = (unsigned long)number;
	registers.orig_rax = ~0ul;
	registers.rdi = (unsigned long)a;
	registers.rsi = (unsigned long)b;
	registers.rdx = (unsigned long)c;
	registers.r10 = (unsigned long)d;
	registers.r8 = (unsigned long)e;
	registers.r9 = (unsigned long)f;
	registers.eflags &= ~(unsigned long)FLAGS_OFF;
	if (ptrace(PTRACE_SETREGS, tid, 0, &registers) != 0)
		return -1;
	thread_mask(tid, ALL_SIGNALS);
	if (!thread_proceed(tid, PTRACE_SYSCALL, &status) || WSTOPSIG(status) != (SIGTRAP | 0x80)
			|| !thread_proceed(tid, PTRACE_SYSCALL, &status) || WSTOPSIG(status) != (SIGTRAP | 0x80)
			|| ptrace(PTRACE_GETREGS, tid, 0, &registers) != 0)
		return -1;
	return (long)registers.rax;
}

/*
 * The signal is one that most programs do not handle: where madt-inject has been killed, nothing
 * comes of it then.
 */
static int signal_choose(pid_t pid)
{
	static const int harmless[] = { SIGURG, SIGWINCH, SIGCHLD };
	unsigned long long caught = 0;
	char line[256];
	FILE *file = process_file(pid, "status");

	while (file && fgets(line, sizeof line, file))
		sscanf(line, "SigCgt: %llx", &caught);
	if (file)
		fclose(file);
	for (size_t i = 0; i < sizeof harmless / sizeof *harmless; i++)
		if (!(caught & SET_OF(harmless[i])))
			return harmless[i];
	return SIGURG;
}

bool remote_prepare(struct target *target, struct stopped *thread, const struct errand *errand)
{
	struct user_regs_struct registers = thread->registers;
	uint64_t mask;

	if (!target->signal)
		target->signal = signal_choose(target->pid);
	mask = ~SET_OF(target->signal);
	thread->stack = back_write(thread, errand->top, errand->end);
	registers.rip = errand->function;
	registers.rdi = errand->argument;
	registers.rsp = thread->stack;
	registers.r12 = (unsigned long)target->signal; /* a function keeps it */
	registers.orig_rax = ~0ul;
	registers.eflags &= ~(unsigned long)FLAGS_OFF;
	if (!thread->stack || ptrace(PTRACE_SETREGS, thread->tid, 0, &registers) != 0)
		return false;
	/* what the thread blocks may be another one's to handle */
	if (!errand->alone)
		mask &= ~(FAULTS & ~thread->mask);
	thread_mask(thread->tid, mask);
	return true;
}

bool remote_start(struct target *target, struct stopped *thread, const struct errand *errand)
{
	return remote_prepare(target, thread, errand) && ptrace(PTRACE_CONT, thread->tid, 0, 0) == 0;
}

/* Returns whether a signal is of an instruction's making, which makes it again when it is repeated. */
static bool is_fault(const siginfo_t *info)
{
	return info->si_code > 0 && info->si_signo != SIGTRAP && SET_OF(info->si_signo) & FAULTS;
}

/*
 * The errand has stopped for a signal, which is held back unless it is the one at the end, or a fault.
 * One that was there when the errand began comes again with its instruction.
 */
static bool signal_hold(const struct remote *remote, const struct errand *errand,
		struct user_regs_struct *at, struct held *held, bool *end)
{
	const pid_t tid = remote->thread->tid;
	siginfo_t info;

	if (ptrace(PTRACE_GETREGS, tid, 0, at) != 0 || ptrace(PTRACE_GETSIGINFO, tid, 0, &info) != 0)
		return false;
	*end = info.si_signo == remote->target->signal && at->rip == errand->ended;
	if (is_fault(&info))
		return at->rip == errand->function && ++held->faults < HELD_MOST;
	/* another's may have taken its place */
	if (!(*end && info.si_code == SI_TKILL) && held->count < HELD_MOST)
		held->info[held->count++] = info;
	return true;
}

/* Has the thread send itself what was held back, as it was: it waits until the thread goes on. */
static void signals_put_back(struct remote *remote, const struct errand *errand,
		const struct held *held)
{
	const uintptr_t stack = remote->thread->stack, at = stack - 2 * sizeof *held->info;
	long pid, tid;

	if (!held->count || !memory_write(remote->thread->tid, stack, &errand->ended, sizeof stack))
		return;
	pid = remote_call(remote, SYS_getpid, 0, 0, 0, 0, 0, 0); /* numbers that it has itself */
	tid = remote_call(remote, SYS_gettid, 0, 0, 0, 0, 0, 0);
	for (size_t i = 0; i < held->count; i++)
		if (memory_write(remote->thread->tid, at, &held->info[i], sizeof *held->info))
			remote_call(remote, SYS_rt_tgsigqueueinfo, pid, tid, held->info[i].si_signo, (long)at,
					0, 0);
}

/* The errand has stopped, or its thread is gone. */
static void trip_step(struct trip *trip, bool stopped)
{
	const pid_t tid = trip->remote.thread->tid;

	stopped = stopped
			&& signal_hold(&trip->remote, &trip->errand, &trip->after, &trip->held, &trip->ended);
	if (stopped && !trip->ended && ptrace(PTRACE_CONT, tid, 0, 0) == 0)
		return;
	signals_put_back(&trip->remote, &trip->errand, &trip->held);
	trip->after.rax = trip->after.rbx; /* where the result is kept */
	trip->over = true;
}

bool remote_await(struct remote *remote, const struct errand *errand,
		struct user_regs_struct *after)
{
	struct trip trip = { .remote = *remote, .errand = *errand };
	int status;

	while (!trip.over)
		trip_step(&trip, thread_await(remote->thread->tid, PTRACE_CONT, &status));
	*after = trip.after;
	return trip.ended;
}

void errands_await(struct trip *trips, size_t count, void (*over)(void *context, struct trip *trip),
		void *context)
{
	size_t left = count;

	while (left) {
		bool any = false;

		for (size_t i = 0; i < count; i++) {
			enum look look = trips[i].over ? LOOK_NOTHING
										   : thread_look(trips[i].remote.thread->tid, PTRACE_CONT);

			if (look == LOOK_NOTHING)
				continue;
			trip_step(&trips[i], look == LOOK_STOPPED);
			any = true;
			if (!trips[i].over)
				continue;
			left--;
			if (over)
				over(context, &trips[i]);
		}
		if (any)
			continue;
		ends_take();
		moment();
	}
}
