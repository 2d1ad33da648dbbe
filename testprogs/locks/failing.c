/* A thread waits in vain for locks that another one has, then makes that one wait for a unit. */
#define _GNU_SOURCE
#include <pthread.h>
#include <semaphore.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

enum { WAITED = 200000, TRIES = 3 }; /* microseconds until each try to lock ends */

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
mtx_t plain;
sem_t none, units;

static struct timespec soon(void)
{
	struct timespec time;

	clock_gettime(CLOCK_REALTIME, &time);
	time.tv_nsec += WAITED * 1000;
	time.tv_sec += time.tv_nsec / 1000000000;
	time.tv_nsec %= 1000000000;
	return time;
}

static __attribute__((noinline)) int fails(void)
{
	struct timespec time = soon();

	return pthread_mutex_timedlock(&mutex, &time) != 0;
}

static void *work(void *unused)
{
	struct timespec time;
	int failed = 0;

	for (int i = 0; i < 2; i++)
		failed += fails();
	time = soon();
	failed += pthread_rwlock_timedwrlock(&rwlock, &time) != 0;
	time = soon();
	failed += mtx_timedlock(&plain, &time) != thrd_success;
	time = soon();
	failed += sem_timedwait(&none, &time) != 0;
	for (int i = 0; i < TRIES; i++)
		failed += pthread_mutex_trylock(&mutex) != 0;
	if (failed == 5 + TRIES)
		sem_post(&units);
	return unused;
}

int main(void)
{
	pthread_t thread;

	mtx_init(&plain, mtx_timed);
	sem_init(&none, 0, 0);
	sem_init(&units, 0, 0);
	pthread_mutex_lock(&mutex);
	pthread_rwlock_rdlock(&rwlock);
	mtx_lock(&plain);
	pthread_create(&thread, NULL, work, NULL);
	sem_wait(&units);
	pthread_join(thread, NULL);
	mtx_unlock(&plain);
	pthread_rwlock_unlock(&rwlock);
	pthread_mutex_unlock(&mutex);
	return 0;
}
