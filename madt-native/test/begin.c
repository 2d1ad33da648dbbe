/*
 * Recording begins at a marker while threads are in all kinds of code, while one of them loads and
 * unloads a library, another one forks, and signals come. Everything must come out as it does
 * otherwise. What the threads store once they know that recording has begun, they say, and that
 * must be recorded, no more and no less.
 *
 *   begin SEED      how long after its beginning: so many times 61 microseconds
 */
#include "madt.h"

#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#define THREADS 4
#define STORES 1009

static volatile uint32_t stored[THREADS][STORES];
static volatile int started;
static volatile unsigned long signals_seen;
static pid_t process, parent;
static volatile unsigned wrong, rounds[THREADS + 2];

static int by_size(const void *a, const void *b)
{
	return *(const int *)a < *(const int *)b ? -1 : *(const int *)a > *(const int *)b;
}

/* Loads and stores of many kinds, by libc and by the program itself. */
__attribute__((noinline)) static unsigned work(unsigned seed)
{
	int numbers[97];
	char text[128], copy[128];
	uint64_t sum = 0;

	for (unsigned i = 0; i < 97; i++)
		numbers[i] = (int)((seed + i) * 2654435761u >> 8);
	qsort(numbers, 97, sizeof *numbers, by_size);
	for (unsigned i = 1; i < 97; i++)
		if (numbers[i - 1] > numbers[i])
			return 1;
	snprintf(text, sizeof text, "%u %x %s %.3f", seed, seed, "text", seed / 8.0);
	strcpy(copy, text);
	if (strcmp(copy, text) || strtoul(copy, NULL, 10) != seed)
		return 1;
	for (unsigned i = 0; i < 97; i++)
		sum += (uint64_t)numbers[i] * i;
	void *block = malloc(16 + seed % 512);
	memset(block, (int)seed, 16 + seed % 512);
	sum += *(unsigned char *)block;
	free(block);
	return sum == 0;
}

/* Of what a handler may call. */
static void on_alarm(int number)
{
	char text[64], copy[64];

	memset(text, 'a' + number % 16, sizeof text - 1);
	text[sizeof text - 1] = 0;
	strcpy(copy, text);
	signals_seen++;
	wrong += strlen(copy) != sizeof copy - 1;
}

static void *worker(void *argument)
{
	unsigned number = (unsigned)(uintptr_t)argument;

	for (unsigned i = 0; !started; i++) {
		wrong += work(i * THREADS + number);
		wrong += getpid() != process || getppid() != parent; /* their windows come before */
		rounds[number]++;
	}
	for (uint32_t i = 0; i < STORES; i++)
		stored[number][i] = i;
	return NULL;
}

static void *loader(void *none)
{
	while (!started) {
		void *library = dlopen("libBrokenLocale.so.1", RTLD_NOW); /* a small one */
		size_t (*most)(void) = (size_t(*)(void))dlsym(library, "__ctype_get_mb_cur_max");

		wrong += most() != 1;
		dlclose(library);
		rounds[THREADS]++;
	}
	return none;
}

static void *forker(void *none)
{
	while (!started) {
		int status;
		pid_t child = fork();

		if (!child)
			_exit(work(11) ? 1 : 7);
		wrong += child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status)
				|| WEXITSTATUS(status) != 7;
		rounds[THREADS + 1]++;
	}
	return none;
}

int main(int argc, char **argv)
{
	struct itimerval often = { { 0, 19937 }, { 0, 9973 } }, never = { { 0, 0 }, { 0, 0 } };
	pthread_t thread[THREADS + 2];

	process = getpid();
	parent = getppid();
	signal(SIGALRM, on_alarm);
	setitimer(ITIMER_REAL, &often, NULL);
	for (uintptr_t i = 0; i < THREADS; i++)
		pthread_create(&thread[i], NULL, worker, (void *)i);
	pthread_create(&thread[THREADS], NULL, loader, NULL);
	pthread_create(&thread[THREADS + 1], NULL, forker, NULL);
	usleep(10000 + (argc > 1 ? (unsigned)atoi(argv[1]) : 0) * 61);
	MadT_start();
	started = 1;
	for (int i = 0; i < THREADS + 2; i++)
		pthread_join(thread[i], NULL);
	setitimer(ITIMER_REAL, &never, NULL);
	printf("area %p %zu\nstores %d\nwrong %u\n", (void *)stored, sizeof stored, THREADS * STORES,
			wrong);
	fprintf(stderr, "rounds %u %u %u %u, libraries %u, forks %u, signals %lu\n", rounds[0],
			rounds[1], rounds[2], rounds[3], rounds[THREADS], rounds[THREADS + 1], signals_seen);
	return wrong != 0;
}
