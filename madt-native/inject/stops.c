/* Waits for threads to stop: ptrace(2), PTRACE_SEIZE. */
#define _GNU_SOURCE
#include "inject.h"

#include "madt_layout.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define STATE 3                               /* the field of /proc/PID/stat (proc(5)) */
#define MOMENT 1000000                        /* nanoseconds */
#define STARVED_LONGEST UINT64_C(28000000000) /* nanoseconds more, for one that can run */
#ifndef PTRACE_EVENT_STOP
#define PTRACE_EVENT_STOP 128
#endif

/*
 * Waits until a thread may have stopped: SIGCHLD, which is blocked, says so. One that came for
 * another thread may stand for this one's, too: then the time ends the wait.
 */
void moment(void)
{
	sigset_t child;

	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	sigtimedwait(&child, NULL, &(struct timespec){ 0, MOMENT });
}

void threads_watch(void)
{
	sigset_t child;

	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	sigaddset(&child, FOLLOW_SIGNAL);
	sigprocmask(SIG_BLOCK, &child, NULL);
}

/* A thread that waits for what nothing interrupts is in state D. */
static bool is_uninterruptible(pid_t pid, pid_t tid)
{
	char field[2];

	return thread_field(pid, tid, STATE, field, sizeof field) && field[0] == 'D';
}

/* Any other thread stops as soon as it gets a processor, for which many may wait. */
static bool is_late(const struct target *target, pid_t tid, uint64_t until)
{
	const uint64_t time = now();

	return time > until && (time > until + STARVED_LONGEST || is_uninterruptible(target->pid, tid));
}

/*
 * Waits until the thread stands where its own code goes on. A signal that it is about to get finds
 * its handler first, and the stop comes behind that; it is not waited for, since the kernel would
 * take one back that was, should madt-inject be killed.
 */
bool stop_await(struct target *target, pid_t tid, uint64_t until)
{
	siginfo_t info;
	int status;

	while (true) {
		info.si_pid = 0;
		if (waitid(P_PID, (id_t)tid, &info, WSTOPPED | WEXITED | __WALL | WNOHANG | WNOWAIT) != 0
				|| (info.si_pid == tid && info.si_code != CLD_TRAPPED))
			return false;
		if (info.si_pid == tid && info.si_status >> 8 == PTRACE_EVENT_STOP) {
			target->stays |= (info.si_status & 0x7f) != SIGTRAP;
			return waitpid(tid, &status, __WALL) == tid;
		}
		if (info.si_pid == tid)
			ptrace(PTRACE_CONT, tid, 0, info.si_status >> 8 ? 0 : info.si_status);
		else if (is_late(target, tid, until)) {
			target->late = tid;
			return true;
		} else
			moment();
	}
}

static bool stops; /* a SIGSTOP, which no mask blocks: it comes when all go on */

bool stop_held(void)
{
	const bool held = stops;

	stops = false;
	return held;
}

static bool is_stop(int status)
{
	return status >> 8 == SIGSTOP;
}

static bool ask_held; /* a request that was not let through */

/*
 * Returns whether a timer or the launcher asks the thread: thread_ask does so again. Or somebody asks
 * it to leave, which it does while madt-inject has it, or is asked again.
 */
static bool is_asked(pid_t tid, int status)
{
	siginfo_t info;

	if (status >> 16 != 0 || WSTOPSIG(status) != MADT_ASKED_BY
			|| ptrace(PTRACE_GETSIGINFO, tid, 0, &info) != 0
			|| (info.si_code != SI_TIMER && info.si_code != SI_QUEUE))
		return false;
	ask_held |= info.si_value.sival_ptr == (void *)MADT_ASK_VALUE;
	return info.si_value.sival_ptr == (void *)MADT_ASK_VALUE
			|| info.si_value.sival_ptr == (void *)MADT_LEAVE_VALUE;
}

/*
 * Waits for the next stop of a thread. Where all are killed, nobody is told of the first one before the
 * others have been waited for.
 */
static bool next_stop(pid_t tid, int *status)
{
	siginfo_t info;
	pid_t got;

	while ((got = waitpid(tid, status, __WALL | WNOHANG)) == 0) {
		if (waitid(P_ALL, 0, &info, WSTOPPED | WEXITED | __WALL | WNOWAIT) != 0)
			return false;
		if (info.si_pid != tid && info.si_code != CLD_TRAPPED)
			waitpid(info.si_pid, NULL, __WALL);
		else if (info.si_pid != tid)
			moment();
	}
	return got == tid && WIFSTOPPED(*status);
}

/* Returns whether a thread that has stopped has been let go on, since nobody waits for such a stop. */
static bool goes_on(pid_t tid, int request, int status)
{
	stops |= is_stop(status);
	return (status >> 16 == PTRACE_EVENT_STOP || is_stop(status) || is_asked(tid, status))
			&& ptrace(request, tid, 0, 0) == 0;
}

bool thread_await(pid_t tid, int request, int *status)
{
	do
		if (!next_stop(tid, status))
			return false;
	while (goes_on(tid, request, *status));
	return *status >> 16 != PTRACE_EVENT_STOP;
}

enum look thread_look(pid_t tid, int request)
{
	int status;
	const pid_t got = waitpid(tid, &status, __WALL | WNOHANG);

	if (got == 0)
		return LOOK_NOTHING;
	if (got != tid || !WIFSTOPPED(status))
		return LOOK_GONE;
	if (goes_on(tid, request, status))
		return LOOK_NOTHING;
	return status >> 16 == PTRACE_EVENT_STOP ? LOOK_GONE : LOOK_STOPPED;
}

void ends_take(void)
{
	siginfo_t info = { 0 };

	/* a stop of a thread that is traced comes as well */
	if (waitid(P_ALL, 0, &info, WEXITED | __WALL | WNOHANG | WNOWAIT) == 0 && info.si_pid
			&& info.si_code != CLD_TRAPPED)
		waitpid(info.si_pid, NULL, __WALL | WNOHANG);
}

void thread_ask(const struct target *target, pid_t tid)
{
	siginfo_t info = { .si_signo = MADT_ASKED_BY, .si_code = SI_QUEUE };

	if (!ask_held)
		return;
	info.si_pid = getpid();
	info.si_uid = getuid();
	info.si_value.sival_ptr = (void *)MADT_ASK_VALUE;
	syscall(SYS_rt_tgsigqueueinfo, target->pid, tid, MADT_ASKED_BY, &info);
}

bool thread_proceed(pid_t tid, int request, int *status)
{
	return ptrace(request, tid, 0, 0) == 0 && thread_await(tid, request, status);
}
