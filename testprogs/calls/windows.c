/*
 * What windows open and close at: rounds of `before`, `frame` and `after`, each of which calls
 * `step`. It says when, by the time stamp counter: "asked TSC" in front of what may open a window,
 * "first TSC" as the first act behind that, "last TSC" as a frame's last act, "back TSC" behind it.
 *
 *   windows rounds N          N rounds
 *   windows signals N         N rounds, with SIGUSR1 to itself in front of each frame; with one
 *                             more argument, it has no handler for it
 *   windows reads             a round for each read of standard input, until it ends or has a q
 *   windows sleeps N          N rounds of 100 ms
 *   windows threads N         N rounds while another thread calls `other`
 *   windows races N           forks N children, each of which makes three rounds, while another
 *                             thread makes rounds; says how many of them ended well
 *   windows forks             a round in a child while its parent waits, and one behind it
 *   windows recurses N        `nest` calls itself N deep through one pointer
 *   windows ticks N           calls `tick` N times, 20 µs or more each, with "asked" in front of
 *                             each
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
#define MOMENTS 20000

static const char *const kinds[] = { "asked", "first", "last", "back" };
enum kind { ASKED, FIRST, LAST, BACK };

static struct {
	enum kind kind;
	unsigned long long time;
} moments[MOMENTS];
static int moment_count;

static inline void note(enum kind kind)
{
	if (moment_count < MOMENTS - 1) { /* another thread may do so, too */
		moments[moment_count].kind = kind;
		moments[moment_count++].time = __rdtsc();
	}
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
	note(FIRST);
	step();
	step();
	note(LAST);
}

static void on_signal(int number)
{
	(void)number;
	note(FIRST);
}

static void round_make(void)
{
	before();
	note(ASKED);
	frame();
	note(BACK);
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

static void say(const char *line)
{
	if (write(1, line, strlen(line)) < 0)
		exit(1);
}

static void reads(void)
{
	char bytes[64];
	ssize_t n;

	say("ready\n");
	while ((n = read(0, bytes, sizeof bytes)) > 0) {
		note(FIRST);
		round_make();
		say("ok\n");
		if (memchr(bytes, 'q', (size_t)n))
			return;
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

static void *frames_make(void *none)
{
	while (!done) {
		before();
		frame();
	}
	return none;
}

static void races(int count)
{
	int good = 0;

	for (int i = 0; i < count; i++) {
		int status;
		pid_t child = fork();

		if (child == 0) {
			for (int k = 0; k < 3; k++)
				round_make();
			_exit(7);
		}
		good += waitpid(child, &status, 0) == child && WIFEXITED(status)
				&& WEXITSTATUS(status) == 7;
	}
	printf("good %d\n", good);
	fflush(stdout);
	_exit(0); /* what the two threads noted is of no use */
}

static ALONE void tick(void)
{
	unsigned long long end = __rdtsc() + 50000;

	while (__rdtsc() < end)
		continue;
}

static void ticks(int count)
{
	for (int i = 0; i < count; i++) {
		note(ASKED);
		tick();
	}
}

static void rounds(const char *mode, int count)
{
	for (int i = 0; i < count; i++) {
		if (strcmp(mode, "signals") == 0) {
			before();
			note(ASKED);
			raise(SIGUSR1);
			frame();
			note(BACK);
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
	if (strcmp(mode, "races") == 0)
		pthread_create(&thread, NULL, frames_make, NULL);
	if (strcmp(mode, "reads") == 0)
		reads();
	else if (strcmp(mode, "races") == 0)
		races(count);
	else if (strcmp(mode, "forks") == 0)
		forks();
	else if (strcmp(mode, "recurses") == 0)
		call(count);
	else if (strcmp(mode, "ticks") == 0)
		ticks(count);
	else
		rounds(mode, count);
	done = 1;
	if (strcmp(mode, "threads") == 0)
		pthread_join(thread, NULL);
	for (int i = 0; i < moment_count; i++)
		printf("%s %llu\n", kinds[moments[i].kind], moments[i].time);
	return 0;
}
