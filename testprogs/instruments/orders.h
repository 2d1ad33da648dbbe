/*
 * Eight threads come to a hundred places, as orders on standard input say. In a file, which whoever
 * looks at the places may read, stands for each thread and place how often it came there, and how
 * often it has come past.
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
#define PLACES 100

struct count {
	volatile long come, passed;
};

static struct count (*counts)[PLACES];
static volatile int ended;

/* Comes to each place once, in the program that includes this. */
static void pass(struct count *own, long i);
/* Obeys orders of that program alone. */
static void obey_more(const char *order, long times);

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
	obey_more(order, times);
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
