/*
 * Waits that the last stop has ended, whose limit counts from their begin: they go on with what is
 * left of it. The thread has another limit in its register for that, which is its own again behind
 * the call; until then it is traced:
 *
 *   stopped ── the register changed ──▶ in the call ── it has ended ──▶ the register put back, let go
 *
 * A limit that is the socket's own stays as it is: where it would be over, the thread is stopped, and
 * the call has the result that it would have had.
 *
 * A signal that the thread does not handle wakes it all the same, since it is traced: then the call
 * is made again. Whoever wants to trace the thread meanwhile asks for it by SIGTERM: the call is made
 * again with the target's own limit.
 */
#define _GNU_SOURCE
#include "inject.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <time.h>

#define NANOS UINT64_C(1000000000)
#define STEP 100000000    /* nanoseconds until SIGTERM is looked for again */
#define END_LONGEST NANOS /* until all have stopped that are let go */
#define RED_ZONE 128      /* bytes below the stack pointer (System V ABI, 3.2.2) */
#define SYSCALL_STOP (SIGTRAP | 0x80)

struct followed {
	struct stopped thread; /* its registers as it makes the call, with its own limit */
	struct limit_place limit;
	uint64_t until;
	bool within; /* the kernel is at the call */
	bool ends;   /* it has been stopped, since its socket's limit is over */
};

static struct followed *followed;
static size_t count;
static pid_t asker; /* who wants to trace them; 0: nobody */

/* Puts what is left, rounded up, where the call takes its limit from. */
static bool rest_put(pid_t pid, const struct followed *one, struct user_regs_struct *registers)
{
	const uint64_t time = now(), rest = one->until > time ? one->until - time : 0;
	const int64_t left[2] = { (int64_t)(rest / NANOS), (int64_t)(rest % NANOS) };
	uintptr_t at;

	if (one->thread.limit)
		return true;
	if (!one->limit.unit) {
		*limit_register(registers, &one->limit) = (rest + 999999) / 1000000;
		return true;
	}
	at = (registers->rsp - RED_ZONE - sizeof left) & ~15ul; /* nobody else runs on this stack */
	*limit_register(registers, &one->limit) = at;
	return memory_write(pid, at, left, sizeof left);
}

/* Has it make the call, behind a signal that it does not handle, or 0. */
static bool make(pid_t pid, struct followed *one, int signal)
{
	struct user_regs_struct registers = one->thread.registers;

	one->within = one->ends = false;
	return rest_put(pid, one, &registers)
			&& ptrace(PTRACE_SETREGS, one->thread.tid, 0, &registers) == 0
			&& ptrace(PTRACE_SYSCALL, one->thread.tid, 0, signal) == 0;
}

bool follow(const struct target *target, const struct stopped *thread)
{
	struct followed one = { .thread = *thread, .until = waited_until(target->pid, thread) };

	if (!one.until
			|| (!thread->limit && (!limit_place(thread->waits, &one.limit) || one.limit.written)))
		return false;
	followed = realloc(followed, (count + 1) * sizeof *followed);
	if (!followed)
		abort();
	if (!make(target->pid, &one, 0)) {
		ptrace(PTRACE_SETREGS, thread->tid, 0, &thread->registers);
		return false;
	}
	followed[count++] = one;
	return true;
}

static void number_tell(const struct followed *one, uint64_t number)
{
	const uint64_t value = number << FOLLOW_TID_BITS | (uint64_t)one->thread.tid;

	sigqueue(asker, FOLLOW_SIGNAL, (union sigval){ .sival_ptr = (void *)value });
}

/* Tells who has asked for it until when the thread waits. */
static void until_tell(const struct target *target, const struct followed *one)
{
	if (!asker)
		return;
	number_tell(one, (one->until + 999999) / 1000000);
	number_tell(one, waited_switches(target->pid, one->thread.tid));
}

static void let_go(const struct target *target, size_t i, struct user_regs_struct *registers,
		int signal)
{
	until_tell(target, &followed[i]);
	ptrace(PTRACE_SETREGS, followed[i].thread.tid, 0, registers);
	ptrace(PTRACE_DETACH, followed[i].thread.tid, 0, signal);
	followed[i] = followed[--count];
}

/* Gives the thread behind the call the registers that it would have alone. */
static void registers_own(const struct followed *one, struct user_regs_struct *registers)
{
	if (!one->thread.limit)
		*limit_register(registers, &one->limit) = *limit_register(&one->thread.registers,
				&one->limit);
}

