/*
 * What a process may ask the kernel about itself, or of it, that MadT has a hand in: the signal masks in /proc/self/status, the ban on the
 * time stamp counter, signalfd. Prints one line a case.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/select.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <x86intrin.h>

static volatile long *heap;
static sigjmp_buf back;

static void on_signal(int number)
{
	heap[number]++;
}

static void on_fault(int number, siginfo_t *info, void *raw)
{
	(void)raw;
	heap[number]++;
	heap[100] = info->si_code;
	heap[101] = (long)info->si_addr;
	siglongjmp(back, 1);
}

static void catch(int number)
{
	struct sigaction action;

	memset(&action, 0, sizeof action);
	action.sa_sigaction = on_fault;
	action.sa_flags = SA_SIGINFO;
	sigaction(number, &action, NULL);
}

/* ---------------------------------------------------------------- /proc/self/status */

static void masks_print(const char *what, const char *text)
{
	static const char *const name[] = {"SigPnd:", "ShdPnd:", "SigBlk:", "SigIgn:", "SigCgt:"};

	printf("%s:", what);
	for (int i = 0; i < 5; i++) {
		const char *at = strstr(text, name[i]);

		printf(" %.24s", at ? at : "none");
	}
	puts("");
}

static void status_read(const char *what, const char *path, size_t part)
{
	static char text[8192];
	int fd = open(path, O_RDONLY), other = dup(fd);
	size_t length = 0;
	ssize_t n;

	while ((n = read(length % 2 ? fd : other, text + length, part)) > 0)
		length += (size_t)n;
	text[length] = 0;
	masks_print(what, text);
	n = pread(fd, text, sizeof text - 1, 5);
	text[n > 0 ? n : 0] = 0;
	masks_print("from byte 5", text);
	close(fd);
	close(other);
}

static void *status_of_thread(void *none)
{
	char path[100];
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGTRAP);
	pthread_sigmask(SIG_SETMASK, &set, NULL);
	raise(SIGTRAP);
	status_read("of a thread", "/proc/thread-self/status", 8000);
	sprintf(path, "/proc/%d/task/%ld/status", getpid(), syscall(SYS_gettid));
	status_read("by its number", path, 8000);
	signal(SIGTRAP, SIG_IGN);
	return none;
}

static void statuses(void)
{
	char line[200];
	sigset_t set;
	pthread_t thread;
	FILE *file;

	status_read("at first", "/proc/self/status", 8000);
	signal(SIGSEGV, on_signal);
	signal(SIGILL, SIG_IGN);
	signal(SIGTRAP, on_signal);
	signal(SIGUSR2, on_signal);
	signal(SIGPIPE, SIG_IGN);
	sigemptyset(&set);
	sigaddset(&set, SIGSYS);
	sigaddset(&set, SIGSEGV);
	sigaddset(&set, SIGUSR1);
	sigprocmask(SIG_SETMASK, &set, NULL);
	raise(SIGSYS);
	kill(getpid(), SIGSEGV);
	raise(SIGUSR1);
	status_read("set", "/proc/self/status", 8000);
	status_read("by 7 bytes", "/proc/self/status", 7);
	file = fopen("/proc/self/status", "r");
	while (fgets(line, sizeof line, file))
		if (!strncmp(line, "Sig", 3) && line[3] != 'Q')
			printf("by lines: %s", line);
	fclose(file);
	pthread_create(&thread, NULL, status_of_thread, NULL);
	pthread_join(thread, NULL);
	signal(SIGSYS, SIG_IGN);
	signal(SIGSEGV, SIG_IGN);
	signal(SIGUSR1, SIG_IGN);
	sigemptyset(&set);
	sigprocmask(SIG_SETMASK, &set, NULL);
	signal(SIGSYS, SIG_DFL);
	signal(SIGSEGV, SIG_DFL);
	signal(SIGTRAP, SIG_DFL);
	fflush(stdout);
	if (system("grep 'Sig[^Q]' /proc/self/status") < 0)
		puts("no grep");
}

/* ---------------------------------------------------------------- PR_SET_TSC */

static unsigned long long stamp(void)
{
	heap[200]++; /* an access that MadT records */
	return __rdtsc();
}

static void stamp_try(const char *what)
{
	if (!sigsetjmp(back, 1))
		printf("%s: read %d\n", what, stamp() != 0);
	else
		printf("%s: signal, %ld so far, code %ld at %#lx\n", what, heap[SIGSEGV], heap[100], heap[101]);
}

static void *stamp_thread(void *none)
{
	int mode = 0;

	for (int i = 0; i < 100; i++)
		heap[300 + i]++;
	prctl(PR_GET_TSC, &mode);
	printf("in a thread %d\n", mode);
	stamp_try("in a thread");
	return none;
}

static void stamps(void)
{
	pthread_t thread;
	int mode = 0, status;
	pid_t pid;

	heap[SIGSEGV] = 0;
	catch(SIGSEGV);
	stamp_try("allowed");
	printf("forbid: %d\n", prctl(PR_SET_TSC, PR_TSC_SIGSEGV));
	prctl(PR_GET_TSC, &mode);
	printf("mode %d\n", mode);
	for (int i = 0; i < 3; i++) {
		heap[500 + i] = (long)malloc(10000);
		stamp_try("forbidden");
		free((void *)heap[500 + i]);
	}
	pthread_create(&thread, NULL, stamp_thread, NULL);
	pthread_join(thread, NULL);
	fflush(stdout);
	pid = fork();
	if (pid == 0) {
		stamp_try("in a child");
		prctl(PR_SET_TSC, PR_TSC_ENABLE);
		stamp_try("in a child that allows it");
		fflush(stdout);
		_exit(0);
	}
	waitpid(pid, &status, 0);
	printf("child %#x, strange mode %d %d\n", status, prctl(PR_SET_TSC, 77), errno);
	fflush(stdout);
	status = system("true"); /* an image that begins so */
	printf("system %#x\n", status);
	stamp_try("still forbidden");
	prctl(PR_SET_TSC, PR_TSC_ENABLE);
	stamp_try("allowed again");
	signal(SIGSEGV, SIG_DFL);
}

int main(int argc, char **argv)
{
	heap = calloc(1000, sizeof *heap);
	(void)argv;
	if (argc == 1) {
		statuses();
		stamps();
	}
	return 0;
}
