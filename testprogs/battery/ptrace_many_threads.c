/* A process with more threads than any table foresees asks to be traced: it stops at its own signal. */
/* flags: -pthread */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#define THREADS 1100

static pthread_barrier_t all_there;

static void *sleeps(void *none)
{
	pthread_barrier_wait(&all_there);
	pause();
	return none;
}

static int traced(void)
{
	pthread_attr_t small;
	pthread_t thread;

	pthread_attr_init(&small);
	pthread_attr_setstacksize(&small, 65536);
	pthread_barrier_init(&all_there, NULL, THREADS + 1);
	for (int i = 0; i < THREADS; i++)
		if (pthread_create(&thread, &small, sleeps, NULL))
			return 4;
	pthread_barrier_wait(&all_there);
	if (ptrace(PTRACE_TRACEME, 0, 0, 0))
		return 3;
	raise(SIGUSR1);
	exit(7);
}

int main(void)
{
	int status;
	pid_t pid = fork();

	if (pid == 0)
		_exit(traced());
	while (waitpid(pid, &status, 0) == pid && WIFSTOPPED(status)) {
		printf("signal %d\n", WSTOPSIG(status));
		ptrace(PTRACE_CONT, pid, 0, 0);
	}
	printf("status %x\n", status);
	return 0;
}
