/*
 * Threads that allocate, lock and print while a timer interrupts them. stress SECONDS, and on until
 * each thread has worked: never a crash, never a hang.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define THREADS 8

static volatile int stop;
static long *rounds;
static int alarms;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void on_alarm(int number)
{
	(void)number;
	__atomic_fetch_add(&alarms, 1, __ATOMIC_RELAXED);
	__atomic_fetch_add(&rounds[THREADS], 1, __ATOMIC_RELAXED);
}

static void *work(void *argument)
{
	long number = (long)argument;
	char text[64];

	while (!stop) {
		char *p = malloc((size_t)(100 + number * 300));

		memset(p, 1, 50);
		for (int i = 0; i < 20; i++)
			p[i] = (char)i;
		p = realloc(p, 3000);
		p[2999] = 1;
		free(p);
		pthread_mutex_lock(&lock);
		rounds[number]++;
		pthread_mutex_unlock(&lock);
		snprintf(text, sizeof text, "%ld", rounds[number]);
	}
	return NULL;
}

static int all_worked(void)
{
	int all = 1;

	for (int i = 0; i < THREADS; i++)
		all &= __atomic_load_n(&rounds[i], __ATOMIC_RELAXED) > 0;
	return all;
}

int main(int argc, char **argv)
{
	struct itimerval timer = { { 0, 2000 }, { 0, 2000 } }, none = { { 0, 0 }, { 0, 0 } };
	time_t end = time(NULL) + (argc > 1 ? atoi(argv[1]) : 5);
	pthread_t thread[THREADS];

	rounds = calloc(THREADS + 1, sizeof *rounds);
	signal(SIGALRM, on_alarm);
	setitimer(ITIMER_REAL, &timer, NULL);
	for (long i = 0; i < THREADS; i++)
		pthread_create(&thread[i], NULL, work, (void *)i);
	while (time(NULL) < end || !all_worked())
		usleep(10000);
	stop = 1;
	for (int i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
	/* an alarm between two looks would be counted by one alone */
	setitimer(ITIMER_REAL, &none, NULL);
	if (alarms > 10 && rounds[THREADS] == alarms)
		puts("each thread worked, alarms were counted");
	else
		printf("%d alarms, %ld of them counted twice\n", alarms, rounds[THREADS]);
	return 0;
}
