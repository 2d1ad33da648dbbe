/* All threads of a process, stopped and let go: ptrace(2), PTRACE_SEIZE. */
#define _GNU_SOURCE
#include "inject.h"

#include "madt_layout.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define LONGEST UINT64_C(2000000000)          /* nanoseconds until all have stopped */
#define FOLLOWER_LONGEST UINT64_C(1000000000) /* nanoseconds until it has let go */
#ifndef PTRACE_GET_RSEQ_CONFIGURATION
#define PTRACE_GET_RSEQ_CONFIGURATION 0x420f
#endif

uint64_t now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static bool known(const struct target *target, pid_t tid)
{
	for (size_t i = 0; i < target->count; i++)
		if (target->threads[i].tid == tid)
			return true;
	return false;
}

/* Returns who traces a thread; 0: nobody. */
static pid_t tracer_of(pid_t tid)
{
	char line[256];
	int tracer = 0;
	FILE *file = process_file(tid, "status");

	while (file && fgets(line, sizeof line, file) && sscanf(line, "TracerPid: %d", &tracer) != 1)
		;
	if (file)
		fclose(file);
	return tracer;
}

static bool is_follower(pid_t tracer)
{
	char name[32] = "";
	FILE *file = process_file(tracer, "comm");

	if (file) {
		name[fread(name, 1, sizeof name - 1, file)] = 0;
		fclose(file);
	}
	return strcmp(name, "madt-inject\n") == 0;
}

/* Takes what a madt-inject says that lets go: the signal is blocked. */
static void follower_hear(void)
{
	const uint64_t tids = (1u << FOLLOW_TID_BITS) - 1;
	uint64_t until = 0, teller = 0;
	sigset_t set;
	siginfo_t info;

	sigemptyset(&set);
	sigaddset(&set, FOLLOW_SIGNAL);
	while (sigtimedwait(&set, &info, &(struct timespec){ 0, 0 }) == FOLLOW_SIGNAL) {
		const uint64_t value = (uint64_t)info.si_value.sival_ptr, number = value >> FOLLOW_TID_BITS;

		if (teller == (value & tids))
			waited_note((pid_t)teller, until * 1000000, number);
		until = number;
		teller = teller == (value & tids) ? 0 : value & tids;
	}
}

/* A madt-inject may follow waits of threads to their ends (follow.c). It is to let go of them. */
static void followers_ask(pid_t pid)
{
	const uint64_t until = now() + FOLLOWER_LONGEST;
	char path[64];
	struct dirent *entry;
	DIR *folder;

	snprintf(path, sizeof path, "/proc/%d/task", (int)pid);
	folder = opendir(path);
	while (folder && (entry = readdir(folder))) {
		const pid_t tid = atoi(entry->d_name), tracer = tid > 0 ? tracer_of(tid) : 0;

		if (tracer && is_follower(tracer) && kill(tracer, SIGTERM) == 0)
			while (tracer_of(tid) == tracer && now() < until)
				moment();
	}
	if (folder)
		closedir(folder);
	follower_hear();
}

/* Why the kernel says no; behind it, nothing of the thread's has changed. */
static bool refuse_seize(pid_t pid, pid_t tid, int error)
{
	const pid_t tracer = tracer_of(tid);
	FILE *file;

	if (tracer > 0)
		return refuse("process %d is traced by process %d already (a debugger, strace): only one"
					  " can trace it",
				(int)pid, (int)tracer);
	if (error == EPERM) {
		file = fopen("/proc/sys/kernel/yama/ptrace_scope", "r");
		int scope = file ? fgetc(file) - '0' : 0;

		if (file)
			fclose(file);
		if (scope > 0)
			return refuse("the kernel does not let you trace process %d"
						  " (kernel.yama.ptrace_scope is %d). Run madt with sudo, or allow it for"
						  " your own processes: sudo sysctl kernel.yama.ptrace_scope=0",
					(int)pid, scope);
		return refuse("you may not trace process %d: it is another user's, or has more rights"
					  " than you. Run madt as its user, or with sudo",
				(int)pid);
	}
	return refuse("cannot stop process %d: %s", (int)pid, strerror(error));
}

