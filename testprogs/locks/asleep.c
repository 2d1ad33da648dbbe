/*
 * A thread sleeps in a system call while a window of the recording opens, and stores when it wakes,
 * without another call that MadT would see.
 */
#include <pthread.h>
#include <sched.h>
#include <unistd.h>

static volatile long stored;
static volatile int turns, sleeping;

__attribute__((noinline)) void window_opens(void)
{
	turns++;
}

static void *work(void *unused)
{
	sleeping = 1;
	usleep(100000);
	for (int i = 0; i < 1000; i++)
		stored++;
	return unused;
}

int main(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, work, NULL);
	while (!sleeping)
		sched_yield();
	usleep(20000);
	window_opens();
	pthread_join(thread, NULL);
	return 0;
}
