/*
 * Programs that trace their own children (ptrace(2)) see their children's signals and calls, and
 * none of MadT's: PTRACE_TRACEME with and without threads, ATTACH, SEIZE and INTERRUPT of children
 * that run, sleep, wait, have threads; SYSCALL, SYSEMU, SINGLESTEP, breakpoints, options for clone,
 * exec and exit. Prints what it saw, so that it can be compared with the same run alone.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile int *shared; /* [0]: the child is ready, [1]: it may end */

static void say_status(const char *what, int status)
{
	if (WIFEXITED(status))
		printf("%s: exit %d\n", what, WEXITSTATUS(status));
	else if (WIFSIGNALED(status))
		printf("%s: killed by %d\n", what, WTERMSIG(status));
	else
		printf("%s: stopped by %d, event %d\n", what, WSTOPSIG(status), status >> 16);
}

static int next(const char *what, pid_t pid)
{
	int status = -1;
	bool again = false;

	do {
		if (again)
			ptrace(PTRACE_CONT, pid, 0, SIGCHLD); /* of its own children; when, is open */
		if (waitpid(pid, &status, __WALL) != pid) {
			printf("%s: waitpid: %s\n", what, strerror(errno));
			exit(1);
		}
		again = WIFSTOPPED(status) && WSTOPSIG(status) == SIGCHLD;
	} while (again);
	say_status(what, status);
	return status;
}

static void request(const char *what, long result)
{
	if (result)
		printf("%s: %s\n", what, strerror(errno));
}

static void busy(void)
{
	static volatile int numbers[64];

	for (int i = 0; i < 64; i++)
		numbers[i] += i;
}

static void *thread_busy(void *none)
{
	__atomic_fetch_add(&shared[0], 1, __ATOMIC_SEQ_CST);
	while (!shared[1])
		busy();
	return none;
}

static void *thread_sleep(void *none)
{
	__atomic_fetch_add(&shared[0], 1, __ATOMIC_SEQ_CST);
	while (!shared[1])
		usleep(100000);
	return none;
}

static pid_t child(void (*body)(void), int ready)
{
	pid_t pid;

	shared[0] = shared[1] = 0;
	fflush(stdout);
	pid = fork();
	if (pid == 0) {
		alarm(60);
		body();
		_exit(42);
	}
	while (shared[0] < ready)
		usleep(1000);
	return pid;
}

static void runs(void)
{
	shared[0] = 1;
	while (!shared[1])
		busy();
}

static void sleeps(void)
{
	shared[0] = 1;
	while (!shared[1])
		usleep(300000);
}

static void reads(void)
{
	int ends[2];
	char byte;

	if (pipe(ends))
		_exit(1);
	shared[0] = 1;
	if (fork() == 0) {
		while (!shared[1])
			usleep(1000);
		_exit(write(ends[1], "x", 1) == 1 ? 0 : 1);
	}
	_exit(read(ends[0], &byte, 1) == 1 ? 42 : 43);
}

static void has_threads(void)
{
	pthread_t thread[4];

	for (int i = 0; i < 4; i++)
		pthread_create(&thread[i], NULL, i % 2 ? thread_sleep : thread_busy, NULL);
	for (int i = 0; i < 4; i++)
		pthread_join(thread[i], NULL);
}

/* Stops it, looks at it, lets it run to the next calls and to its end. */
static void attach(const char *what, void (*body)(void), int ready)
{
	pid_t pid = child(body, ready);
	struct user_regs_struct registers;

	request("attach", ptrace(PTRACE_ATTACH, pid, 0, 0));
	next(what, pid);
	request("registers", ptrace(PTRACE_GETREGS, pid, 0, &registers));
	shared[1] = 1;
	request("cont", ptrace(PTRACE_CONT, pid, 0, 0));
	next(what, pid);
}

static void seize(void (*body)(void), int ready)
{
	pid_t pid = child(body, ready);

	request("seize", ptrace(PTRACE_SEIZE, pid, 0, PTRACE_O_TRACEEXIT));
	request("interrupt", ptrace(PTRACE_INTERRUPT, pid, 0, 0));
	next("seized", pid);
	shared[1] = 1;
	request("cont", ptrace(PTRACE_CONT, pid, 0, 0));
	next("seized, at its exit", pid);
	request("detach", ptrace(PTRACE_DETACH, pid, 0, 0));
	next("seized", pid);
}

static void traced(void)
{
	if (ptrace(PTRACE_TRACEME, 0, 0, 0))
		_exit(1);
	raise(SIGSTOP);
	syscall(SYS_getppid);
	syscall(SYS_getuid);
	busy();
}

static void traced_with_threads(void)
{
	pthread_t thread[2];

	for (int i = 0; i < 2; i++)
		pthread_create(&thread[i], NULL, i ? thread_sleep : thread_busy, NULL);
	while (shared[0] < 2)
		usleep(1000);
	traced();
}

