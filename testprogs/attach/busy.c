/*
 * Threads that allocate, load libraries, fork, take signals and wait, and check all that they do. It
 * runs until SIGTERM comes, says what it found wrong, and ends with 0 if that is nothing.
 *
 * busy [THREADS [MICROSECONDS]]: so many allocate, and sleep so long after 64 blocks or so
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
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <sys/prctl.h>
#include <unistd.h>

static atomic_int wrong, over;
static atomic_long sent, taken, rounds;
static useconds_t pause_time = 200;

static void check(int good, const char *what)
{
	if (good)
		return;
	wrong++;
	fprintf(stderr, "busy: %s (errno %d)\n", what, errno);
}

static void *allocate(void *argument)
{
	unsigned char *block[32] = { 0 };
	size_t size[32] = { 0 };
	unsigned seed = (unsigned)(long)argument;

	while (!over) {
		unsigned i = (unsigned)rand_r(&seed) % 32;

		for (size_t k = 0; block[i] && k < size[i]; k++)
			if (block[i][k] != (unsigned char)(size[i] + i)) {
				check(0, "a block has another's bytes");
				break;
			}
		size[i] = 1 + (size_t)rand_r(&seed) % 3000;
		block[i] = rand_r(&seed) % 3 ? realloc(block[i], size[i])
									 : (free(block[i]), malloc(size[i]));
		memset(block[i], (int)(size[i] + i), size[i]);
		rounds++;
		if (rand_r(&seed) % 64 == 0)
			usleep(pause_time);
	}
	for (int i = 0; i < 32; i++)
		free(block[i]);
	return NULL;
}

static void *load(void *unused)
{
	(void)unused;
	while (!over) {
		void *library = dlopen("libm.so.6", RTLD_NOW | RTLD_LOCAL);
		double (*cosine)(double) = library ? (double (*)(double))dlsym(library, "cos") : NULL;
		void *other = dlopen("libz.so.1", RTLD_NOW | RTLD_LOCAL);

		check(cosine && cosine(0) == 1, "cos(0)");
		if (other)
			dlclose(other);
		if (library)
			dlclose(library);
		usleep(3000);
	}
	return NULL;
}

static void *spawn(void *unused)
{
	(void)unused;
	while (!over) {
		int status;
		pid_t child = fork();

		if (child == 0) {
			char *p = malloc(100);

			memset(p, 7, 100);
			usleep(20000); /* it ends while threads are being stopped, now and then */
			_exit(p[99] == 7 ? 42 : 1);
		}
		check(child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status)
						&& WEXITSTATUS(status) == 42,
				"a child");
		usleep(10000);
	}
	return NULL;
}

static void on_signal(int number, siginfo_t *info, void *context)
{
	char here;
	stack_t stack;

	(void)context;
	check(number == SIGUSR1 && info->si_code == SI_QUEUE && info->si_value.sival_int == 77,
			"a signal");
	check(sigaltstack(NULL, &stack) == 0 && (stack.ss_flags & SS_ONSTACK)
					&& &here > (char *)stack.ss_sp && &here < (char *)stack.ss_sp + stack.ss_size,
			"the alternate stack");
	taken++;
}

static void *signals(void *unused)
{
	stack_t stack = { .ss_sp = malloc(65536), .ss_size = 65536 };

	(void)unused;
	sigaltstack(&stack, NULL);
	while (!over) {
		long before = taken;

		sent++;
		pthread_sigqueue(pthread_self(), SIGUSR1, (union sigval){ .sival_int = 77 });
		check(taken == before + 1, "a signal is late");
		usleep(100);
	}
	stack.ss_flags = SS_DISABLE;
	sigaltstack(&stack, NULL);
	return NULL;
}

static uint64_t now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static void *waits(void *unused)
{
	int poll = epoll_create1(0), ends[2];
	struct epoll_event event = { .events = EPOLLIN };

	(void)unused;
	check(pipe(ends) == 0 && epoll_ctl(poll, EPOLL_CTL_ADD, ends[0], &event) == 0, "a pipe");
	while (!over) {
		uint64_t begun = now();
		int got = epoll_wait(poll, &event, 1, 20);

		check(got == 0, "epoll_wait");
		check(now() - begun >= 20000000, "epoll_wait came early");
	}
	return NULL;
}

static void *sleeps(void *unused)
{
	(void)unused;
	while (!over) {
		struct timespec time = { 0, 30000000 };
		uint64_t begun = now();

		check(nanosleep(&time, NULL) == 0, "nanosleep");
		check(now() - begun >= 30000000, "nanosleep came early");
	}
	return NULL;
}

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;

static void *conditions(void *unused)
{
	(void)unused;
	pthread_mutex_lock(&mutex);
	while (!over) {
		struct timespec until;

		clock_gettime(CLOCK_REALTIME, &until);
		until.tv_nsec += 5000000;
		if (until.tv_nsec >= 1000000000) {
			until.tv_sec++;
			until.tv_nsec -= 1000000000;
		}
		int result = pthread_cond_timedwait(&condition, &mutex, &until);

		check(result == ETIMEDOUT || result == 0, "pthread_cond_timedwait");
	}
	pthread_mutex_unlock(&mutex);
	return NULL;
}

int main(int count, char **arguments)
{
	const int threads = count > 1 ? atoi(arguments[1]) : 58;
	void *(*const others[])(void *) = { load, spawn, signals, waits, sleeps, conditions };
	struct sigaction action = { .sa_sigaction = on_signal, .sa_flags = SA_SIGINFO | SA_ONSTACK };
	pthread_t thread[256];
	int started = 0, number;
	sigset_t set;

	if (count > 2)
		pause_time = (useconds_t)atoi(arguments[2]);
	prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0); /* where Yama asks for that */
	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	sigaction(SIGUSR1, &action, NULL);
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		pthread_create(&thread[started++], NULL, others[i], NULL);
	for (long i = 0; i < threads && started < 256; i++)
		pthread_create(&thread[started++], NULL, allocate, (void *)i);
	sigwait(&set, &number);
	over = 1;
	while (started)
		pthread_join(thread[--started], NULL);
	check(sent == taken, "signals were lost");
	printf("busy: %ld rounds, %ld signals, %d wrong\n", (long)rounds, (long)taken, (int)wrong);
	return wrong != 0;
}
