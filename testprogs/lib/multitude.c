/*
 * Many of one kind, whose accesses are known:
 *
 *   processes N AT_ONCE   children of fork, each of which stores 101 times into `touched`
 *   programs N            children that execute this program, which does so
 *   threads N AT_ONCE     threads, likewise
 *   sleepers N            threads, likewise, all of which sleep until the last one has stored
 *   mappings N            of a page, private and shared ones by turns, which the kernel does not
 *                         join; a store into each in `fill`
 *   libraries N ROUNDS F  copies F.0, F.1 … of libcounted.so, opened and closed so often
 */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define STORES 101
#define MOST 70000

static volatile long touched[8192];
static char *place[MOST];

__attribute__((noinline)) static void touch(int i)
{
	for (int n = 0; n < STORES; n++)
		touched[i % 8192] = n;
}

static void check(int right, const char *what)
{
	if (!right) {
		perror(what);
		exit(1);
	}
}

static void await_child(void)
{
	int status;

	check(wait(&status) > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 7, "wait");
}

static void processes(int count, int at_once)
{
	for (int i = 0; i < count; i++) {
		pid_t child = i >= at_once ? (await_child(), fork()) : fork();

		check(child >= 0, "fork");
		if (!child) {
			touch(i);
			_exit(7);
		}
	}
	for (int i = 0; i < at_once && i < count; i++)
		await_child();
}

static void programs(int count, char *self)
{
	for (int i = 0; i < count; i++) {
		pid_t child = fork();

		check(child >= 0, "fork");
		if (!child) {
			execl(self, self, "leaf", (char *)NULL);
			_exit(1);
		}
		await_child();
	}
}

static pthread_barrier_t *meeting;

static void *thread(void *number)
{
	touch((int)(long)number);
	if (meeting)
		pthread_barrier_wait(meeting);
	return NULL;
}

static void threads(int count, int at_once)
{
	pthread_t *made = calloc((size_t)at_once, sizeof *made);

	for (int i = 0; i < count; i += at_once) {
		for (int k = 0; k < at_once; k++)
			check(!pthread_create(&made[k], NULL, thread, (void *)(long)(i + k)), "pthread_create");
		for (int k = 0; k < at_once; k++)
			pthread_join(made[k], NULL);
	}
	free(made);
}

static void sleepers(int count)
{
	static pthread_barrier_t all;

	check(!pthread_barrier_init(&all, NULL, (unsigned)count), "pthread_barrier_init");
	meeting = &all;
	threads(count, count);
}

__attribute__((noinline)) static void fill(int i)
{
	*(volatile char *)place[i] = (char)i;
}

static void mappings(int count)
{
	for (int i = 0; i < count; i++) {
		place[i] = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
				(i & 1 ? MAP_SHARED : MAP_PRIVATE) | MAP_ANONYMOUS, -1, 0);
		check(place[i] != MAP_FAILED, "mmap");
	}
	for (int i = 0; i < count; i++)
		fill(i);
	for (int i = 0; i < count; i++)
		munmap(place[i], 4096);
}

static void libraries(int count, int rounds, const char *file)
{
	void *handle[512];
	char name[4096];

	for (int round = 0; round < rounds; round++) {
		for (int i = 0; i < count; i++) {
			snprintf(name, sizeof name, "%s.%d", file, i);
			handle[i] = dlopen(name, RTLD_NOW | RTLD_LOCAL);
			check(handle[i] != NULL, name);
			((int (*)(void))dlsym(handle[i], "count"))();
		}
		for (int i = 0; i < count; i++)
			dlclose(handle[i]);
	}
}

int main(int argc, char **argv)
{
	int count = argc > 2 ? atoi(argv[2]) : 0, second = argc > 3 ? atoi(argv[3]) : 0;

	if (argc > 1 && !strcmp(argv[1], "leaf")) {
		touch(0);
		return 7;
	}
	if (!strcmp(argv[1], "processes"))
		processes(count, second);
	else if (!strcmp(argv[1], "programs"))
		programs(count, argv[0]);
	else if (!strcmp(argv[1], "threads"))
		threads(count, second);
	else if (!strcmp(argv[1], "sleepers"))
		sleepers(count);
	else if (!strcmp(argv[1], "mappings"))
		mappings(count);
	else
		libraries(count, second, argv[4]);
	puts("done");
	return 0;
}