static struct stopped *room_for_one(struct target *target)
{
	if (target->count == target->room) {
		target->room = target->room ? 2 * target->room : 64;
		target->threads = realloc(target->threads, target->room * sizeof *target->threads);
		if (!target->threads)
			abort();
	}
	return &target->threads[target->count];
}

/* Calls that end with EINTR where a tracer stops them; the kernel makes all others again. */
static bool ends_by_stop(long number)
{
	static const int calls[] = { SYS_epoll_wait, SYS_epoll_pwait, SYS_epoll_pwait2, SYS_semop,
		SYS_semtimedop, SYS_io_getevents, SYS_io_pgetevents, SYS_rt_sigtimedwait, SYS_recvfrom,
		SYS_recvmsg, SYS_recvmmsg, SYS_sendto, SYS_sendmsg, SYS_sendmmsg, SYS_accept, SYS_accept4,
		SYS_connect, SYS_read, SYS_readv, SYS_write, SYS_writev, SYS_msgrcv, SYS_msgsnd,
		SYS_mq_timedreceive, SYS_mq_timedsend, SYS_io_uring_enter };

	for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
		if (calls[i] == number)
			return true;
	return false;
}

/* Returns the system call in which a thread waits (proc(5), syscall); -1: none that is known. */
static long call_of(pid_t pid, pid_t tid)
{
	char name[64];
	long number = -1;
	FILE *file;

	snprintf(name, sizeof name, "task/%d/syscall", (int)tid);
	file = process_file(pid, name);
	if (file && fscanf(file, "%ld", &number) != 1)
		number = -1;
	if (file)
		fclose(file);
	return number;
}

static bool is_parent(pid_t pid, pid_t tid)
{
	char name[64];
	FILE *file;
	bool has;

	snprintf(name, sizeof name, "task/%d/children", (int)tid);
	file = process_file(pid, name);
	has = file && fgetc(file) != EOF;
	if (file)
		fclose(file);
	return has;
}

static enum turn turn_of(pid_t pid, pid_t tid, long number)
{
	const bool ends = ends_by_stop(number);

	if (tid != pid && !is_parent(pid, tid))
		return ends ? TURN_WAITS : TURN_OTHERS;
	return ends ? TURN_ENDS : TURN_SIGNALS;
}

void thread_leave_out(struct target *target, size_t i)
{
	target->threads[i] = target->threads[--target->count];
}

static bool is_new(const struct target *target, pid_t tid)
{
	return !known(target, tid);
}

static bool is_waiting(const struct target *target, pid_t tid)
{
	return is_restarted(call_of(target->pid, tid));
}

/* Lists the threads that are wanted. */
static void list(struct target *target, bool (*is_wanted)(const struct target *target, pid_t tid))
{
	char path[64];
	struct dirent *entry;
	DIR *folder;

	snprintf(path, sizeof path, "/proc/%d/task", (int)target->pid);
	folder = opendir(path);
	while (folder && (entry = readdir(folder))) {
		struct stopped thread = { .tid = atoi(entry->d_name) };
		long number;

		if (thread.tid <= 0 || !is_wanted(target, thread.tid))
			continue;
		number = call_of(target->pid, thread.tid);
		thread.turn = turn_of(target->pid, thread.tid, number);
		waited_look(target->pid, &thread, number);
		*room_for_one(target) = thread;
		target->count++;
	}
	if (folder)
		closedir(folder);
}

/* Asks one to stop. False: refused. */
static bool seize(struct target *target, struct stopped *thread)
{
	thread->seized = ptrace(PTRACE_SEIZE, thread->tid, 0, PTRACE_O_TRACESYSGOOD) == 0;
	if (!thread->seized)
		return errno == ESRCH ? true : refuse_seize(target->pid, thread->tid, errno);
	if (!target->stopped_at)
		target->stopped_at = now();
	ptrace(PTRACE_INTERRUPT, thread->tid, 0, 0);
	return true;
}

