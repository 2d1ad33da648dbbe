/*
 * Threads that map, move and unmap at the same time: what one gives back the next one gets at once.
 * map_threads SECONDS: nothing is ever found where it should not be, and no access fails. It takes
 * longer, up to two minutes, where a thread has not come to it by then.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>

#define THREADS 6
#define PAGE 4096
#define LONGEST 120

static volatile int stop;
static long wrong;
static volatile long rounds[THREADS + 1];
static volatile int *shared; /* its protection is set again and again, to what it is */

static char *map(size_t size, int flags)
{
	char *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | flags, -1, 0);

	if (p == MAP_FAILED)
		exit(2);
	return p;
}

static void note(int bad)
{
	__atomic_fetch_add(&wrong, bad != 0, __ATOMIC_RELAXED);
}

static void *work(void *argument)
{
	long number = (long)argument;

	while (!stop) {
		char *p = map(8 * PAGE, 0), *q = map(4 * PAGE, MAP_STACK), *moved;

		note(p[0] | p[7 * PAGE] | q[PAGE]);
		p[0] = p[7 * PAGE] = q[PAGE] = (char)(number + 1);
		munmap(p + 2 * PAGE, 2 * PAGE);
		if (mmap(p + 6 * PAGE, 2 * PAGE, PROT_READ | PROT_WRITE,
					MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0)
				!= p + 6 * PAGE)
			exit(2);
		note(p[0] != number + 1 || p[7 * PAGE] || q[PAGE] != number + 1);
		moved = mremap(q, 4 * PAGE, 9 * PAGE, MREMAP_MAYMOVE);
		if (moved == MAP_FAILED)
			exit(2);
		note(moved[PAGE] != number + 1 || moved[8 * PAGE]);
		note(munmap(p + 1, PAGE) == 0);
		munmap(p, 8 * PAGE);
		munmap(moved, 9 * PAGE);
		rounds[number]++;
	}
	return NULL;
}

static void *protect(void *argument)
{
	while (!stop) {
		shared[0]++;
		note(mprotect((void *)shared, PAGE, PROT_READ | PROT_WRITE));
	}
	return argument;
}

static int all_worked(void)
{
	int all = 1;

	for (int i = 0; i < THREADS; i++)
		all &= rounds[i] > 0;
	return all;
}

int main(int argc, char **argv)
{
	time_t end = time(NULL) + (argc > 1 ? atoi(argv[1]) : 3);
	pthread_t thread[THREADS + 1];

	shared = (volatile int *)map(PAGE, 0);
	for (long i = 0; i < THREADS; i++)
		pthread_create(&thread[i], NULL, work, (void *)i);
	pthread_create(&thread[THREADS], NULL, protect, NULL);
	while (time(NULL) < end || (!all_worked() && time(NULL) < end + LONGEST))
		shared[1]++;
	stop = 1;
	for (int i = 0; i <= THREADS; i++)
		pthread_join(thread[i], NULL);
	printf("all threads worked %d, wrong %ld\n", all_worked(), wrong);
	return 0;
}
