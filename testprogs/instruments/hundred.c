/*
 * A hundred triggers, which orders on standard input lead to: hundred COUNTS. In the file COUNTS,
 * which whoever switches them may read, it says for each thread and trigger how often it came there,
 * and how often it has come past.
 *
 *   pass N      the first thread comes N times to each
 *   windows N   the same once in each of N windows, and once between two
 *   open, close one window
 *   threads     from now on eight threads do so without end, and the first one no more
 *   fork N      a child comes N times to each
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <madt.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define THREADS 8
#define TRIGGERS 100

struct count {
	volatile long come, passed;
};

static struct count (*counts)[TRIGGERS];
static volatile int ended;
static int windows;

#define TRIGGER(tens, ones)                                    \
	own[10 * (tens) + (ones)].come++;                          \
	MADT_EVENT(t##tens##ones, i, ~i, 1000 + 10 * tens + ones); \
	own[10 * (tens) + (ones)].passed++;
#define TEN(tens)    \
	TRIGGER(tens, 0) \
	TRIGGER(tens, 1) \
	TRIGGER(tens, 2) \
	TRIGGER(tens, 3) \
	TRIGGER(tens, 4) \
	TRIGGER(tens, 5) TRIGGER(tens, 6) TRIGGER(tens, 7) TRIGGER(tens, 8) TRIGGER(tens, 9)

__attribute__((noinline)) static void pass(struct count *own, long i)
{
	TEN(0)
	TEN(1)
	TEN(2)
	TEN(3)
	TEN(4)
	TEN(5)
	TEN(6)
	TEN(7)
	TEN(8)
	TEN(9)
}

__attribute__((noinline)) void open_up(void)
{
	windows++;
	__asm__ volatile("" : : : "memory");
}

__attribute__((noinline)) void shut(void)
{
	windows--;
	__asm__ volatile("" : : : "memory");
}

static void *work(void *number)
{
	for (long i = 0; !ended; i++) {
		pass(counts[(long)number], i);
		if (i % 16 == 0)
			usleep(100);
	}
	return NULL;
}

static void passes(long times)
{
	for (long i = 0; i < times; i++)
		pass(counts[0], i);
}

static void obey(const char *order, long times)
{
	pthread_t thread;

	if (strcmp(order, "pass") == 0)
		passes(times);
	for (long i = 0; i < times && strcmp(order, "windows") == 0; i++) {
		open_up();
		pass(counts[0], i);
		shut();
		pass(counts[0], i);
	}
	if (strcmp(order, "open") == 0)
		open_up();
	if (strcmp(order, "close") == 0)
		shut();
	for (long i = 0; i < THREADS && strcmp(order, "threads") == 0; i++)
		if (pthread_create(&thread, NULL, work, (void *)i) != 0)
			exit(1);
	if (strcmp(order, "fork") == 0) {
		if (fork() == 0) {
			passes(times);
			_exit(0);
		}
		wait(NULL);
	}
}

int main(int arguments, char **argument)
{
	int file = arguments == 2 ? open(argument[1], O_RDWR | O_CREAT, 0600) : -1;
	char order[80], name[20];

	if (file < 0 || ftruncate(file, sizeof *counts * THREADS) != 0)
		return 1;
	counts = mmap(NULL, sizeof *counts * THREADS, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
	if (counts == MAP_FAILED)
		return 1;
	while (fgets(order, sizeof order, stdin)) {
		long times = 0;

		if (sscanf(order, "%19s %ld", name, &times) < 1)
			return 1;
		obey(name, times);
		puts("done");
		fflush(stdout);
	}
	ended = 1;
	usleep(1000);
	return 0;
}