/* Returns whether a thread has another turn; it may have become a parent meanwhile. */
static bool is_late(const struct target *target, struct stopped *thread, enum turn turn)
{
	if (turn <= TURN_OTHERS && thread->turn == turn && is_parent(target->pid, thread->tid))
		thread->turn = TURN_SIGNALS;
	return thread->turn != turn;
}

/* Asks those to stop that have not been asked. Returns how many were new; -1: refused. */
static int seize_new(struct target *target)
{
	const size_t before = target->count;
	size_t asked = before;
	bool done = true;

	list(target, is_new);
	for (enum turn turn = TURN_WAITS; turn <= TURN_SIGNALS; turn++)
		for (size_t i = before; done && i < target->count; i++)
			if (!is_late(target, &target->threads[i], turn))
				done = seize(target, &target->threads[i]);
	while (asked < target->count)
		if (target->threads[asked].seized)
			asked++;
		else
			thread_leave_out(target, asked); /* it has just ended */
	return done ? (int)(asked - before) : -1;
}

/* Reads sets of signals: those that wait, and those that are handled (proc(5), status). */
static void signals_read(pid_t pid, pid_t tid, unsigned long long *pending,
		unsigned long long *caught)
{
	char name[64], line[256];
	unsigned long long set;
	FILE *file;

	*pending = *caught = 0;
	snprintf(name, sizeof name, "task/%d/status", (int)tid);
	file = process_file(pid, name);
	while (file && fgets(line, sizeof line, file))
		if (sscanf(line, "SigPnd: %llx", &set) == 1 || sscanf(line, "ShdPnd: %llx", &set) == 1)
			*pending |= set;
		else if (sscanf(line, "SigCgt: %llx", &set) == 1)
			*caught = set;
	if (file)
		fclose(file);
}

bool signal_waits(const struct target *target, const struct stopped *thread)
{
	unsigned long long pending, caught;

	signals_read(target->pid, thread->tid, &pending, &caught);
	return pending & caught & ~thread->mask;
}

bool signal_handled(const struct target *target, int number)
{
	unsigned long long pending, caught;

	signals_read(target->pid, target->pid, &pending, &caught);
	return caught >> (number - 1) & 1;
}

/*
 * Returns whether the kernel would make the call again by itself (linux/errno.h, ERESTARTSYS to
 * ERESTARTNOHAND): but where a signal of the library's comes first, it ends with EINTR.
 */
static bool would_restart(long result)
{
	return result <= -512 && result >= -514;
}

/*
 * Has the thread make the system call again that the stop has ended with EINTR, as if there had been
 * none: at once, should madt-inject be killed.
 */
static void call_again(const struct target *target, struct stopped *thread)
{
	struct user_regs_struct *registers = &thread->registers;
	const long number = (long)registers->orig_rax, result = (long)registers->rax;

	if (number < 0 || !(would_restart(result) || (result == -EINTR && ends_by_stop(number)))
			|| signal_waits(target, thread)) {
		thread->begun = 0;
		return;
	}
	waited_end(target->pid, thread, number);
	registers->rax = registers->orig_rax;
	registers->orig_rax = ~0ul;
	registers->rip -= 2;
	ptrace(PTRACE_SETREGS, thread->tid, 0, registers);
}

static bool state_read(const struct target *target, struct stopped *thread)
{
	if (ptrace(PTRACE_GETREGS, thread->tid, 0, &thread->registers) != 0
			|| ptrace(PTRACE_GETSIGMASK, thread->tid, KERNEL_SET, &thread->mask) != 0)
		return false;
	call_again(target, thread);
	return true;
}

/* Waits for those from `from` on; the order of threads may change. */
static bool all_await(struct target *target, size_t from, uint64_t until)
{
	target->late = 0;
	for (size_t i = from; i < target->count;) {
		const pid_t tid = target->threads[i].tid;
		const bool there = stop_await(target, tid, until);

		if (target->late)
			return refuse("thread %d does not stop: it waits in the kernel where nothing can"
						  " interrupt it (for a disk, or for a child of vfork). Try again",
					(int)tid);
		if (there && state_read(target, &target->threads[i]))
			i++;
		else
			thread_leave_out(target, i);
	}
	return true;
}

