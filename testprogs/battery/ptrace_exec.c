/* PTRACE_TRACEME before exec, from fork and vfork, and the events of exec, clone and fork behind it. */
#include <signal.h>
#include <stdio.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

static char *const command[] = { "sh", "-c", "true; (exit 3); exec sh -c 'exit 9'", NULL };

static void follow(const char *what, pid_t pid, long options)
{
	int status, events[16] = { 0 };
	pid_t who;

	if (waitpid(pid, &status, 0) != pid)
		return;
	printf("%s: first stop by %d\n", what, WSTOPSIG(status));
	ptrace(PTRACE_SETOPTIONS, pid, 0, options);
	ptrace(PTRACE_CONT, pid, 0, 0);
	while ((who = waitpid(-1, &status, __WALL)) > 0) {
		int signal = WIFSTOPPED(status) ? WSTOPSIG(status) : 0;

		if (who == pid && !WIFSTOPPED(status))
			printf("%s: status %x\n", what, status);
		if (WIFSTOPPED(status) && signal == SIGTRAP)
			events[status >> 16 & 15]++;
		ptrace(PTRACE_CONT, who, 0, signal == SIGTRAP || signal == SIGSTOP ? 0 : signal);
	}
	printf("%s: traps %d, forks %d, execs %d, exits %d\n", what, events[0],
			events[PTRACE_EVENT_FORK] + events[PTRACE_EVENT_CLONE] + events[PTRACE_EVENT_VFORK],
			events[PTRACE_EVENT_EXEC], events[PTRACE_EVENT_EXIT]);
}

int main(void)
{
	const long all = PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK | PTRACE_O_TRACECLONE
			| PTRACE_O_TRACEEXEC | PTRACE_O_TRACEEXIT;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (pid == 0) {
		ptrace(PTRACE_TRACEME, 0, 0, 0);
		execv("/bin/sh", command);
		_exit(1);
	}
	follow("fork", pid, all);
	fflush(stdout);
	pid = vfork();
	if (pid == 0) {
		ptrace(PTRACE_TRACEME, 0, 0, 0);
		execv("/bin/sh", command);
		_exit(1);
	}
	follow("vfork", pid, 0);
	return 0;
}