/* The call has ended, or is about to. */
static void call_ended(const struct target *target, size_t i)
{
	struct followed *one = &followed[i];
	struct user_regs_struct registers;
	bool again;

	if (ptrace(PTRACE_GETREGS, one->thread.tid, 0, &registers) != 0)
		return; /* it ends */
	again = (long)registers.rax == -EINTR && !signal_waits(target, &one->thread);
	if (again && one->thread.limit && now() >= one->until) {
		registers.rax = (unsigned long long)one->thread.late;
		let_go(target, i, &registers, 0);
		return;
	}
	if (again && !asker && make(target->pid, one, 0))
		return;
	if (again)
		registers = one->thread.registers;
	else
		registers_own(one, &registers);
	let_go(target, i, &registers, 0);
}

/* A signal, or a stop of the whole job, ends the wait in front of the call. */
static void end_by(const struct target *target, size_t i, int signal)
{
	struct user_regs_struct registers = followed[i].thread.registers;

	registers.rax = (unsigned long long)-EINTR;
	registers.rip += 2;
	let_go(target, i, &registers, signal);
}

static void signal_came(const struct target *target, size_t i, int signal)
{
	if (signal_handled(target, signal))
		end_by(target, i, signal);
	else
		make(target->pid, &followed[i], signal);
}

/* It stands in front of the call, with the whole job (signal(7): that ends such waits), or asked to. */
static void event_came(const struct target *target, size_t i, int signal)
{
	struct followed *one = &followed[i];

	if (signal != SIGTRAP)
		end_by(target, i, 0);
	else if (asker)
		let_go(target, i, &one->thread.registers, 0);
	else
		make(target->pid, one, 0);
}

/* Looks at a thread that may have stopped. */
static void look(const struct target *target, size_t i)
{
	struct followed *one = &followed[i];
	int status;
	const pid_t got = waitpid(one->thread.tid, &status, __WALL | WNOHANG);

	if (got == 0)
		return;
	if (got < 0 || !WIFSTOPPED(status)) {
		followed[i] = followed[--count]; /* it has ended */
	} else if (WSTOPSIG(status) == SYSCALL_STOP && !one->within) {
		one->within = true;
		ptrace(PTRACE_SYSCALL, one->thread.tid, 0, 0);
	} else if (WSTOPSIG(status) == SYSCALL_STOP) {
		call_ended(target, i);
	} else if (status >> 16) {
		event_came(target, i, WSTOPSIG(status));
	} else {
		signal_came(target, i, WSTOPSIG(status));
	}
}

/*
 * Stops those whose socket's limit is over, if they are in the call: in front of it they would stop
 * again and again. Returns for how long nothing else is to be done.
 */
static struct timespec due_stop(void)
{
	const uint64_t time = now();
	uint64_t rest = STEP;

	for (size_t i = 0; i < count; i++) {
		struct followed *one = &followed[i];

		if (!one->thread.limit || !one->within || one->ends)
			continue;
		if (one->until <= time)
			one->ends = ptrace(PTRACE_INTERRUPT, one->thread.tid, 0, 0) == 0;
		else if (one->until - time < rest)
			rest = one->until - time;
	}
	return (struct timespec){ 0, (long)rest };
}

static void all_stop(void)
{
	for (size_t i = 0; i < count; i++)
		ptrace(PTRACE_INTERRUPT, followed[i].thread.tid, 0, 0);
}

size_t follow_until(const struct target *target, uint64_t until)
{
	sigset_t signals;
	siginfo_t info;

	sigemptyset(&signals);
	sigaddset(&signals, SIGCHLD);
	sigaddset(&signals, SIGTERM);
	sigprocmask(SIG_BLOCK, &signals, NULL);
	signal(SIGTERM, SIG_DFL); /* blocked, it can be waited for now */
	while (count && now() < until) {
		const struct timespec moment = due_stop();

		if (sigtimedwait(&signals, &info, &moment) == SIGTERM) {
			asker = info.si_pid;
			all_stop();
		}
		for (size_t i = count; i-- > 0;)
			look(target, i);
	}
	return count;
}

void follow_end(const struct target *target)
{
	asker = getpid();
	all_stop();
	follow_until(target, now() + END_LONGEST);
	asker = 0;
}

uint64_t follow_longest(void)
{
	uint64_t longest = 0;

	for (size_t i = 0; i < count; i++)
		longest = followed[i].until > longest ? followed[i].until : longest;
	return longest;
}
