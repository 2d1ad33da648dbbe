/*
 * Stands for madt-inject: runs it, and kills somebody in front of a certain system call that it makes.
 * Of the environment,
 *
 *   KILL_PROGRAM  is madt-inject
 *   KILL_COMMAND  the command of it that is meant: attach, or out; others just run
 *   KILL_AT       which call it is, counted from its first ptrace(2) on; 0: none
 *   KILL_WHOM     self, parent (the launcher), both, or target (the process that is attached to)
 *   KILL_LOG      a file that then says how many calls there were
 */
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

static long calls, last;
static const char *whom;
static pid_t target;

static void look(pid_t pid)
{
	struct user_regs_struct registers;

	if (ptrace(PTRACE_GETREGS, pid, 0, &registers) != 0)
		return;
	if (calls || registers.orig_rax == SYS_ptrace)
		calls++;
	if (!last || calls != last)
		return;
	if (strcmp(whom, "target") == 0) {
		kill(target, SIGKILL);
		return;
	}
	if (strcmp(whom, "self") != 0)
		kill(getppid(), SIGKILL);
	if (strcmp(whom, "parent") != 0)
		kill(pid, SIGKILL);
}

/* Returns its wait status, once it has ended, whoever has killed it: it traces nobody then. */
static int follow(pid_t pid)
{
	bool in_front = false;
	int status = 0, number = 0;

	for (;;) {
		ptrace(PTRACE_SYSCALL, pid, 0, number);
		if (waitpid(pid, &status, 0) != pid || !WIFSTOPPED(status))
			break;
		number = WSTOPSIG(status);
		if (number != (SIGTRAP | 0x80))
			continue;
		number = 0;
		in_front = !in_front;
		if (in_front)
			look(pid);
	}
	return status;
}

int main(int count, char **arguments)
{
	const char *program = getenv("KILL_PROGRAM"), *command = getenv("KILL_COMMAND"),
			   *at = getenv("KILL_AT"), *path = getenv("KILL_LOG");
	int status;
	FILE *log;
	pid_t pid;

	whom = getenv("KILL_WHOM");
	if (!program || !command || !at || !whom || !path || count < 3)
		return 2;
	if (strcmp(command, arguments[1]) != 0)
		return execv(program, arguments);
	last = atol(at);
	target = (pid_t)atol(arguments[2]);
	pid = fork();
	if (!pid) {
		ptrace(PTRACE_TRACEME, 0, 0, 0);
		execv(program, arguments);
		_exit(127);
	}
	waitpid(pid, &status, 0);
	signal(SIGPIPE, SIG_IGN);
	ptrace(PTRACE_SETOPTIONS, pid, 0, PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL);
	status = follow(pid);
	log = fopen(path, "w");
	if (log) {
		fprintf(log, "%ld\n", calls);
		fclose(log);
	}
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