/* The numbers of all calls from the stop on, each seen twice. */
static void follow_calls(int how, void (*body)(void))
{
	pid_t pid = child(body, 0);
	struct user_regs_struct registers;
	int status = next("traced", pid);

	ptrace(PTRACE_SETOPTIONS, pid, 0, PTRACE_O_TRACESYSGOOD);
	printf("calls:");
	for (int stops = 0; WIFSTOPPED(status) && stops < 100; stops++) {
		ptrace(how, pid, 0, 0);
		if (waitpid(pid, &status, 0) != pid)
			break;
		if (!WIFSTOPPED(status) || WSTOPSIG(status) != (SIGTRAP | 0x80))
			continue;
		ptrace(PTRACE_GETREGS, pid, 0, &registers);
		printf(" %lld", registers.orig_rax);
		if (how == (int)PTRACE_SYSEMU && registers.orig_rax != SYS_exit_group) {
			registers.rax = 7;
			ptrace(PTRACE_SETREGS, pid, 0, &registers);
		} else if (how == (int)PTRACE_SYSEMU) {
			kill(pid, SIGKILL);
		}
	}
	printf("\n");
	say_status("traced", status);
}

static void stepped(void)
{
	if (ptrace(PTRACE_TRACEME, 0, 0, 0))
		_exit(1);
	raise(SIGSTOP);
	__asm__ volatile("nop\n nop\n nop\n .globl stepped_end\n stepped_end: nop\n" : : : "memory");
	busy();
}

extern const char stepped_end[];

/* A breakpoint, and single steps from there to the end of busy. */
static void break_and_step(void)
{
	pid_t pid = child(stepped, 0);
	struct user_regs_struct registers;
	int status = next("stepped", pid), steps = 0;
	long text = ptrace(PTRACE_PEEKTEXT, pid, stepped_end, 0);

	ptrace(PTRACE_POKETEXT, pid, stepped_end, (text & ~0xffl) | 0xcc);
	ptrace(PTRACE_CONT, pid, 0, 0);
	next("at the breakpoint", pid);
	ptrace(PTRACE_GETREGS, pid, 0, &registers);
	printf("breakpoint at %+lld\n", (long long)registers.rip - (long long)(uintptr_t)stepped_end);
	registers.rip = (uintptr_t)stepped_end;
	ptrace(PTRACE_SETREGS, pid, 0, &registers);
	ptrace(PTRACE_POKETEXT, pid, stepped_end, text);
	while (steps < 200 && ptrace(PTRACE_SINGLESTEP, pid, 0, 0) == 0
			&& waitpid(pid, &status, 0) == pid && WIFSTOPPED(status))
		steps++;
	printf("%d steps\n", steps);
	ptrace(PTRACE_CONT, pid, 0, 0);
	next("stepped", pid);
}

static void makes(void)
{
	pthread_t thread;
	char *const arguments[] = { "sh", "-c", "exit 9", NULL };
	pid_t pid;

	if (ptrace(PTRACE_TRACEME, 0, 0, 0))
		_exit(1);
	raise(SIGSTOP);
	shared[1] = 1;
	pthread_create(&thread, NULL, thread_sleep, NULL);
	pthread_join(thread, NULL);
	pid = fork();
	if (pid == 0)
		_exit(5);
	waitpid(pid, NULL, 0);
	execv("/bin/sh", arguments);
}

/* The events of clone, fork, exec and exit, counted: their order among processes is open. */
static void follow_events(void)
{
	pid_t pid = child(makes, 0), who;
	int status = next("makes", pid), events[8] = { 0 }, others = 0;

	ptrace(PTRACE_SETOPTIONS, pid, 0,
			PTRACE_O_TRACECLONE | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK | PTRACE_O_TRACEEXEC
					| PTRACE_O_TRACEEXIT);
	ptrace(PTRACE_CONT, pid, 0, 0);
	while ((who = waitpid(-1, &status, __WALL)) > 0) {
		int signal = 0;

		if (WIFSTOPPED(status) && status >> 16)
			events[(status >> 16) & 7]++;
		else if (WIFSTOPPED(status))
			signal = WSTOPSIG(status) == SIGSTOP
					? 0
					: (others += WSTOPSIG(status) != SIGCHLD, WSTOPSIG(status));
		else if (who == pid)
			say_status("makes", status);
		ptrace(PTRACE_CONT, who, 0, signal);
	}
	for (int i = 0; i < 8; i++)
		printf("event %d: %d times\n", i, events[i]);
	printf("other signals: %d\n", others);
}

int main(void)
{
	int *heap = calloc(1000, sizeof *heap);

	for (volatile int i = 0; i < 1000; i++)
		heap[i] = i;
	alarm(100);
	setvbuf(stdout, NULL, _IOLBF, 0);
	shared = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	attach("running", runs, 1);
	attach("sleeping", sleeps, 1);
	attach("reading", reads, 1);
	attach("threads", has_threads, 4);
	seize(runs, 1);
	seize(sleeps, 1);
	follow_calls(PTRACE_SYSCALL, traced);
	follow_calls(PTRACE_SYSEMU, traced);
	follow_calls(PTRACE_SYSCALL, traced_with_threads);
	break_and_step();
	follow_events();
	return 0;
}
