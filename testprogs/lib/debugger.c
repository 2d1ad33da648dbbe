/* A small debugger: runs `sh` twice, as a child of fork and as one of vfork, and prints at which
 * signals it stopped. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

static char *const command[] = { "sh", "-c", "x=$(echo sub); kill -USR1 $$; exit 7", NULL };

static void child(void)
{
	if (ptrace(PTRACE_TRACEME, 0, 0, 0) != 0)
		_exit(1);
	execvp(command[0], command);
	_exit(2);
}

/* The first stop is that of the exec. A signal is kept from the child. */
static void debug(const char *how, pid_t pid)
{
	int status;

	printf("%s:", how);
	while (waitpid(pid, &status, 0) == pid && WIFSTOPPED(status)) {
		if (WSTOPSIG(status) != SIGCHLD)
			printf(" %s", sigabbrev_np(WSTOPSIG(status)));
		ptrace(PTRACE_CONT, pid, 0, 0);
	}
	printf(" exit %d\n", WEXITSTATUS(status));
}

int main(void)
{
	char *block = malloc(77);
	pid_t pid = fork();

	memset(block, 3, 77);
	if (pid == 0)
		child();
	debug("fork", pid);
	pid = vfork();
	if (pid == 0)
		child();
	debug("vfork", pid);
	free(block);
	return 0;
}
