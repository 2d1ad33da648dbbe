/* Job control and seizing: INTERRUPT, LISTEN and group stops of a seized child, SIGCONT, DETACH. */
#include <signal.h>
#include <stdio.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef PTRACE_EVENT_STOP
#define PTRACE_EVENT_STOP 128
#endif

static void wait_for(const char *what, pid_t pid, int flags)
{
	int status = -1;

	waitpid(pid, &status, flags);
	printf("%s: %s %d, event %d\n", what,
			WIFSTOPPED(status)             ? "stopped by"
					: WIFCONTINUED(status) ? "continued"
					: WIFSIGNALED(status)  ? "killed by"
										   : "exit",
			WIFSTOPPED(status)             ? WSTOPSIG(status)
					: WIFCONTINUED(status) ? 0
					: WIFSIGNALED(status)  ? WTERMSIG(status)
										   : WEXITSTATUS(status),
			status >> 16 & 0xff);
}

int main(void)
{
	siginfo_t info = { 0 };
	int status;
	pid_t pid = fork();

	/* SIGTSTP stops no group without a member whose parent is in another group of the session */
	setpgid(pid, pid);
	if (pid == 0)
		for (;;)
			usleep(1000);
	kill(pid, SIGSTOP);
	wait_for("stop", pid, WUNTRACED);
	kill(pid, SIGCONT);
	wait_for("continue", pid, WCONTINUED);
	if (ptrace(PTRACE_SEIZE, pid, 0, 0))
		printf("cannot seize\n");
	ptrace(PTRACE_INTERRUPT, pid, 0, 0);
	wait_for("interrupt", pid, 0);
	ptrace(PTRACE_CONT, pid, 0, 0);
	kill(pid, SIGTSTP);
	wait_for("signal", pid, 0);
	ptrace(PTRACE_CONT, pid, 0, SIGTSTP);
	wait_for("group stop", pid, 0);
	ptrace(PTRACE_LISTEN, pid, 0, 0);
	kill(pid, SIGCONT);
	kill(pid, SIGUSR1);
	/* the end of the stop, and SIGCONT: which comes first, is open */
	while (waitpid(pid, &status, 0) == pid && WIFSTOPPED(status) && WSTOPSIG(status) != SIGUSR1)
		ptrace(PTRACE_CONT, pid, 0, 0);
	printf("running again: %d\n", WIFSTOPPED(status));
	ptrace(PTRACE_GETSIGINFO, pid, 0, &info);
	printf("signal %d, code %d, from its parent: %d\n", info.si_signo, info.si_code,
			info.si_pid == getpid());
	ptrace(PTRACE_DETACH, pid, 0, 0);
	kill(pid, SIGTERM);
	wait_for("end", pid, 0);
	return 0;
}
