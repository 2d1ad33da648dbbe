/*
 * clone and clone3 as programs use them that need no pthreads: own stacks, SETTID and CLEARTID,
 * CLEAR_SIGHAND, shared files and not, other exit signals, CLONE_VM without CLONE_THREAD, errors.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <linux/sched.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static char stack[65536] __attribute__((aligned(16)));
static volatile int number = 1;
static volatile int tid_parent, tid_child = 5;

static int adds(void *amount)
{
	number += *(int *)amount;
	return 11;
}

static int opens(void *none)
{
	(void)none;
	return dup2(0, 77) == 77 ? 12 : 1;
}

static void wait_for(const char *what, pid_t pid)
{
	int status = -1, good = waitpid(pid, &status, __WALL) == pid;

	printf("%s: %d, status %x, number %d\n", what, good, status, number);
}

static void ignore(int signal)
{
	(void)signal;
}

static void cleared(void)
{
	struct clone_args arguments = { .flags = CLONE_CLEAR_SIGHAND, .exit_signal = SIGCHLD };
	struct sigaction action;
	pid_t pid;

	signal(SIGUSR1, ignore);
	signal(SIGSEGV, ignore);
	signal(SIGUSR2, SIG_IGN);
	pid = (pid_t)syscall(SYS_clone3, &arguments, sizeof arguments);
	if (pid == 0) {
		int code = 0;

		code |= sigaction(SIGUSR1, NULL, &action) || action.sa_handler != SIG_DFL ? 1 : 0;
		code |= sigaction(SIGSEGV, NULL, &action) || action.sa_handler != SIG_DFL ? 2 : 0;
		code |= sigaction(SIGUSR2, NULL, &action) || action.sa_handler != SIG_IGN ? 4 : 0;
		raise(SIGSEGV);
		_exit(code);
	}
	wait_for("handlers cleared", pid);
}

int main(void)
{
	struct clone_args wrong = { .flags = CLONE_THREAD };
	int amount = 3;
	char *top = stack + sizeof stack;
	pid_t pid;

	wait_for("own memory", clone(adds, top, SIGCHLD, &amount));
	wait_for("same memory", clone(adds, top, CLONE_VM | SIGCHLD, &amount));
	wait_for("same memory, lent", clone(adds, top, CLONE_VM | CLONE_VFORK | SIGCHLD, &amount));
	wait_for("no exit signal", clone(adds, top, CLONE_VM | CLONE_FS, &amount));
	wait_for("other exit signal", clone(adds, top, SIGURG, &amount));
	wait_for("files shared", clone(opens, top, CLONE_FILES | SIGCHLD, NULL));
	printf("there: %d\n", fcntl(77, F_GETFD) >= 0);
	pid = clone(adds, top, CLONE_VM | CLONE_PARENT_SETTID | CLONE_CHILD_CLEARTID | SIGCHLD, &amount,
			&tid_parent, NULL, &tid_child);
	while (tid_child)
		syscall(SYS_futex, &tid_child, FUTEX_WAIT, 5, NULL);
	printf("numbers: %d, cleared %d\n", tid_parent == pid, tid_child);
	wait_for("with numbers", pid);
	printf("wrong: %ld", syscall(SYS_clone3, &wrong, sizeof wrong));
	printf(", %s\n", strerror(errno));
	printf("too small: %ld", syscall(SYS_clone3, &wrong, 8));
	printf(", %s\n", strerror(errno));
	cleared();
	return 0;
}
