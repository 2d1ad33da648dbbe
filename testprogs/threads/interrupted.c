/*
 * interrupted THREADS ROUNDS: every thread has two timers, whose handlers make accesses of their
 * own and may interrupt one another.
 */
#include <signal.h>
#include <time.h>

#include "known.h"

#define ROW 4
#define SOON_NS 50000
#define HANDLED 96 /* words from here on are the handler's */

static long rounds;
static const int signals[] = { SIGUSR1, SIGUSR2 };
static __thread timer_t timer[2];

static void timer_arm(int which)
{
	struct itimerspec once = { { 0, 0 }, { 0, SOON_NS } };

	if (timer_settime(timer[which], 0, &once, NULL))
		abort();
}

/* Armed anew at its end, so that the thread goes on in between, however slow it is. */
static void handle(int number)
{
	int which = number == signals[1];
	long own = HANDLED + 8 * which;

	known_add(own, 1);
	known_fill(own + 1, 3, known_load(own));
	known_add_locked(WORDS - 1, 1);
	timer_arm(which);
}

static void timers_start(void)
{
	struct sigevent event = { .sigev_notify = SIGEV_THREAD_ID,
		._sigev_un = { ._tid = (pid_t)own_thread() } };

	for (int i = 0; i < 2; i++) {
		event.sigev_signo = signals[i];
		if (timer_create(CLOCK_MONOTONIC, &event, &timer[i]))
			abort();
		timer_arm(i);
	}
}

static void timers_stop(void)
{
	sigset_t all;

	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, NULL);
	timer_delete(timer[0]);
	timer_delete(timer[1]);
}

static void *work(void *number)
{
	long first = (long)number * ROW;

	timers_start();
	for (long i = 0; i < rounds; i++) {
		known_store(first, i);
		known_fill(first + 1, 3, i);
		known_add(first, known_load(first + 1));
		known_copy(first + 2, first, 2);
		known_add_locked(first + 3, 1);
	}
	timers_stop();
	known_end();
	return NULL;
}

int main(int count, char **arguments)
{
	struct sigaction action = { .sa_handler = handle, .sa_flags = SA_RESTART };

	if (count < 3 || atol(arguments[1]) > HANDLED / ROW)
		return 2;
	rounds = atol(arguments[2]);
	sigaction(signals[0], &action, NULL);
	sigaction(signals[1], &action, NULL);
	known_begin();
	threads_run(atol(arguments[1]), work);
	return 0;
}
