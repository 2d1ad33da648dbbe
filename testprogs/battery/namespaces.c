/* Processes in namespaces of their own: user, PID, UTS; setns back; what cannot be had prints so. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void touch_memory(void)
{
	char *block = malloc(5000);

	memset(block, 1, 5000);
	free(block);
}

static int first_of_namespace(void *none)
{
	int status = 0;
	pid_t pid = fork();

	(void)none;
	if (pid == 0) {
		touch_memory();
		_exit(getpid() == 2 && getppid() == 1 ? 21 : 22);
	}
	waitpid(pid, &status, 0);
	printf("first %d, child 2: %d, status %x\n", getpid(), pid == 2, status);
	fflush(stdout);
	_exit(20);
}

static void by_unshare(void)
{
	char name[64] = "";
	int before = open("/proc/self/ns/uts", O_RDONLY), status = 0;

	if (unshare(CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWUTS)) {
		printf("unshare: %s\n", strerror(errno));
		return;
	}
	printf("sethostname %d\n", sethostname("battery", 7));
	gethostname(name, sizeof name);
	printf("host %s\n", name);
	printf("setns %d, as before %d\n", setns(before, CLONE_NEWUTS), before >= 0);
	fflush(stdout);
	if (fork() == 0)
		first_of_namespace(NULL);
	wait(&status);
	printf("status %x\n", status);
}

int main(void)
{
	static char stack[65536] __attribute__((aligned(16)));
	int status = 0;
	pid_t pid = fork();

	if (pid == 0) {
		by_unshare();
		exit(0);
	}
	waitpid(pid, &status, 0);
	printf("status %x\n", status);
	fflush(stdout);
	pid = clone(first_of_namespace, stack + sizeof stack, CLONE_NEWUSER | CLONE_NEWPID | SIGCHLD,
			NULL);
	if (pid < 0)
		printf("clone: %s\n", strerror(errno));
	else
		waitpid(pid, &status, 0);
	printf("status %x\n", status);
	return 0;
}
