/* Calls that a handler interrupts: which begin anew with SA_RESTART, and what they return. */
/* flags: -O1 -pthread */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define FED 3 /* the first calls end by what the handler gives them, if they begin anew */
#define CALLS 9

static int pipes[2], pairs[2];
static sem_t semaphore;
static volatile int handled, called, feeds;

static void handler(int number)
{
	(void)number;
	if (++handled != 2 || !feeds)
		return;
	if (called == 2)
		sem_post(&semaphore);
	else if (write(called ? pairs[1] : pipes[1], "x", 1) != 1)
		_exit(2);
}

/* The timer goes on until the call ends, so none of the long times passes. */
static long call(int which)
{
	struct timespec long_time = { 100, 0 };
	struct timeval long_value = { 100, 0 };
	struct pollfd polled = { .fd = pipes[0], .events = POLLIN };
	struct epoll_event event;
	sigset_t waited;
	fd_set set;
	char byte;

	sigemptyset(&waited);
	sigaddset(&waited, SIGUSR2);
	FD_ZERO(&set);
	FD_SET(pipes[0], &set);
	switch (which) {
	case 0:
		return read(pipes[0], &byte, 1);
	case 1:
		return recv(pairs[0], &byte, 1, 0);
	case 2:
		return sem_wait(&semaphore);
	case 3:
		return poll(&polled, 1, 100000);
	case 4:
		return select(pipes[0] + 1, &set, NULL, NULL, &long_value);
	case 5:
		return (errno = clock_nanosleep(CLOCK_MONOTONIC, 0, &long_time, NULL)) ? -1 : 0;
	case 6:
		return epoll_wait(epoll_create1(0), &event, 1, 100000);
	case 7:
		return sigtimedwait(&waited, NULL, &long_time);
	default:
		return pause();
	}
}

int main(void)
{
	const struct itimerval often = { { 0, 8000 }, { 0, 8000 } }, off = { { 0, 0 }, { 0, 0 } };

	if (pipe(pipes) || socketpair(AF_UNIX, SOCK_STREAM, 0, pairs) || sem_init(&semaphore, 0, 0))
		return 1;
	for (int restart = 0; restart < 2; restart++) {
		struct sigaction action = { .sa_handler = handler, .sa_flags = restart ? SA_RESTART : 0 };

		sigaction(SIGALRM, &action, NULL);
		for (called = 0; called < CALLS; called++) {
			int error;
			long result;

			handled = 0, feeds = restart && called < FED;
			setitimer(ITIMER_REAL, &often, NULL);
			result = call(called);
			error = result < 0 ? errno : 0;
			setitimer(ITIMER_REAL, &off, NULL);
			printf("%d, restart %d: %ld, %s, %d\n", called, restart, result, strerrorname_np(error),
					handled > feeds);
		}
	}
	return 0;
}
