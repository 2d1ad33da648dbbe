/*
 * What a process may ask the kernel about itself, or of it, that MadT has a hand in: the signal
 * masks in /proc/self/status, the ban on the time stamp counter, signalfd. Prints one line a case.
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

static void catch (int number)
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
	static const char *const name[] = { "SigPnd:", "ShdPnd:", "SigBlk:", "SigIgn:", "SigCgt:" };

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
		printf("%s: signal, %ld so far, code %ld at %#lx\n", what, heap[SIGSEGV], heap[100],
				heap[101]);
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
	catch (SIGSEGV);
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

/* ---------------------------------------------------------------- signalfd */

static const int blocked[] = { SIGSEGV, SIGTRAP, SIGSYS, SIGILL, SIGUSR1 };
static int descriptor;

static void signals_read(const char *what)
{
	struct signalfd_siginfo info[8];
	ssize_t n = read(descriptor, info, sizeof info);
	int error = errno;
	unsigned long seen = 0;

	printf("%s: %ld %d", what, (long)n, n < 0 ? error : 0);
	for (ssize_t i = 0; i < n / (ssize_t)sizeof *info; i++)
		for (int k = 0; k < 5; k++)
			if (info[i].ssi_signo == (unsigned)blocked[k]) {
				seen |= 1ul << k;
				heap[600 + k] = info[i].ssi_code;
				heap[700] += (long)info[i].ssi_pid != getpid();
			}
	for (int k = 0; k < 5; k++)
		if (seen & 1ul << k)
			printf(", signal %d code %ld", blocked[k], heap[600 + k]);
	printf("; others' %ld\n", heap[700]);
	heap[700] = 0;
}

static pid_t sender(int number, long milliseconds)
{
	pid_t pid, parent = getpid();

	fflush(stdout);
	pid = fork();
	if (pid == 0) {
		struct timespec time = { 0, milliseconds * 1000000 };

		nanosleep(&time, NULL);
		kill(parent, number);
		_exit(0);
	}
	return pid;
}

static void late(const char *what, int number, int (*wait)(void))
{
	pid_t pid = sender(number, 30);
	int result = wait(), status;

	printf("%s: %d\n", what, result);
	signals_read(what);
	waitpid(pid, &status, 0);
}

static int by_read(void)
{
	return 0;
}

static int by_poll(void)
{
	struct pollfd poll_ = { .fd = descriptor, .events = POLLIN };

	return poll(&poll_, 1, 20000);
}

static int by_ppoll(void)
{
	struct pollfd poll_ = { .fd = descriptor, .events = POLLIN };
	struct timespec time = { 20, 0 };
	sigset_t set;

	sigfillset(&set);
	return ppoll(&poll_, 1, &time, &set);
}

static int by_select(void)
{
	fd_set set;
	struct timeval time = { 20, 0 };

	FD_ZERO(&set);
	FD_SET(descriptor, &set);
	return select(descriptor + 1, &set, NULL, NULL, &time);
}

static int by_epoll(void)
{
	struct epoll_event event = { .events = EPOLLIN };
	int epoll = epoll_create1(0), result;

	epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event);
	result = epoll_wait(epoll, &event, 1, 20000);
	close(epoll);
	return result;
}

static void *reader(void *none)
{
	signals_read("in a thread");
	return none;
}

static void descriptors(void)
{
	struct sigaction action;
	struct itimerspec soon = { .it_value = { 0, 30000000 } };
	struct sigevent event = { .sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGALRM };
	pthread_t thread;
	timer_t timer;
	sigset_t set;
	int status;
	pid_t pid;

	sigemptyset(&set);
	for (int k = 0; k < 5; k++)
		sigaddset(&set, blocked[k]);
	sigprocmask(SIG_SETMASK, &set, NULL);
	descriptor = signalfd(-1, &set, SFD_NONBLOCK);
	signals_read("none there");
	for (int k = 0; k < 5; k++)
		raise(blocked[k]);
	printf("poll %d\n", by_poll());
	signals_read("raised");
	signals_read("none left");
	kill(getpid(), SIGSEGV);
	signals_read("sent");
	fcntl(descriptor, F_SETFL, 0);
	late("read", SIGSEGV, by_read);
	late("read", SIGTRAP, by_read);
	late("poll", SIGILL, by_poll);
	late("ppoll", SIGSYS, by_ppoll);
	late("select", SIGSEGV, by_select);
	late("epoll", SIGTRAP, by_epoll);
	late("read", SIGUSR1, by_read);
	memset(&action, 0, sizeof action);
	action.sa_handler = on_signal;
	sigaction(SIGALRM, &action, NULL);
	timer_create(CLOCK_MONOTONIC, &event, &timer);
	timer_settime(timer, 0, &soon, NULL);
	signals_read("interrupted");
	printf("alarms %ld\n", heap[SIGALRM]);
	action.sa_flags = SA_RESTART;
	sigaction(SIGALRM, &action, NULL);
	timer_settime(timer, 0, &soon, NULL);
	pid = sender(SIGSEGV, 100);
	signals_read("restarted");
	waitpid(pid, &status, 0);
	printf("alarms %ld\n", heap[SIGALRM]);
	fflush(stdout);
	pid = sender(SIGSEGV, 60);
	pthread_create(&thread, NULL, reader, NULL);
	for (int i = 0; i < 2000; i++)
		heap[800 + i % 100]++; /* this thread runs, and blocks it too */
	pthread_join(thread, NULL);
	waitpid(pid, &status, 0);
	signal(SIGSEGV, on_signal);
	heap[SIGSEGV] = 0;
	raise(SIGSEGV);
	printf("ready %d, handled %ld\n", by_poll(), heap[SIGSEGV]);
	sigemptyset(&set);
	sigprocmask(SIG_SETMASK, &set, NULL);
	printf("let through, handled %ld\n", heap[SIGSEGV]);
	signal(SIGSEGV, SIG_DFL);
}

int main(void)
{
	sigset_t none;

	heap = calloc(1000, sizeof *heap);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL); /* whatever the caller blocks */
	statuses();
	stamps();
	descriptors();
	return 0;
}
