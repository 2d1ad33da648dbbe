/*
 * Functions that wait, each in a system call that its name says: main calls each of them `ROUNDS`
 * times, and `interrupted` waits in a read that a signal breaks off in between. `works` waits for
 * nothing. With an argument it waits for ever then, in a read, and so does another thread in futex.
 *
 *   waits [hang]
 */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define ALONE __attribute__((noinline, noclone))
#define ROUNDS 3
#define MILLIS 20

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int lines[2]; /* a pipe */
static volatile int signals;

static void check(int good, const char *what)
{
	if (!good) {
		perror(what);
		exit(1);
	}
}

static void rest(void)
{
	struct timespec left = { 0, MILLIS * 1000000 };

	while (clock_nanosleep(CLOCK_MONOTONIC, 0, &left, &left) == EINTR)
		;
}

ALONE static void waits_futex(void)
{
	struct timespec until;

	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_nsec += MILLIS * 1000000;
	until.tv_sec += until.tv_nsec / 1000000000;
	until.tv_nsec %= 1000000000;
	pthread_mutex_lock(&lock);
	while (pthread_cond_timedwait(&changed, &lock, &until) == 0)
		;
	pthread_mutex_unlock(&lock);
}

static void *writes(void *byte)
{
	rest();
	check(write(lines[1], byte, 1) == 1, "write");
	return NULL;
}

ALONE static void waits_read(void)
{
	char byte;

	check(read(lines[0], &byte, 1) == 1, "read");
}

ALONE static void waits_poll(void)
{
	check(poll(&(struct pollfd){ lines[0], POLLIN, 0 }, 1, MILLIS) == 0, "poll");
}

ALONE static void waits_nanosleep(void)
{
	rest();
}

ALONE static void waits_child(pid_t child)
{
	check(waitpid(child, NULL, 0) == child, "waitpid");
}

static void on_alarm(int number)
{
	(void)number;
	signals++;
}

/* The first read ends for the signal, the second one goes on behind it. */
ALONE static void interrupted(int flags)
{
	struct sigaction action = { .sa_handler = on_alarm, .sa_flags = flags };
	struct itimerval once = { { 0, 0 }, { 0, MILLIS * 1000 / 2 } };
	char byte;
	long result;

	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &once, NULL);
	result = read(lines[0], &byte, 1);
	check(flags ? result == 1 : result == -1 && errno == EINTR, "interrupted read");
}

static volatile unsigned long steps;

ALONE static void works(void)
{
	for (int i = 0; i < 20000000; i++)
		steps += (unsigned long)i;
}

static void with_writer(void (*reader)(void))
{
	pthread_t writer;

	check(pthread_create(&writer, NULL, writes, "x") == 0, "pthread_create");
	reader();
	pthread_join(writer, NULL);
}

static void restarted(void)
{
	interrupted(SA_RESTART);
}

static void *hangs_futex(void *none)
{
	pthread_mutex_lock(&lock);
	for (;;)
		pthread_cond_wait(&changed, &lock);
	return none;
}

ALONE static void hangs_read(void)
{
	char byte;

	check(read(lines[0], &byte, 1) == 1, "read");
}

static void hang(void)
{
	pthread_t other;

	pthread_create(&other, NULL, hangs_futex, NULL);
	rest();
	puts("hangs");
	fflush(stdout);
	hangs_read();
}

int main(int argc, char **argv)
{
	(void)argv;
	check(pipe(lines) == 0, "pipe");
	for (int i = 0; i < ROUNDS; i++) {
		pid_t child;

		waits_futex();
		with_writer(waits_read);
		waits_poll();
		waits_nanosleep();
		child = fork();
		if (child == 0) {
			rest();
			_exit(0);
		}
		waits_child(child);
		interrupted(0);
		with_writer(restarted);
		works();
	}
	if (argc > 1)
		hang();
	printf("%d signals\n", signals);
	return 0;
}
