/*
 * Unusual ways to make processes: families HOW. Prints what became of them, and ends with status 0.
 *
 *   grandchild   fork in a child of vfork
 *   sibling      clone with CLONE_PARENT: a child of our parent
 *   stacks       CLONE_VFORK, CLONE_VM and neither, on a stack of its own; a descriptor for the
 *                process (CLONE_PIDFD)
 *   orphan       two forks: the grandchild is left behind and ends later
 */
#define _GNU_SOURCE
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <poll.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile int numbers[1000];
static char stack[65536] __attribute__((aligned(64)));

static void work(void)
{
	for (int i = 0; i < 1000; i++)
		numbers[i] += i;
}

static int ending(pid_t pid)
{
	int status = -1;

	return waitpid(pid, &status, 0) == pid && WIFEXITED(status) ? WEXITSTATUS(status)
																: 1000 + status;
}

static void grandchild(void)
{
	pid_t child = vfork();

	if (child == 0) {
		pid_t pid = fork();

		if (pid == 0) {
			work();
			_exit(7);
		}
		_exit(ending(pid) + 1);
	}
	printf("child of vfork: %d\n", ending(child));
}

static void sibling(void)
{
	int ends[2];
	char byte = 0;
	long pid;

	if (pipe(ends))
		return;
	pid = syscall(SYS_clone, CLONE_PARENT | SIGCHLD, 0, 0, 0, 0);
	if (pid == 0) {
		work();
		_exit(write(ends[1], "x", 1) == 1 ? 3 : 4);
	}
	close(ends[1]);
	if (read(ends[0], &byte, 1) == 1)
		printf("read %c, not our child: %d\n", byte, waitpid((pid_t)pid, NULL, 0));
}

static int body(void *how)
{
	work();
	_exit(*(int *)how);
}

static void stacks(void)
{
	static const int flags[] = { CLONE_VFORK, CLONE_VM, CLONE_VM | CLONE_VFORK, 0, CLONE_PIDFD };

	for (int i = 0; i < 5; i++) {
		struct pollfd descriptor = { -1, POLLIN, 0 };
		int how = 10 + i;
		pid_t pid = clone(body, stack + sizeof stack, flags[i] | SIGCHLD, &how, &descriptor.fd);

		if (flags[i] == CLONE_PIDFD)
			printf("the descriptor tells: %d\n", poll(&descriptor, 1, 20000));
		printf("clone with flags %x: %d\n", flags[i], ending(pid));
	}
}

static void orphan(void)
{
	pid_t pid = fork();

	if (pid == 0) {
		if (fork() == 0) {
			usleep(300000);
			work();
			_exit(9);
		}
		_exit(8);
	}
	printf("child: %d\n", ending(pid));
}

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "";

	setvbuf(stdout, NULL, _IONBF, 0);
	work();
	if (!strcmp(how, "grandchild"))
		grandchild();
	else if (!strcmp(how, "sibling"))
		sibling();
	else if (!strcmp(how, "stacks"))
		stacks();
	else
		orphan();
	return 0;
}
