/* Threads that allocate, lock and print while a timer interrupts them. stress SECONDS: never a crash, never a hang. */
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

int main(int argc, char **argv)
{
	struct itimerval timer = {{0, 2000}, {0, 2000}};
	time_t end = time(NULL) + (argc > 1 ? atoi(argv[1]) : 5);
	pthread_t thread[THREADS];
	int all = 1;

	rounds = calloc(THREADS + 1, sizeof *rounds);
	signal(SIGALRM, on_alarm);
	setitimer(ITIMER_REAL, &timer, NULL);
	for (long i = 0; i < THREADS; i++)
		pthread_create(&thread[i], NULL, work, (void *)i);
	while (time(NULL) < end)
		usleep(10000);
	stop = 1;
	for (int i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
	for (int i = 0; i < THREADS; i++)
		all &= rounds[i] > 0;
	printf("all threads worked %d, alarms counted %d\n", all, alarms > 10 && rounds[THREADS] == alarms);
	return 0;
}
