/*
 * What system calls cost: the processor time of each, user and system, in nanoseconds. The kernel
 * does the same work whoever looks on, so that what is added is what MadT costs.
 *
 *   syscalls REPETITIONS     prints NAME NANOSECONDS for each kind; the best of several rounds
 */
#define _GNU_SOURCE
#include <linux/futex.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define ROUNDS 9

static int ends[2], poll_set;
static uint32_t word;

static void call_getppid(void)
{
	getppid();
}

static void call_pipe(void)
{
	char byte = 1;

	if (write(ends[1], &byte, 1) != 1 || read(ends[0], &byte, 1) != 1)
		abort();
}

static void call_futex(void)
{
	syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

static void call_epoll(void)
{
	struct epoll_event event;

	epoll_wait(poll_set, &event, 1, 0);
}

static void call_clock(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
}

static double processor_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static double measure(void (*call)(void), long repetitions)
{
	double best = 1e18;

	for (int i = 0; i < ROUNDS; i++) {
		double begin = processor_now(), time;

		for (long k = 0; k < repetitions; k++)
			call();
		time = (processor_now() - begin) / (double)repetitions;
		best = time < best ? time : best;
	}
	return best;
}

static const struct {
	const char *name;
	void (*call)(void);
} kinds[] = {
	{ "getppid", call_getppid },
	{ "pipe", call_pipe },
	{ "futex", call_futex },
	{ "epoll", call_epoll },
	{ "clock", call_clock },
};

int main(int argc, char **argv)
{
	long repetitions = argc > 1 ? atol(argv[1]) : 100000;

	poll_set = epoll_create1(0);
	if (pipe(ends) || poll_set < 0)
		return 1;
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		printf("%s %.1f\n", kinds[i].name, measure(kinds[i].call, repetitions));
	return 0;
}
