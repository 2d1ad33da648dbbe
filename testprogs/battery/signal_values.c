/* Signals with values: order of real-time signals, sigwaitinfo, signalfd, timers, blocked and pending ones. */
/* flags: -O1 -pthread -lrt */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int order[64], count;

static void handler(int number, siginfo_t *info, void *context)
{
	(void)context;
	order[count++] = (number >= SIGRTMIN ? number - SIGRTMIN : number) * 100
			+ info->si_value.sival_int;
}

static void show(const char *what)
{
	printf("%s:", what);
	for (int i = 0; i < count; i++)
		printf(" %d", order[i]);
	printf("\n");
	count = 0;
}

static void send_all(void)
{
	for (int i = 0; i < 12; i++)
		sigqueue(getpid(), SIGRTMIN + 3 - i % 4, (union sigval){ .sival_int = i });
	for (int i = 0; i < 3; i++)
		sigqueue(getpid(), SIGUSR1, (union sigval){ .sival_int = i });
	sigqueue(getpid(), SIGTRAP, (union sigval){ .sival_int = 7 });
	sigqueue(getpid(), SIGTRAP, (union sigval){ .sival_int = 8 });
}

int main(void)
{
	struct sigaction action = { .sa_sigaction = handler, .sa_flags = SA_SIGINFO };
	struct signalfd_siginfo seen;
	struct timespec none = { 0, 0 };
	struct sigevent event = { .sigev_notify = SIGEV_SIGNAL, .sigev_value.sival_int = 33 };
	struct itimerspec soon = { .it_value.tv_nsec = 1000000 };
	sigset_t set, pending;
	siginfo_t info;
	timer_t timer;
	int number, descriptor;

	sigfillset(&action.sa_mask), sigemptyset(&set);
	for (int i = 0; i < 4; i++)
		sigaction(SIGRTMIN + i, &action, NULL), sigaddset(&set, SIGRTMIN + i);
	sigaction(SIGUSR1, &action, NULL), sigaction(SIGTRAP, &action, NULL);
	sigaddset(&set, SIGUSR1), sigaddset(&set, SIGTRAP);
	sigprocmask(SIG_BLOCK, &set, NULL);
	send_all();
	sigpending(&pending);
	printf("pending %d %d %d %d\n", sigismember(&pending, SIGRTMIN), sigismember(&pending, SIGUSR1),
			sigismember(&pending, SIGTRAP), sigismember(&pending, SIGUSR2));
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	show("handlers");
	sigprocmask(SIG_BLOCK, &set, NULL);
	send_all();
	while ((number = sigtimedwait(&set, &info, &none)) > 0)
		order[count++] = (number >= SIGRTMIN ? number - SIGRTMIN : number) * 100
				+ info.si_value.sival_int;
	show(errno == EAGAIN ? "waited" : "failed");
	send_all();
	descriptor = signalfd(-1, &set, SFD_NONBLOCK);
	while (read(descriptor, &seen, sizeof seen) == sizeof seen)
		order[count++] = ((int)seen.ssi_signo >= SIGRTMIN ? (int)seen.ssi_signo - SIGRTMIN
														  : (int)seen.ssi_signo)
						* 100
				+ seen.ssi_int;
	show("read");
	event.sigev_signo = SIGRTMIN + 2;
	timer_create(CLOCK_MONOTONIC, &event, &timer), timer_settime(timer, 0, &soon, NULL);
	number = sigwaitinfo(&set, &info);
	printf("timer %d, code %d, value %d, overrun %d\n", number - SIGRTMIN, info.si_code,
			info.si_value.sival_int, info.si_overrun);
	timer_settime(timer, 0, &soon, NULL);
	sigfillset(&pending), sigdelset(&pending, SIGRTMIN + 2);
	printf("suspend %d\n", sigsuspend(&pending) ? errno : 0);
	show("in it");
	timer_delete(timer);
	if (fork() == 0)
		send_all(), sigprocmask(SIG_UNBLOCK, &set, NULL), _exit(count);
	wait(&number);
	printf("child %d\n", WEXITSTATUS(number));
	return 0;
}
