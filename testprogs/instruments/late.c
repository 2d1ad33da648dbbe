/*
 * A hundred functions, f100 to f199, which orders on standard input lead to: late COUNTS. In the file
 * COUNTS, which whoever adds instruments may read, it says for each thread and function how often it
 * came there, and how often it has come back.
 *
 *   pass N      the first thread calls each N times
 *   threads     from now on eight threads do so without end, and the first one no more
 *   fork N      a child calls each N times
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define THREADS 8
#define FUNCTIONS 100

struct count {
	volatile long come, passed;
};

static struct count (*counts)[FUNCTIONS];
static volatile int ended;

#define FUNCTION(number)                                                      \
	__attribute__((noinline)) static long f##number(long i, const char *text) \
	{                                                                         \
		__asm__ volatile("" : : : "memory");                                  \
		return i * number + *text;                                            \
	}
#define NAME(number) f##number,
#define TEN(what, tens)                                                                 \
	what(tens##0) what(tens##1) what(tens##2) what(tens##3) what(tens##4) what(tens##5) \
			what(tens##6) what(tens##7) what(tens##8) what(tens##9)
#define ALL(what) \
	TEN(what, 10) \
	TEN(what, 11) \
	TEN(what, 12) \
	TEN(what, 13) \
	TEN(what, 14) TEN(what, 15) TEN(what, 16) TEN(what, 17) TEN(what, 18) TEN(what, 19)

ALL(FUNCTION)
static long (*const functions[FUNCTIONS])(long, const char *) = { ALL(NAME) };

static void pass(struct count *own, long i)
{
	char *text = strdup("abc");

	for (int k = 0; k < FUNCTIONS; k++) {
		own[k].come++;
		functions[k](i, text);
		own[k].passed++;
	}
	free(text);
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