bool threads_stop(struct target *target)
{
	uint64_t until;
	int found;

	followers_ask(target->pid);
	until = now() + LONGEST;
	do {
		size_t before = target->count;

		found = seize_new(target);
		if (!all_await(target, before, until) || found < 0) {
			threads_go(target);
			return false;
		}
	} while (found);
	if (!target->count)
		return refuse("process %d has ended", (int)target->pid);
	return true;
}

bool thread_stop(struct target *target)
{
	target->late = 0;
	*room_for_one(target) = (struct stopped){ .tid = target->pid };
	target->stopped_at = now();
	target->count = ptrace(PTRACE_INTERRUPT, target->pid, 0, 0) == 0
			&& ptrace(PTRACE_CONT, target->pid, 0, 0) == 0
			&& stop_await(target, target->pid, now() + LONGEST) && !target->late
			&& state_read(target, &target->threads[0]);
	return target->count;
}

bool threads_stop_waiting(struct target *target)
{
	const uint64_t until = now() + LONGEST;

	list(target, is_waiting);
	for (size_t i = 0; i < target->count;) {
		if (!seize(target, &target->threads[i])) {
			target->count = i;
			threads_go(target);
			return false;
		}
		if (target->threads[i].seized)
			i++;
		else
			thread_leave_out(target, i);
	}
	if (!all_await(target, 0, until)) {
		threads_go(target);
		return false;
	}
	for (size_t i = 0; i < target->count;)
		if ((long)target->threads[i].registers.rax == -516) {
			i++;
		} else {
			ptrace(PTRACE_DETACH, target->threads[i].tid, 0, 0);
			thread_leave_out(target, i);
		}
	return target->count;
}

void thread_mask(pid_t tid, uint64_t mask)
{
	ptrace(PTRACE_SETSIGMASK, tid, KERNEL_SET, &mask);
}

void thread_restore(struct stopped *thread)
{
	/* in this order: with other registers than its own it finds back, and to its mask as well */
	thread_mask(thread->tid, thread->mask);
	ptrace(PTRACE_SETREGS, thread->tid, 0, &thread->registers);
}

void thread_go(const struct target *target, struct stopped *thread)
{
	waited_go_on(target->pid, thread);
	ptrace(PTRACE_DETACH, thread->tid, 0, 0);
	thread->seized = false;
}

uint64_t threads_go(struct target *target)
{
	uint64_t stopped = target->stopped_at ? now() - target->stopped_at : 0;

	if (stop_held())
		kill(target->pid, SIGSTOP);
	for (size_t i = 0; i < target->count; i++)
		waited_go_on(target->pid, &target->threads[i]);
	for (int turn = TURN_SIGNALS; turn >= TURN_WAITS; turn--)
		for (size_t i = 0; i < target->count; i++)
			if ((int)target->threads[i].turn == turn)
				ptrace(PTRACE_DETACH, target->threads[i].tid, 0, 0);
	target->count = 0;
	return stopped;
}

/* linux/rseq.h */
struct sequence {
	uint32_t version, flags;
	uint64_t start, length, abort;
};

void thread_abort_sequence(struct target *target, struct stopped *thread)
{
	struct {
		uint64_t pointer;
		uint32_t size, signature, flags, pad;
	} registered;
	struct sequence sequence;
	uint64_t at;

	if (ptrace(PTRACE_GET_RSEQ_CONFIGURATION, thread->tid, sizeof registered, &registered) <= 0
			|| !registered.pointer
			|| !memory_read(target->pid, registered.pointer + 8, &at, sizeof at) || !at
			|| !memory_read(target->pid, at, &sequence, sizeof sequence))
		return;
	if (thread->registers.rip - sequence.start < sequence.length)
		thread->registers.rip = sequence.abort;
}
