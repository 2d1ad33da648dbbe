/*
 * Many windows open and close at markers while threads are in the midst of records that nobody
 * reads. What each of them stores once it knows that a window is open must be recorded: no thread
 * may stay behind because another one was slow.
 *
 *   windows COUNT
 */
#include "madt.h"

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define THREADS 4
#define STORES 31
#define NUMBERS 64

static volatile uint32_t stored[THREADS][STORES];
static volatile int open; /* the window's number; 0: none is open */
static volatile int ended;
static volatile int done[THREADS];
static unsigned wrong;

/* Records of many words: a thread is nearly always in the midst of one. */
__attribute__((noinline)) static uint64_t work(volatile uint64_t *numbers, unsigned seed)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i + 8 <= NUMBERS; i += 8) {
		numbers[i] = seed;
		numbers[i + 1] = seed + 1;
		numbers[i + 2] = seed + 2;
		numbers[i + 3] = seed + 3;
		numbers[i + 4] = seed + 4;
		numbers[i + 5] = seed + 5;
		numbers[i + 6] = seed + 6;
		numbers[i + 7] = seed + 7;
	}
	for (unsigned i = 0; i < NUMBERS; i++)
		sum += numbers[i];
	return sum;
}

static void *worker(void *argument)
{
	uintptr_t number = (uintptr_t)argument;
	static volatile uint64_t numbers[THREADS][NUMBERS];
	unsigned seed = 0;

	while (!ended) {
		if (work(numbers[number], seed) != (uint64_t)NUMBERS * seed + NUMBERS / 8 * 28)
			__atomic_fetch_add(&wrong, 1, __ATOMIC_RELAXED);
		seed++;
		int window = open;

		if (!window || window == done[number])
			continue;
		for (uint32_t i = 0; i < STORES; i++)
			stored[number][i] = i;
		done[number] = window;
		while (open == window)
			usleep(100);
	}
	return NULL;
}

static int behind(int window)
{
	for (int i = 0; i < THREADS; i++)
		if (done[i] != window)
			return 1;
	return 0;
}

int main(int argc, char **argv)
{
	int windows = argc > 1 ? atoi(argv[1]) : 1;
	pthread_t thread[THREADS];

	for (uintptr_t i = 0; i < THREADS; i++)
		pthread_create(&thread[i], NULL, worker, (void *)i);
	for (int window = 1; window <= windows; window++) {
		usleep(1000 + (unsigned)window % 7 * 311);
		MadT_start();
		open = window;
		while (behind(window))
			usleep(100);
		open = 0;
		MadT_stop();
	}
	ended = 1;
	for (int i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
	printf("area %p %zu\nstores %d\ntimes %d\nwrong %u\n", (void *)stored, sizeof stored,
			windows * THREADS * STORES, windows, wrong);
	return wrong != 0;
}
