/*
 * What windows open and close at: rounds of `before`, `frame` and `after`, each of which calls
 * `step`. It says when, by the time stamp counter: "frame 1 TSC" as a function's first act, and
 * "left 1 TSC" as its last.
 *
 *   windows rounds N          N rounds
 *   windows signals N         N rounds, with SIGUSR1 to itself in front of each frame; with one
 *                             more argument, it has no handler for it
 *   windows reads             a round for each read of standard input, until it ends
 *   windows sleeps N          N rounds of 100 ms
 *   windows threads N         N rounds while another thread calls `other`
 *   windows forks             a round in a child while its parent waits, and one behind it
 *   windows recurses N        `frame` calls itself N deep through one pointer
 */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <x86intrin.h>

#define ALONE __attribute__((noinline, noclone))

static volatile unsigned long steps, others;
static volatile int done;
#define MOMENTS 1000

static unsigned long long moments[2][MOMENTS];
static int moment_count[2];

static inline void note(int kind)
{
	if (moment_count[kind] < MOMENTS)
		moments[kind][moment_count[kind]++] = __rdtsc();
}

static ALONE void step(void)
{
	steps++;
}

static ALONE void before(void)
{
	step();
	__asm__ volatile("");
	step();
}

static ALONE void after(void)
{
	step();
	__asm__ volatile("");
}

static ALONE void frame(void)
{
	note(0);
	step();
	step();
	note(1);
}

static void on_signal(int number)
{
	(void)number;
	note(0);
}

static void round_make(void)
{
	before();
	frame();
	after();
}

static ALONE void nest(int depth);
static void (*volatile call)(int) = nest;

static ALONE void nest(int depth)
{
	step();
	if (depth > 0)
		call(depth - 1);
	__asm__ volatile("");
}

static ALONE void other(void)
{
	others++;
	__asm__ volatile("");
}

static void *others_make(void *none)
{
	while (!done)
		other();
	return none;
}

static void reads(void)
{
	char bytes[64];
	ssize_t n;

	while ((n = read(0, bytes, sizeof bytes)) > 0) {
		note(1);
		round_make();
		if (write(1, "ok\n", 3) != 3)
			exit(1);
	}
}

static void forks(void)
{
	int status;
	pid_t child = fork();

	if (child == 0) {
		round_make();
		exit(0);
	}
	waitpid(child, &status, 0);
	round_make();
}

static void rounds(const char *mode, int count)
{
	for (int i = 0; i < count; i++) {
		if (strcmp(mode, "signals") == 0) {
			before();
			raise(SIGUSR1);
			frame();
			after();
			continue;
		}
		if (strcmp(mode, "sleeps") == 0)
			usleep(100000);
		round_make();
	}
}

int main(int argc, char **argv)
{
	const char *mode = argc > 1 ? argv[1] : "rounds";
	int count = argc > 2 ? atoi(argv[2]) : 1;
	pthread_t thread;

	if (strcmp(mode, "signals") == 0 && argc < 4)
		signal(SIGUSR1, on_signal);
	if (strcmp(mode, "threads") == 0)
		pthread_create(&thread, NULL, others_make, NULL);
	if (strcmp(mode, "reads") == 0)
		reads();
	else if (strcmp(mode, "forks") == 0)
		forks();
	else if (strcmp(mode, "recurses") == 0)
		call(count);
	else
		rounds(mode, count);
	done = 1;
	if (strcmp(mode, "threads") == 0)
		pthread_join(thread, NULL);
	for (int k = 0; k < 2; k++)
		for (int i = 0; i < moment_count[k]; i++)
			printf("%s %d %llu\n", k ? "left" : "frame", i, moments[k][i]);
	return 0;
}
