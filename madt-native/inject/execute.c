/*
 * A program that no loader prepares, since it is linked statically: it is stopped when it has been
 * executed, and the library is brought in before its first instruction.
 *
 *   this process ──fork──▶ another ──fork──▶ tracer, which nobody waits for
 *        │ ◀──────── its number ──────────────┤
 *        ├───────── it may trace ────────────▶│
 *        │ ◀──────── it does ─────────────────┤
 *      execve: the program ── stops ─────────▶ brings the library in, and ends
 *
 * The program has the number, the parent, the descriptors and the signals of this process, and no
 * child.
 */
#define _GNU_SOURCE
#include "inject.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#define NOT_FOUND 127
#define NOT_EXECUTED 126

struct ends {
	int read, write;
};

static bool pipe_make(struct ends *ends)
{
	int both[2];

	if (pipe2(both, O_CLOEXEC) != 0)
		return false;
	*ends = (struct ends){ both[0], both[1] };
	return true;
}

/* Until the program has been executed. False: it was not. */
static bool executed_await(pid_t pid)
{
	int status;

	while (waitpid(pid, &status, __WALL) == pid && WIFSTOPPED(status)) {
		if (status >> 8 == (SIGTRAP | PTRACE_EVENT_EXEC << 8))
			return true;
		ptrace(PTRACE_CONT, pid, 0, status >> 16 ? 0 : WSTOPSIG(status));
	}
	return false;
}

/* Traces the program until the library is in it. */
static void trace(pid_t pid, const char *library, const char *folder, int from, int to)
{
	struct target target = { .pid = pid };
	pid_t own = getpid();
	char go;

	signal(SIGINT, SIG_IGN);
	signal(SIGQUIT, SIG_IGN);
	signal(SIGTERM, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	if (write(to, &own, sizeof own) != sizeof own || read(from, &go, 1) != 1)
		_exit(1);
	if (ptrace(PTRACE_SEIZE, pid, 0, PTRACE_O_TRACEEXEC | PTRACE_O_TRACESYSGOOD) != 0)
		_exit(1);
	if (write(to, "", 1) != 1)
		_exit(1);
	if (!executed_await(pid) || !thread_stop(&target))
		_exit(1);
	_exit(!attach_stopped(&target, library, folder));
}

/* Forks twice, so that the program has no child. */
static void tracer_fork(const char *library, const char *folder, int from, int to)
{
	const pid_t pid = getpid();
	pid_t between = fork();

	if (between > 0)
		while (waitpid(between, NULL, 0) < 0 && errno == EINTR)
			;
	if (between)
		return;
	between = fork();
	if (between)
		_exit(0);
	freopen("/dev/null", "w", stdout);
	trace(pid, library, folder, from, to);
}

/* False: nobody traces this process. */
static bool tracer_begin(const char *library, const char *folder)
{
	struct ends there, back;
	pid_t tracer;
	char ready;
	bool begun;

	if (!pipe_make(&there) || !pipe_make(&back))
		return false;
	tracer_fork(library, folder, there.read, back.write);
	close(there.read);
	close(back.write);
	begun = read(back.read, &tracer, sizeof tracer) == sizeof tracer;
	if (begun)
		prctl(PR_SET_PTRACER, tracer, 0, 0, 0); /* where Yama lets a parent alone trace */
	begun = begun && write(there.write, "", 1) == 1 && read(back.read, &ready, 1) == 1;
	close(there.write);
	close(back.read);
	return begun;
}

int execute(const char *library, const char *folder, const char *path, char **arguments, bool must)
{
	if (!tracer_begin(library, folder) && must) {
		fprintf(stderr, "madt: cannot trace %s: the kernel does not let madt-inject trace it.\n",
				path);
		return NOT_EXECUTED;
	}
	execv(path, arguments);
	fprintf(stderr, "madt: cannot run %s: %s.\n", path, strerror(errno));
	return errno == ENOENT ? NOT_FOUND : NOT_EXECUTED;
}
