/* Descriptors of processes: pidfd_open, CLONE_PIDFD, signals, poll, waitid and pidfd_getfd. */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/sched.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static void on_signal(int number, siginfo_t *info, void *context)
{
	(void)context;
	_exit(number == SIGSEGV && info->si_code == SI_QUEUE ? 30 + info->si_value.sival_int : 1);
}

static void child(int ready)
{
	struct sigaction action = { .sa_sigaction = on_signal, .sa_flags = SA_SIGINFO };

	sigaction(SIGSEGV, &action, NULL);
	if (write(ready, "x", 1) != 1)
		_exit(2);
	for (;;)
		pause();
}

static void follow(const char *what, int fd)
{
	struct pollfd polled = { fd, POLLIN, 0 };
	siginfo_t info = { 0 };

	printf("%s: alive %d", what, poll(&polled, 1, 0));
	info.si_signo = SIGSEGV;
	info.si_code = SI_QUEUE;
	info.si_value.sival_int = 7;
	printf(", signal %ld", syscall(SYS_pidfd_send_signal, fd, SIGSEGV, &info, 0));
	printf(", over %d", poll(&polled, 1, 10000));
	memset(&info, 0, sizeof info);
	printf(", waitid %d", waitid(P_PIDFD, (id_t)fd, &info, WEXITED | WNOWAIT));
	printf(", code %d, status %d", info.si_code, info.si_status);
	printf(", again %d\n", waitid(P_PIDFD, (id_t)fd, &info, WEXITED));
	printf("%s: gone %ld", what, syscall(SYS_pidfd_send_signal, fd, 0, NULL, 0));
	printf(", %s\n", strerror(errno));
	close(fd);
}

int main(void)
{
	int ends[2], fd = -1, got;
	char byte;
	struct clone_args arguments = { .flags = CLONE_PIDFD, .exit_signal = SIGCHLD };
	pid_t pid;

	if (pipe(ends))
		return 1;
	pid = fork();
	if (pid == 0)
		child(ends[1]);
	if (read(ends[0], &byte, 1) != 1)
		return 1;
	fd = (int)syscall(SYS_pidfd_open, pid, 0);
	got = (int)syscall(SYS_pidfd_getfd, fd, ends[1], 0);
	printf("own end again: %zd\n", write(got, "y", 1));
	if (read(ends[0], &byte, 1) != 1)
		return 1;
	follow("opened", fd);
	arguments.pidfd = (uint64_t)(uintptr_t)&fd;
	pid = (pid_t)syscall(SYS_clone3, &arguments, sizeof arguments);
	if (pid == 0)
		child(ends[1]);
	if (read(ends[0], &byte, 1) != 1)
		return 1;
	follow("cloned", fd);
	return 0;
}
