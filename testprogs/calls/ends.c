/*
 * Is killed by its child while it is where the argument says:
 *
 *   ends read       in_read, in a read
 *   ends again      in_read, in a read that was made again behind a signal's handler
 *   ends thread     in_join, and another thread in in_lock
 *   ends ended      in_read, when another thread has ended within functions
 *   ends vfork      in_vfork, whose child waits
 *   ends turns      turns, behind a read
 *   ends handler    turns, in a signal's handler that broke a read off
 *
 * or ends by itself:
 *
 *   ends exit
 *   ends exec       by another program in its place
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define OWN __attribute__((noinline, noclone))
#define QUIET 20 /* looks that find all threads waiting */

/* Shared with the child: how often something was reached, and the turns. */
static volatile int *ready;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int ends[2];

/* The loop does not begin at the first instruction: each turn would be a call. */
static OWN void turns(void)
{
	*ready += 1;
	for (;;)
		ready[1]++;
}

static OWN void in_read(void)
{
	char byte;

	*ready += 1;
	if (read(ends[0], &byte, 1) != 1)
		abort();
}

static OWN void *in_lock(void *none)
{
	*ready += 1;
	pthread_mutex_lock(&lock);
	return none;
}

static OWN void in_join(void)
{
	pthread_t thread;

	pthread_mutex_lock(&lock);
	pthread_create(&thread, NULL, in_lock, NULL);
	pthread_join(thread, NULL);
}

static OWN void *in_exit(void *none)
{
	pthread_exit(none);
}

static OWN void in_read_alone(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, in_exit, NULL);
	pthread_join(thread, NULL);
	in_read();
}

static OWN void in_vfork(void)
{
	*ready += 1;
	if (vfork() == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		pause();
		_exit(0);
	}
}

static void on_alarm(int number)
{
	(void)number;
	*ready += 1;
}

static void on_alarm_turn(int number)
{
	(void)number;
	turns();
}

/* Returns whether all threads of a process wait. */
static int is_waiting(pid_t process)
{
	char command[100];

	snprintf(command, sizeof command, "! cut -d' ' -f3 /proc/%d/task/*/stat | grep -qv '[SDT]'",
			process);
	return system(command) == 0;
}

static void kill_waiting(pid_t process, int least)
{
	int quiet = 0;

	while (*ready < least)
		usleep(1000);
	while (quiet < QUIET) {
		usleep(5000);
		quiet = is_waiting(process) ? quiet + 1 : 0;
	}
	kill(process, SIGKILL);
	_exit(0);
}

static void kill_turning(pid_t process)
{
	while (*ready == 0)
		usleep(1000);
	for (int turned = ready[1]; ready[1] == turned;)
		usleep(1000);
	kill(process, SIGKILL);
	_exit(0);
}

static OWN void handle(void (*handler)(int), int flags)
{
	struct sigaction action = { .sa_handler = handler, .sa_flags = flags };

	sigaction(SIGALRM, &action, NULL);
	ualarm(200000, 0);
	in_read();
}

static OWN void act(const char *mode)
{
	if (strcmp(mode, "read") == 0)
		in_read();
	if (strcmp(mode, "thread") == 0)
		in_join();
	if (strcmp(mode, "ended") == 0)
		in_read_alone();
	if (strcmp(mode, "handler") == 0)
		handle(on_alarm_turn, 0);
	if (strcmp(mode, "again") == 0)
		handle(on_alarm, SA_RESTART);
	if (strcmp(mode, "vfork") == 0)
		in_vfork();
	if (strcmp(mode, "exec") == 0)
		execl("/bin/true", "true", (char *)NULL);
}

int main(int argc, char **argv)
{
	const char *mode = argc > 1 ? argv[1] : "";
	int spins = strcmp(mode, "turns") == 0 || strcmp(mode, "handler") == 0;
	pid_t self = getpid();

	ready = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (ready == MAP_FAILED || pipe(ends) != 0)
		return 1;
	if (strncmp(mode, "ex", 2) != 0 && fork() == 0) {
		if (spins)
			kill_turning(self);
		else
			kill_waiting(self, strcmp(mode, "again") == 0 ? 2 : 1);
	}
	if (strcmp(mode, "turns") == 0) {
		char bytes[100];

		if (write(ends[1], bytes, sizeof bytes) != sizeof bytes
				|| read(ends[0], bytes, sizeof bytes) != sizeof bytes)
			return 1;
		turns();
	}
	act(mode);
	return 0;
}
