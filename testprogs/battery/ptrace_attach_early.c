/*
 * Children are attached to and seized right after their fork, in the midst of allocations, asleep,
 * and waiting for their tracer: no stop is of a signal that is not the program's.
 */
/* flags: -pthread */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile int *over;

static void *allocates(void *none)
{
	void *block[16] = { 0 };

	for (unsigned i = 0, x = 1; !*over; i++, x = x * 1103515245 + 12345) {
		free(block[i & 15]);
		block[i & 15] = malloc(1 + (x >> 8) % 2000);
		memset(block[i & 15], 1, 1);
	}
	return none;
}

static void threads_allocate(void)
{
	pthread_t thread[2];

	for (int i = 0; i < 2; i++)
		pthread_create(&thread[i], NULL, allocates, NULL);
	allocates(NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(thread[i], NULL);
}

static void sleeps(void)
{
	while (!*over)
		usleep(2000);
}

static void allocates_alone(void)
{
	allocates(NULL);
}

static int stop(pid_t pid, int how)
{
	return how == (int)PTRACE_SEIZE ? ptrace(PTRACE_INTERRUPT, pid, 0, 0)
									: (int)syscall(SYS_tgkill, pid, pid, SIGSTOP);
}

static void follow(const char *what, void (*body)(void), int how, useconds_t after)
{
	int status = 0, stops = 0, others = 0;
	pid_t pid;

	*over = 0;
	fflush(stdout);
	pid = fork();
	if (pid == 0) {
		body();
		_exit(42);
	}
	usleep(after);
	if (ptrace(how, pid, 0, 0))
		printf("%s: cannot attach\n", what);
	if (how == (int)PTRACE_SEIZE)
		stop(pid, how);
	while (stops < 40 && waitpid(pid, &status, __WALL) == pid && WIFSTOPPED(status)) {
		others += WSTOPSIG(status) != (how == (int)PTRACE_ATTACH ? SIGSTOP : SIGTRAP);
		if (++stops == 40)
			*over = 1;
		ptrace(PTRACE_CONT, pid, 0, 0);
		usleep(100);
		if (stops < 40)
			stop(pid, how);
	}
	while (waitpid(pid, &status, __WALL) == pid && WIFSTOPPED(status))
		ptrace(PTRACE_CONT, pid, 0, 0);
	printf("%s: %d stops, %d of other signals, status %x\n", what, stops, others, status);
}

int main(void)
{
	over = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	follow("at once", sleeps, PTRACE_ATTACH, 0);
	follow("at once, seized", allocates_alone, PTRACE_SEIZE, 0);
	follow("threads, at once", threads_allocate, PTRACE_ATTACH, 0);
	follow("threads", threads_allocate, PTRACE_ATTACH, 10000);
	follow("threads, seized", threads_allocate, PTRACE_SEIZE, 10000);
	return 0;
}
