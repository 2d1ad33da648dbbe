/*
 * One thread waits for a condition while the mutex is free, and then for another mutex, which the
 * first thread has for a while.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { FREE_MICROSECONDS = 200000, HELD_MICROSECONDS = 50000 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t other = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ready;
static volatile pid_t waiter;
static volatile int step; /* of the other thread: what it waits for next */

static void *wait_for_both(void *unused)
{
	waiter = gettid();
	step = 1;
	pthread_mutex_lock(&mutex);
	while (!ready)
		pthread_cond_wait(&changed, &mutex);
	pthread_mutex_unlock(&mutex);
	step = 2;
	pthread_mutex_lock(&other);
	pthread_mutex_unlock(&other);
	return unused;
}

/* Returns once the other thread waits in this step: in the system call futex. */
static void await_waiter(int wanted)
{
	char name[64], call[8] = "";
	FILE *file;

	while (strncmp(call, "202 ", 4)) {
		usleep(1000);
		if (step != wanted)
			continue;
		snprintf(name, sizeof name, "/proc/self/task/%d/syscall", (int)waiter);
		file = fopen(name, "r");
		if (!file)
			return;
		if (!fgets(call, sizeof call, file))
			call[0] = 0;
		fclose(file);
	}
}

int main(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, wait_for_both, NULL);
	await_waiter(1);
	usleep(FREE_MICROSECONDS);
	pthread_mutex_lock(&other);
	pthread_mutex_lock(&mutex);
	ready = 1;
	pthread_mutex_unlock(&mutex);
	pthread_cond_signal(&changed);
	await_waiter(2);
	usleep(HELD_MICROSECONDS);
	pthread_mutex_unlock(&other);
	pthread_join(thread, NULL);
	return 0;
}
