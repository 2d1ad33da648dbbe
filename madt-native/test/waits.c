/*
 * Handlers that end a call which waits under a mask of its own: they run under that mask
 * (signal(7)), and the thread has its own again afterwards. And signals of each kind, blocked and
 * ignored, that must not end a call. Prints one line a case.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#define BIT(n) (UINT64_C(1) << ((n)-1))

static volatile uint64_t *heap; /* traced: in the handler, in the frame, afterwards */
static volatile int handled;

static uint64_t mask_now(void)
{
	uint64_t mask = 0;

	syscall(SYS_rt_sigprocmask, SIG_BLOCK, NULL, &mask, 8);
	return mask;
}

static void on_signal(int number, siginfo_t *info, void *raw)
{
	(void)info;
	heap[0] = mask_now();
	memcpy((void *)&heap[1], &((ucontext_t *)raw)->uc_sigmask, 8);
	heap[3] = (uint64_t)number;
	handled++;
}

static void handle(int number)
{
	struct sigaction action;

	memset(&action, 0, sizeof action);
	action.sa_sigaction = on_signal;
	action.sa_flags = SA_SIGINFO;
	sigaddset(&action.sa_mask, SIGWINCH);
	sigaction(number, &action, NULL);
}

enum call { PPOLL, PSELECT, EPOLL, EPOLL2, SUSPEND, EVENTS, POLL, SLEEP, CALLS };
static const char *const name[] = { "ppoll", "pselect6", "epoll_pwait", "epoll_pwait2",
	"rt_sigsuspend", "io_pgetevents", "poll", "nanosleep" };
static unsigned long context; /* of asynchronous I/O */

static long wait_with(enum call call, uint64_t *mask, long milliseconds)
{
	struct timespec time = { milliseconds / 1000, milliseconds % 1000 * 1000000 };
	static int epoll;
	struct epoll_event event;
	char room[64];
	struct {
		uint64_t *mask;
		size_t size;
	} pair = { mask, 8 };

	epoll = epoll ? epoll : epoll_create1(0);
	switch (call) {
	case PPOLL:
		return syscall(SYS_ppoll, NULL, 0, &time, mask, 8);
	case PSELECT:
		return syscall(SYS_pselect6, 0, NULL, NULL, NULL, &time, &pair);
	case EPOLL:
		return syscall(SYS_epoll_pwait, epoll, &event, 1, milliseconds, mask, 8);
	case EPOLL2:
		return syscall(SYS_epoll_pwait2, epoll, &event, 1, &time, mask, 8);
	case SUSPEND:
		return syscall(SYS_rt_sigsuspend, mask, 8);
	case EVENTS:
		return context ? syscall(SYS_io_pgetevents, context, 1, 1, room, &time, &pair) : 0;
	case POLL:
		return poll(NULL, 0, (int)milliseconds);
	default:
		return nanosleep(&time, NULL);
	}
}

static void show(const char *what, enum call call, long result, int error)
{
	printf("%s %s: %ld %d, handled %d by %d; handler's mask %#lx, frame's %#lx, then %#lx\n", what,
			name[call], result, result < 0 ? error : 0, handled, (int)heap[3],
			(unsigned long)heap[0], (unsigned long)heap[1], (unsigned long)mask_now());
	heap[0] = heap[1] = heap[3] = 0;
	handled = 0;
}

static void block(uint64_t mask)
{
	syscall(SYS_rt_sigprocmask, SIG_SETMASK, &mask, NULL, 8);
}

/* The signal is on its way already, and comes at once when the wait lets it. */
static void pending(enum call call, int number)
{
	uint64_t mask = BIT(SIGUSR2) | BIT(SIGTRAP) | BIT(SIGTERM);
	long result;

	block(BIT(SIGUSR1) | BIT(SIGSEGV) | BIT(SIGHUP));
	raise(number);
	heap[4]++;
	result = wait_with(call, &mask, 20000);
	show("pending in", call, result, errno);
}

/* It comes while the call waits, from a timer; or in front of it, on a machine that has much to do. */
static void late(enum call call)
{
	uint64_t mask = BIT(SIGUSR1) | BIT(SIGILL);
	struct itimerval timer = { { 0, 0 }, { 0, 30000 } };
	long result;

	block(BIT(SIGHUP) | BIT(SIGSYS) | BIT(SIGALRM));
	setitimer(ITIMER_REAL, &timer, NULL);
	result = wait_with(call, &mask, 20000);
	show("late in", call, result, errno);
}

/* Checks that what is blocked or ignored ends no call; a child sends it. */
static void unseen(enum call call, int number, int ignored)
{
	uint64_t mask = ignored ? 0 : BIT(number);
	pid_t pid, me = getpid();
	long result;

	block(mask);
	signal(number, ignored ? SIG_IGN : SIG_DFL);
	pid = fork();
	if (pid == 0) {
		struct timespec moment = { 0, 20000000 };

		signal(number, SIG_IGN);
		for (int i = 0; i < 3; i++) {
			nanosleep(&moment, NULL);
			kill(me, number);
		}
		_exit(0);
	}
	result = wait_with(call, &mask, 150);
	show(ignored ? "ignored in" : "blocked in", call, result, errno);
	while (syscall(SYS_wait4, pid, NULL, 0, NULL) < 0)
		;
	signal(number, SIG_IGN);
	block(0);
	handle(number);
}

int main(void)
{
	heap = calloc(1000, sizeof *heap);
	setvbuf(stdout, NULL, _IONBF, 0);
	syscall(SYS_io_setup, 1, &context);
	handle(SIGUSR1);
	handle(SIGSEGV);
	handle(SIGALRM);
	for (int i = 0; i < 200; i++)
		heap[5 + i]++;
	for (enum call call = 0; call <= EVENTS; call++) {
		if (call == EVENTS && !context)
			continue;
		pending(call, SIGUSR1);
		pending(call, SIGSEGV);
		late(call);
	}
	for (enum call call = 0; call < CALLS; call++) {
		if (call == SUSPEND || (call == EVENTS && !context))
			continue;
		unseen(call, SIGSEGV, 0);
		unseen(call, SIGILL, 1);
		unseen(call, SIGUSR1, 0);
	}
	return 0;
}
