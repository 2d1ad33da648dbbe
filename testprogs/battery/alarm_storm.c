/* flags: -O1 -pthread -lrt */
/* Timers of each kind that fire all the time while the program computes, allocates and sleeps. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static volatile long alarms[3], expired;
static volatile double kept = 1.5;

static void handler(int number)
{
	int kind = number == SIGALRM ? 0 : number == SIGPROF ? 1 : 2, saved = errno;

	alarms[kind]++;
	kept = kept * 1.0000001;
	errno = 77;
	errno = saved;
}

static void notify(union sigval value)
{
	char *block = malloc(100);

	memset(block, value.sival_int, 100);
	expired += block[50] == 9;
	free(block);
}

int main(void)
{
	struct itimerval often = { { 0, 2500 }, { 0, 2500 } }, never = { { 0, 0 }, { 0, 0 } };
	struct sigaction action = { .sa_handler = handler, .sa_flags = SA_RESTART };
	struct sigevent event = { .sigev_notify = SIGEV_THREAD, .sigev_value.sival_int = 9 };
	struct timespec nap = { 0, 30000000 };
	double sum = 0;
	long bad = 0, naps = 0;
	timer_t timer;

	event.sigev_notify_function = notify;
	sigaction(SIGALRM, &action, NULL), sigaction(SIGPROF, &action, NULL);
	sigaction(SIGVTALRM, &action, NULL);
	timer_create(CLOCK_MONOTONIC, &event, &timer);
	timer_settime(timer, 0, &(struct itimerspec){ { 0, 7000000 }, { 0, 7000000 } }, NULL);
	setitimer(ITIMER_REAL, &often, NULL), setitimer(ITIMER_PROF, &often, NULL);
	setitimer(ITIMER_VIRTUAL, &often, NULL);
	for (int i = 0; i < 250; i++) {
		char *block = malloc(64 + (size_t)i);

		errno = i;
		memset(block, i, 64);
		for (int k = 1; k < 100; k++)
			sum += 1.0 / k / (i + 1);
		bad += block[63] != (char)i || errno != i;
		free(block);
	}
	while (!alarms[0] || !alarms[1] || !alarms[2] || !expired)
		for (volatile int i = 0; i < 1000; i++)
			;
	while (nanosleep(&nap, &nap) == -1 && errno == EINTR)
		naps++;
	setitimer(ITIMER_REAL, &never, NULL), setitimer(ITIMER_PROF, &never, NULL);
	setitimer(ITIMER_VIRTUAL, &never, NULL), timer_delete(timer);
	printf("sum %.9f bad %ld, naps %d, kept %d\n", sum, bad, naps >= 0, kept > 1.5);
	return 0;
}
