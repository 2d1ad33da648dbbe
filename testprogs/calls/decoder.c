/*
 * Decodes 25 frames in a second, as a player does: each takes a part of its 40 ms. In the tenth one
 * another thread of higher priority, called hog, takes the processor for a while. Status 77: this
 * may not be set up here.
 */
#define _GNU_SOURCE
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define FRAMES 20
#define LATE_FRAME 10

struct shared {
	volatile int wanted, done, ready;
};

static struct shared *shared;

static long now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Sleeps until it is wanted, then works for 300 ms under another name. */
static void hog(void)
{
	const struct sched_param parameter = { .sched_priority = 1 };
	long begun;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	shared->ready = sched_setscheduler(0, SCHED_FIFO, &parameter) == 0 ? 1 : -1;
	while (!shared->wanted)
		usleep(1000);
	prctl(PR_SET_NAME, "hog"); /* it has been seen under another name */
	begun = now_ms();
	while (now_ms() - begun < 300)
		;
	shared->done = 1;
}

__attribute__((noinline)) static void decode_frame(int number)
{
	for (volatile int i = 0; i < 2000000; i++)
		;
	shared->wanted = number == LATE_FRAME;
	while (number == LATE_FRAME && !shared->done)
		;
}

int main(void)
{
	cpu_set_t first;
	pid_t child;

	CPU_ZERO(&first);
	CPU_SET(sched_getcpu(), &first);
	shared = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (sched_setaffinity(0, sizeof first, &first) != 0)
		return 77;
	child = fork();
	if (child == 0) {
		hog();
		_exit(0);
	}
	while (!shared->ready)
		usleep(1000);
	if (shared->ready < 0)
		return 77;
	for (int i = 0; i < FRAMES; i++) {
		decode_frame(i);
		usleep(20000);
	}
	waitpid(child, 0, 0);
	return 0;
}
