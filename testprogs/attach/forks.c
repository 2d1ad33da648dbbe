/*
 * Threads that fork all the time, while another one loads and unloads libraries. Each child checks
 * its signal mask and its heap, and each thread that it still has its own mask. It runs until
 * SIGTERM comes, says what it found wrong, and ends with 0 if that is nothing.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { FORKING = 4, ENDS_WITH = 42, LONGEST = 4000 /* microseconds that a child lives */ };

static atomic_int wrong, over;
static atomic_long forks;
static sigset_t first_mask;

static void check(int good, const char *what, unsigned shown)
{
	if (good)
		return;
	wrong++;
	fprintf(stderr, "forks: %s (%x)\n", what, shown);
}

/* Returns a bit for each signal that is blocked and was not at the begin, or the reverse. */
static unsigned mask_differs(void)
{
	unsigned different = 0;
	sigset_t mask;

	pthread_sigmask(SIG_BLOCK, NULL, &mask);
	for (int number = 1; number < 32; number++)
		if (sigismember(&mask, number) != sigismember(&first_mask, number))
			different |= 1u << (number - 1);
	return different;
}

static int in_child(useconds_t lives)
{
	char *block = malloc(100);

	memset(block, 7, 100);
	if (lives)
		usleep(lives);
	if (mask_differs())
		return 1;
	for (size_t size = 10; size < 30; size++) {
		char *other = malloc(size);

		memset(other, (int)size, size);
		free(other);
	}
	return block[99] == 7 ? ENDS_WITH : 2;
}

static void *fork_often(void *argument)
{
	unsigned seed = (unsigned)(long)argument;

	while (!over) {
		useconds_t lives = (useconds_t)rand_r(&seed) % LONGEST;
		pid_t child = fork(), ended;
		int status = 0;

		if (child == 0)
			_exit(in_child(lives));
		check(child > 0, "fork", (unsigned)errno);
		ended = waitpid(child, &status, 0);
		check(ended == child, "waitpid", (unsigned)errno);
		check(WIFEXITED(status) && WEXITSTATUS(status) == ENDS_WITH, "a child's status",
				(unsigned)status);
		check(!mask_differs(), "a thread's mask", mask_differs());
		forks++;
	}
	return NULL;
}

static void *load_often(void *unused)
{
	(void)unused;
	while (!over) {
		void *library = dlopen("libm.so.6", RTLD_NOW | RTLD_LOCAL);
		double (*cosine)(double) = library ? (double (*)(double))dlsym(library, "cos") : NULL;

		check(cosine && cosine(0) == 1, "cos(0)", 0);
		if (library)
			dlclose(library);
		usleep(500);
	}
	return NULL;
}

int main(void)
{
	pthread_t thread[FORKING + 1];
	sigset_t blocked;
	int number;

	prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0); /* where Yama asks for that */
	sigemptyset(&blocked);
	sigaddset(&blocked, SIGTERM);
	sigaddset(&blocked, SIGUSR2);
	pthread_sigmask(SIG_BLOCK, &blocked, NULL);
	pthread_sigmask(SIG_BLOCK, NULL, &first_mask);
	sigdelset(&blocked, SIGUSR2);
	for (long i = 0; i < FORKING; i++)
		pthread_create(&thread[i], NULL, fork_often, (void *)i);
	pthread_create(&thread[FORKING], NULL, load_often, NULL);
	sigwait(&blocked, &number);
	over = 1;
	for (int i = 0; i <= FORKING; i++)
		pthread_join(thread[i], NULL);
	printf("forks: %ld forks, %d wrong\n", (long)forks, (int)wrong);
	return wrong != 0;
}
