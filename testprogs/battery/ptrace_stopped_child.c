/*
 * Children that stop themselves until their tracer has come, as those of strace do: seized, attached
 * to; their system calls and signals from there on.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

static char *const command[] = { "sh", "-c", "exit 9", NULL };

static void child(void (*stop)(void))
{
	stop();
	syscall(SYS_getppid);
	free(malloc(100));
	raise(SIGUSR1);
	execv("/bin/sh", command);
}

static void by_kill(void)
{
	kill(getpid(), SIGSTOP);
}

static void by_raise(void)
{
	raise(SIGSTOP);
}

static void follow(const char *what, void (*stop)(void), int how)
{
	struct user_regs_struct registers;
	int status, calls = 0, signals = 0;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (pid == 0)
		child(stop);
	waitpid(pid, &status, WUNTRACED);
	printf("%s: stopped by %d\n", what, WSTOPSIG(status));
	if (ptrace(how, pid, 0, how == (int)PTRACE_SEIZE ? PTRACE_O_TRACESYSGOOD : 0))
		printf("%s: cannot trace\n", what);
	kill(pid, SIGCONT);
	while (waitpid(pid, &status, 0) == pid && WIFSTOPPED(status) && calls + signals < 1000) {
		int signal = WSTOPSIG(status);

		ptrace(PTRACE_SETOPTIONS, pid, 0, PTRACE_O_TRACESYSGOOD);
		ptrace(PTRACE_GETREGS, pid, 0, &registers);
		if (signal == (SIGTRAP | 0x80) && calls++ < 8 && registers.orig_rax < 200)
			printf("%s: call %lld\n", what, registers.orig_rax);
		if (signal == SIGUSR1 || signal == SIGSYS || signal == SIGSEGV)
			printf("%s: signal %d\n", what, signal);
		ptrace(PTRACE_SYSCALL, pid, 0, 0);
	}
	printf("%s: %d calls or more, status %x\n", what, calls > 20 ? 20 : calls, status);
}

int main(void)
{
	follow("raise, seized", by_raise, PTRACE_SEIZE);
	follow("kill, seized", by_kill, PTRACE_SEIZE);
	follow("kill, attached", by_kill, PTRACE_ATTACH);
	return 0;
}
