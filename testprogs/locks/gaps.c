/*
 * Two windows of a recording, from window_opens to window_closes, and between them a gap in which
 * threads release locks, return from functions, and begin to wait. They wait for what `step` counts;
 * whether that orders them, the trace may tell or not, since it is a plain variable.
 */
#include <pthread.h>
#include <sched.h>
#include <unistd.h>

#define OWN __attribute__((noinline))

static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t second = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t kept = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t come = PTHREAD_COND_INITIALIZER;
static volatile int step, waiting, turns;
static volatile long apart;   /* stored by one thread in each window, or in the gap */
static volatile long raced;   /* stored by two threads in the second window */
static volatile long handed;  /* stored under a lock, for which another thread waits */
static volatile long guarded; /* stored in the second window under `kept` */

OWN void window_opens(void)
{
	turns++;
}
OWN void window_closes(void)
{
	turns++;
}

static void await(int at, volatile long *touched)
{
	while (step < at) {
		if (touched)
			++*touched;
		sched_yield();
	}
}

/* a call is within a window, or open where one closes, or where one opens */
OWN void repeated(int tells, int awaits, volatile long *touched)
{
	step = tells > step ? tells : step;
	await(awaits, touched);
}

OWN void within(void)
{
	asm volatile("");
}

static void *work(void *unused)
{
	await(1, NULL);
	pthread_mutex_lock(&first);
	pthread_mutex_lock(&kept);
	repeated(2, 3, NULL);
	pthread_mutex_unlock(&first);
	repeated(4, 5, &apart);
	within();
	raced++;
	guarded++;
	pthread_mutex_unlock(&kept);
	pthread_mutex_lock(&second);
	pthread_mutex_unlock(&second);
	repeated(6, 6, NULL);
	return unused;
}

static void *wait_for(void *unused)
{
	pthread_mutex_lock(&guard);
	waiting = 1;
	while (!handed)
		pthread_cond_wait(&come, &guard);
	handed++;
	pthread_mutex_unlock(&guard);
	return unused;
}

/* Returns when the other thread waits. */
static void await_waiting(void)
{
	for (int found = 0; !found;) {
		pthread_mutex_lock(&guard);
		found = waiting;
		pthread_mutex_unlock(&guard);
	}
}

int main(void)
{
	pthread_t worker, waiter;

	pthread_create(&worker, NULL, work, NULL);
	window_opens();
	step = 1;
	apart++;
	await(2, NULL);
	window_closes();
	pthread_create(&waiter, NULL, wait_for, NULL);
	await_waiting();
	usleep(50000);
	step = 3;
	await(4, NULL);
	window_opens();
	usleep(5000);
	pthread_mutex_lock(&guard);
	handed = 1;
	pthread_cond_signal(&come);
	pthread_mutex_unlock(&guard);
	pthread_join(waiter, NULL);
	step = 5;
	raced++;
	pthread_mutex_lock(&kept);
	guarded++;
	pthread_mutex_unlock(&kept);
	await(6, NULL);
	pthread_mutex_lock(&second);
	pthread_mutex_lock(&first);
	pthread_mutex_unlock(&first);
	pthread_mutex_unlock(&second);
	window_closes();
	pthread_join(worker, NULL);
	return 0;
}
