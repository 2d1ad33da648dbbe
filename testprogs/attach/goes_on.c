/*
 * Threads that compute, wait for each other, wait with a time limit and take signals, and check all of
 * it. Says "round N, 0 wrong" twenty times a second: each thread has done something since the line
 * before. It ends when its input does, with 0 if nothing was wrong.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#define THREADS 5

static atomic_int wrong, over, taken;
static atomic_long done[THREADS];

static void check(int good, const char *what)
{
	if (good)
		return;
	wrong++;
	printf("wrong: %s (errno %d)\n", what, errno);
}

static void *compute(void *number)
{
	double share[64];

	while (!over) {
		unsigned long sum = 0;
		double all = 0;

		for (unsigned long i = 0; i < 20000; i++) {
			sum += i * i;
			share[i % 64] = (double)i / 8;
			all += share[(i * 7) % 64] >= 0 ? 0.125 : 0;
		}
		check(sum == 2666466670000ul && all == 2500, "a sum");
		done[(long)number]++;
	}
	return NULL;
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t turned = PTHREAD_COND_INITIALIZER;
static int turn;

/* Two threads that take turns. */
static void *take_turns(void *number)
{
	const int own = (long)number % 2;

	while (!over) {
		pthread_mutex_lock(&lock);
		while (turn != own && !over)
			pthread_cond_wait(&turned, &lock);
		turn = !own;
		pthread_cond_signal(&turned);
		pthread_mutex_unlock(&lock);
		done[(long)number]++;
	}
	return NULL;
}

/* No wait ends before its time; a stop may end one of them, which is made again then. */
static void *wait_often(void *number)
{
	struct epoll_event event;
	int quiet = epoll_create1(0), got;

	while (!over) {
		struct timespec begun, now;

		clock_gettime(CLOCK_MONOTONIC, &begun);
		check(poll(NULL, 0, 3) == 0, "poll");
		do
			got = epoll_wait(quiet, &event, 1, 2);
		while (got < 0 && errno == EINTR);
		check(got == 0, "epoll_wait");
		check(nanosleep(&(struct timespec){ 0, 2000000 }, NULL) == 0, "nanosleep");
		clock_gettime(CLOCK_MONOTONIC, &now);
		check((now.tv_sec - begun.tv_sec) * 1000000000 + now.tv_nsec - begun.tv_nsec >= 7000000,
				"a time");
		done[(long)number]++;
	}
	return NULL;
}

static void on_signal(int number, siginfo_t *info, void *context)
{
	(void)context;
	check(number == SIGUSR1 && info->si_value.sival_int == 77, "what a signal brings");
	taken++;
}

static void *send(void *number)
{
	while (!over) {
		char *block = malloc(500);
		int before = taken;

		memset(block, 5, 500);
		pthread_sigqueue(pthread_self(), SIGUSR1, (union sigval){ .sival_int = 77 });
		check(taken == before + 1 && block[499] == 5, "a signal");
		free(block);
		usleep(100);
		done[(long)number]++;
	}
	return NULL;
}

int main(void)
{
	static void *(*const work[THREADS])(void *) = { take_turns, take_turns, compute, wait_often,
		send };
	struct sigaction action = { .sa_sigaction = on_signal, .sa_flags = SA_SIGINFO };
	struct pollfd input = { 0, POLLIN, 0 };
	pthread_t thread[THREADS];
	long before[THREADS] = { 0 };

	prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0); /* where Yama asks for that */
	setvbuf(stdout, NULL, _IOLBF, 0);
	sigaction(SIGUSR1, &action, NULL);
	for (long i = 0; i < THREADS; i++)
		pthread_create(&thread[i], NULL, work[i], (void *)i);
	for (long round = 0; poll(&input, 1, 50) == 0; round++) {
		int all = 0;

		while (all < THREADS)
			if (done[all] > before[all])
				before[all] = done[all], all++;
			else
				usleep(100);
		printf("round %ld, %d wrong\n", round, wrong);
	}
	pthread_mutex_lock(&lock);
	over = 1;
	pthread_cond_broadcast(&turned);
	pthread_mutex_unlock(&lock);
	for (int i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
	printf("end, %d wrong\n", wrong);
	return wrong != 0;
}
