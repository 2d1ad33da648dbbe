/* Timers that send their signals to one thread each, and signals that only one thread takes. */
/* flags: -O1 -pthread -lrt */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif
#define THREADS 3
#define EACH 20

static __thread int own, taken;
static volatile int wrong, directed;
static pthread_barrier_t together;

static void on_timer(int number, siginfo_t *info, void *context)
{
	(void)number;
	(void)context;
	if (info->si_code != SI_TIMER || info->si_value.sival_int != own)
		wrong++;
	taken++;
}

static void on_any(int number)
{
	(void)number;
	directed += own == 2 ? 1 : 100;
}

static void *run(void *argument)
{
	struct sigevent event = { .sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGRTMIN + 1 };
	struct itimerspec often = { { 0, 500000 }, { 0, 500000 } };
	timer_t timer;
	sigset_t usr;
	long sum = 0;

	own = (int)(long)argument;
	sigemptyset(&usr);
	sigaddset(&usr, SIGUSR1);
	pthread_sigmask(own == 2 ? SIG_UNBLOCK : SIG_BLOCK, &usr, NULL);
	event.sigev_value.sival_int = own;
	event.sigev_notify_thread_id = (int)syscall(SYS_gettid);
	if (timer_create(CLOCK_MONOTONIC, &event, &timer) || timer_settime(timer, 0, &often, NULL))
		wrong += 1000;
	while (*(volatile int *)&taken < EACH)
		sum++;
	timer_delete(timer);
	pthread_barrier_wait(&together); /* all can take signals, or not */
	pthread_barrier_wait(&together);
	return (void *)(long)(taken >= EACH && sum >= 0);
}

int main(void)
{
	struct sigaction timed = { .sa_sigaction = on_timer, .sa_flags = SA_SIGINFO | SA_RESTART };
	struct sigaction any = { .sa_handler = on_any, .sa_flags = SA_RESTART };
	pthread_t threads[THREADS];
	struct timespec little = { 0, 1000000 };
	sigset_t usr;
	void *enough;

	sigemptyset(&usr);
	sigaddset(&usr, SIGUSR1);
	pthread_sigmask(SIG_BLOCK, &usr, NULL);
	sigaction(SIGRTMIN + 1, &timed, NULL);
	sigaction(SIGUSR1, &any, NULL);
	pthread_barrier_init(&together, NULL, THREADS + 1);
	for (long i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, run, (void *)(i + 1));
	pthread_barrier_wait(&together);
	for (int i = 1; i <= 5; i++) {
		kill(getpid(), SIGUSR1);
		while (directed % 100 < i && directed < 100)
			nanosleep(&little, NULL);
	}
	pthread_barrier_wait(&together);
	for (int i = 0; i < THREADS; i++) {
		pthread_join(threads[i], &enough);
		printf("thread %d: %ld\n", i + 1, (long)enough);
	}
	printf("wrong %d, directed %d\n", wrong, directed);
	return 0;
}
