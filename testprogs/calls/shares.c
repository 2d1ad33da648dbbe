/*
 * Two threads compute on one processor, each until it has had it for some time: so each is
 * preempted about as long. Then main rests. Prints the nanoseconds that both had the processor in
 * `computes`, by the kernel's clocks of threads.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <time.h>

#define ALONE __attribute__((noinline, noclone))
#define ENOUGH 150000000L
#define SECOND 1000000000L

static volatile unsigned long steps;

static long had(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return now.tv_sec * SECOND + now.tv_nsec;
}

ALONE static void computes(long until)
{
	while (had() < until)
		for (unsigned long i = 0; i < 100000; i++)
			steps += i;
}

static void *runs(void *used)
{
	long begin = had();

	computes(begin + ENOUGH);
	*(long *)used = had() - begin;
	return NULL;
}

ALONE static void rests(void)
{
	nanosleep(&(struct timespec){ 0, 50000000 }, NULL);
}

int main(void)
{
	cpu_set_t one;
	pthread_t other;
	long used[2] = { 0, 0 };

	CPU_ZERO(&one);
	CPU_SET(sched_getcpu(), &one);
	sched_setaffinity(0, sizeof(one), &one);
	pthread_create(&other, NULL, runs, &used[0]);
	runs(&used[1]);
	pthread_join(other, NULL);
	rests();
	printf("%ld\n", used[0] + used[1]);
	return 0;
}
