/*
 * One thread waits for a condition while the mutex is free, and then for the mutex, which the other
 * one has for a while.
 */
#include <pthread.h>
#include <stddef.h>
#include <unistd.h>

enum { FREE_MICROSECONDS = 200000, HELD_MICROSECONDS = 50000 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t other = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ready;

static void *wait_for_both(void *unused)
{
	pthread_mutex_lock(&mutex);
	while (!ready)
		pthread_cond_wait(&changed, &mutex);
	pthread_mutex_unlock(&mutex);
	pthread_mutex_lock(&other);
	pthread_mutex_unlock(&other);
	return unused;
}

int main(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, wait_for_both, NULL);
	usleep(FREE_MICROSECONDS);
	pthread_mutex_lock(&other);
	pthread_mutex_lock(&mutex);
	ready = 1;
	pthread_mutex_unlock(&mutex);
	pthread_cond_signal(&changed);
	usleep(HELD_MICROSECONDS);
	pthread_mutex_unlock(&other);
	pthread_join(thread, NULL);
	return 0;
}
