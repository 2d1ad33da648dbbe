/*
 * The child of a fork has one thread, whatever its parent had: PTRACE_TRACEME and strict seccomp in
 * children of a process with threads that sleep, begin and end.
 */
/* flags: -pthread */
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile int over;

static void *sleeps(void *none)
{
	while (!over)
		usleep(1000);
	return none;
}

static void *nothing(void *none)
{
	return none;
}

static void *makes_threads(void *none)
{
	pthread_t thread;

	while (!over && pthread_create(&thread, NULL, nothing, NULL) == 0)
		pthread_join(thread, NULL);
	return none;
}

static int traced(void)
{
	if (ptrace(PTRACE_TRACEME, 0, 0, 0))
		return 3;
	raise(SIGUSR1);
	return 7;
}

static int strict(void)
{
	if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT))
		return 3;
	syscall(SYS_exit, 8);
	return 4;
}

static void follow(const char *what, int (*body)(void))
{
	int status;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (pid == 0)
		_exit(body());
	while (waitpid(pid, &status, 0) == pid && WIFSTOPPED(status)) {
		printf("%s: signal %d\n", what, WSTOPSIG(status));
		ptrace(PTRACE_CONT, pid, 0, 0);
	}
	printf("%s: status %x\n", what, status);
}

int main(void)
{
	pthread_t thread[4];

	for (int i = 0; i < 4; i++)
		pthread_create(&thread[i], NULL, i ? sleeps : makes_threads, NULL);
	for (int i = 0; i < 5; i++) {
		follow("traced", traced);
		follow("strict", strict);
	}
	over = 1;
	for (int i = 0; i < 4; i++)
		pthread_join(thread[i], NULL);
	return 0;
}
