/*
 * places suspend | stack | vfork: threads that are where a process may stand when MadT comes: in
 * sigsuspend, in a handler on an alternate stack, in vfork until the child has ended. It counts what
 * it does, runs until SIGTERM comes, and says what was wrong, which is nothing.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static atomic_int ready, over, wrong;
static atomic_long taken, done;

static void check(int good, const char *what)
{
	if (good)
		return;
	wrong++;
	fprintf(stderr, "places: %s (errno %d)\n", what, errno);
}

static void on_usr1(int number)
{
	(void)number;
	taken++;
}

/* SIGUSR1 comes within sigsuspend alone. */
static void *suspend(void *unused)
{
	sigset_t none;

	(void)unused;
	sigemptyset(&none);
	sigaddset(&none, SIGTERM);
	ready = 1;
	while (!over) {
		long before = taken;

		check(sigsuspend(&none) == -1 && errno == EINTR && taken == before + 1, "sigsuspend");
		done++;
	}
	return NULL;
}

static stack_t stack;

/* Stays there until it is over. */
static void on_usr2(int number)
{
	char here;

	(void)number;
	ready = 1;
	while (!over) {
		check(&here > (char *)stack.ss_sp && &here < (char *)stack.ss_sp + stack.ss_size,
				"the alternate stack");
		usleep(100);
		done++;
	}
}

static void *on_stack(void *unused)
{
	const struct sigaction action = { .sa_handler = on_usr2, .sa_flags = SA_ONSTACK };
	stack_t now;

	(void)unused;
	stack = (stack_t){ .ss_sp = malloc(65536), .ss_size = 65536 };
	sigaltstack(&stack, NULL);
	sigaction(SIGUSR2, &action, NULL);
	raise(SIGUSR2);
	check(sigaltstack(NULL, &now) == 0 && now.ss_sp == stack.ss_sp && !now.ss_flags, "sigaltstack");
	return NULL;
}

static void *fork_often(void *unused)
{
	(void)unused;
	ready = 1;
	while (!over) {
		int status = 0;
		pid_t child = vfork();

		if (child == 0) {
			usleep(20000);
			_exit(42);
		}
		check(child > 0 && waitpid(child, &status, 0) == child && WEXITSTATUS(status) == 42,
				"a child of vfork");
		done++;
		usleep(1000);
	}
	return NULL;
}

int main(int count, char **arguments)
{
	const char *place = count > 1 ? arguments[1] : "";
	const struct sigaction action = { .sa_handler = on_usr1 };
	void *(*run)(void *) = strcmp(place, "suspend") == 0 ? suspend
			: strcmp(place, "stack") == 0                ? on_stack
														 : fork_often;
	sigset_t set;
	pthread_t thread;
	int number;

	sigaction(SIGUSR1, &action, NULL);
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigaddset(&set, SIGTERM);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	if (pthread_create(&thread, NULL, run, NULL) != 0)
		return 1;
	while (!ready)
		usleep(1000);
	puts("ready");
	fflush(stdout);
	sigdelset(&set, SIGUSR1);
	if (run == suspend)
		while (sigtimedwait(&set, NULL, &(struct timespec){ 0, 3000000 }) != SIGTERM)
			pthread_kill(thread, SIGUSR1);
	else
		sigwait(&set, &number);
	over = 1;
	if (run == suspend)
		pthread_kill(thread, SIGUSR1);
	pthread_join(thread, NULL);
	printf("%ld times, %d wrong\n", done, wrong);
	return wrong ? 1 : 0;
}
