/*
 * Handlers of the target, for its own faults and for timers: what they see must be what they see
 * without MadT.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <ucontext.h>
#include <unistd.h>

static sigjmp_buf back;
static int *heap;
static volatile int alarms;
static void *seen_address;
static long seen_flags;
static int seen_code;

static void on_fault(int number, siginfo_t *info, void *raw)
{
	ucontext_t *context = raw;

	heap[0] += number == SIGSEGV;
	seen_address = info->si_addr;
	seen_code = info->si_code;
	seen_flags = context->uc_mcontext.gregs[REG_EFL] & 0x100;
	siglongjmp(back, 1);
}

static void on_alarm(int number)
{
	(void)number;
	alarms++;
	heap[1]++;
}

static void on_trap(int number, siginfo_t *info, void *raw)
{
	(void)raw;
	heap[2] += number == SIGTRAP && info->si_code == SI_KERNEL;
}

static void on_user(int number, siginfo_t *info, void *raw)
{
	char here;
	ucontext_t *context = raw;

	(void)info;
	heap[3] += number;
	heap[4] = (char *)&here > (char *)context->uc_stack.ss_sp
			&& (char *)&here < (char *)context->uc_stack.ss_sp + context->uc_stack.ss_size;
}

static void on_reset(int number)
{
	heap[5] += number;
}

static void install(int number, void (*handler)(int, siginfo_t *, void *), int flags)
{
	struct sigaction action;

	memset(&action, 0, sizeof action);
	action.sa_sigaction = handler;
	action.sa_flags = SA_SIGINFO | flags;
	sigaction(number, &action, NULL);
}

static void timers(void)
{
	struct itimerval timer = { { 0, 700 }, { 0, 700 } };
	volatile int *counter = &heap[10];
	int rounds = 0;

	signal(SIGALRM, on_alarm);
	setitimer(ITIMER_REAL, &timer, NULL);
	while (alarms < 40) {
		(*counter)++;
		rounds++;
	}
	memset(&timer, 0, sizeof timer);
	setitimer(ITIMER_REAL, &timer, NULL);
	printf("alarms %d, counted %d\n", heap[1] == alarms, rounds == *counter);
}

static void masks(void)
{
	sigset_t set, old;

	sigfillset(&set);
	sigprocmask(SIG_SETMASK, &set, NULL);
	heap[20]++; /* every signal is blocked: the access must get through nevertheless */
	sigprocmask(SIG_BLOCK, NULL, &old);
	printf("mask: segv %d trap %d sys %d int %d kill %d\n", sigismember(&old, SIGSEGV),
			sigismember(&old, SIGTRAP), sigismember(&old, SIGSYS), sigismember(&old, SIGINT),
			sigismember(&old, SIGKILL));
	kill(getpid(), SIGUSR1);
	sigpending(&old);
	printf("pending %d, not yet handled %d\n", sigismember(&old, SIGUSR1), heap[3] == 10);
	sigemptyset(&set);
	sigprocmask(SIG_SETMASK, &set, NULL);
	printf("then handled %d\n", heap[3] == 20);
}

static void alternate(void)
{
	stack_t stack = { .ss_sp = malloc(65536), .ss_size = 65536 }, now;

	sigaltstack(&stack, NULL);
	install(SIGUSR1, on_user, SA_ONSTACK);
	raise(SIGUSR1);
	sigaltstack(NULL, &now);
	printf("alternate stack: used %d, kept %d, handled %d\n", heap[4], now.ss_sp == stack.ss_sp,
			heap[3]);
}

int main(void)
{
	struct sigaction query;

	heap = calloc(1000, sizeof *heap);
	install(SIGSEGV, on_fault, 0);
	for (int i = 0; i < 3; i++)
		if (!sigsetjmp(back, 1))
			*(volatile int *)(long)(8 + i * 4096) = 1;
	printf("faults %d at %p, code %d, flag %ld\n", heap[0], seen_address, seen_code, seen_flags);
	sigaction(SIGSEGV, NULL, &query);
	printf("handler is mine %d, flags %#x\n", query.sa_sigaction == on_fault, query.sa_flags);
	install(SIGTRAP, on_trap, 0);
	__asm__ volatile("int3");
	printf("traps %d\n", heap[2]);
	timers();
	alternate();
	masks();
	signal(SIGUSR2, on_reset);
	struct sigaction once = { .sa_handler = on_reset, .sa_flags = (int)SA_RESETHAND };
	sigaction(SIGUSR2, &once, NULL);
	raise(SIGUSR2);
	sigaction(SIGUSR2, NULL, &query);
	printf("once %d, then default %d\n", heap[5], query.sa_handler == SIG_DFL);
	return 0;
}
