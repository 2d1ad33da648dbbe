/*
 * Threads that get their names in all ways, and say on standard output what they are called: a line
 * "pid tid name" for each when it has its last name, from the kernel. Each then adds to a counter of
 * its own.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define WORKERS 4
#define ROUNDS 1000

static volatile long counters[WORKERS + 3];
static pthread_barrier_t named;

static void say(long tid)
{
	char path[64], name[64] = "";
	int fd;

	snprintf(path, sizeof path, "/proc/self/task/%ld/comm", tid);
	fd = open(path, O_RDONLY);
	if (fd < 0 || read(fd, name, sizeof name - 1) <= 0)
		_exit(1);
	close(fd);
	name[strcspn(name, "\n")] = 0;
	printf("%d %ld %s\n", getpid(), tid, name);
	fflush(stdout);
}

static void count(int counter)
{
	for (int i = 0; i < ROUNDS; i++)
		counters[counter]++;
}

/* Counts first under the name that it was born with. */
static void *by_itself(void *number)
{
	char name[16];
	int n = (int)(long)number;

	count(n);
	snprintf(name, sizeof name, "worker-%d", n);
	if (n % 2)
		pthread_setname_np(pthread_self(), name);
	else
		prctl(PR_SET_NAME, name);
	count(n);
	say(syscall(SYS_gettid));
	return NULL;
}

static volatile long told;

static void *by_others(void *unused)
{
	(void)unused;
	told = syscall(SYS_gettid);
	pthread_barrier_wait(&named);
	pthread_barrier_wait(&named);
	count(WORKERS);
	say(syscall(SYS_gettid));
	return NULL;
}

/* Neither says anything before it ends. */
static void *nameless(void *unused)
{
	(void)unused;
	count(WORKERS + 1);
	say(syscall(SYS_gettid));
	return NULL;
}

static void run(void *(*work)(void *), void *argument)
{
	pthread_t thread;

	pthread_create(&thread, NULL, work, argument);
	pthread_join(thread, NULL);
}

int main(void)
{
	pthread_t thread;

	for (long i = 0; i < WORKERS; i++)
		run(by_itself, (void *)i);
	pthread_barrier_init(&named, NULL, 2);
	pthread_create(&thread, NULL, by_others, NULL);
	pthread_barrier_wait(&named);
	if (pthread_setname_np(thread, "by a friend"))
		return 1;
	pthread_barrier_wait(&named);
	pthread_join(thread, NULL);
	run(nameless, NULL);
	prctl(PR_SET_NAME, "ma\303\261ana, at all too long");
	if (fork() == 0) {
		run(nameless, NULL);
		prctl(PR_SET_NAME, "a child");
		count(WORKERS + 2);
		say(getpid());
		return 0;
	}
	wait(NULL);
	say(getpid());
	return 0;
}
