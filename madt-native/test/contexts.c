/*
 * Stacks in traced memory: coroutines on heap stacks, with signals, flags, system calls and
 * exceptions of control flow on them.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <ucontext.h>
#include <unistd.h>

#define STACK 65536

static ucontext_t home, one, two;
static volatile int turns, alarms, caught;
static sigjmp_buf out;

static int depth(int n)
{
	volatile int local[8];

	for (int i = 0; i < 8; i++)
		local[i] = n + i;
	return n ? depth(n - 1) + local[n % 8] : local[0];
}

static unsigned long flags_around(void)
{
	unsigned long before, after;

	/* the flags go through a stack in traced memory in both directions */
	__asm__ volatile("stc; pushfq; popq %0; pushfq; popfq; pushfq; popq %1"
					 : "=r"(before), "=r"(after)::"cc", "memory");
	return (before == after) + 2 * (before & 1) + (before & 0x100);
}

static void first(void)
{
	for (int i = 0; i < 20; i++) {
		turns++;
		swapcontext(&one, &two);
	}
}

static void second(void)
{
	char text[100];

	for (int i = 0; i < 20; i++) {
		snprintf(text, sizeof text, "turn %d depth %d flags %lu\n", turns, depth(5),
				flags_around());
		if (i % 7 == 0 && write(1, text, strlen(text)) < 0)
			_exit(1);
		swapcontext(&two, &one);
	}
}

static void on_alarm(int number)
{
	(void)number;
	alarms++;
}

static void on_fault(int number)
{
	(void)number;
	caught++;
	siglongjmp(out, 1);
}

static void interrupted(void)
{
	struct itimerval timer = { { 0, 500 }, { 0, 500 } };
	volatile long sum = 0;

	signal(SIGALRM, on_alarm);
	setitimer(ITIMER_REAL, &timer, NULL);
	while (alarms < 20)
		sum += depth(3);
	memset(&timer, 0, sizeof timer);
	setitimer(ITIMER_REAL, &timer, NULL);
	if (!sigsetjmp(out, 1))
		*(volatile int *)(long)(turns - turns + 8) = 1;
	printf("alarms on a heap stack %d, fault caught %d\n", alarms >= 20, caught);
	if (fork() == 0)
		_exit(depth(2) == 0);
	printf("system on a heap stack: %d\n", system("exit 5") >> 8);
}

static void prepare(ucontext_t *context, char *stack, void (*function)(void))
{
	getcontext(context);
	context->uc_stack.ss_sp = stack;
	context->uc_stack.ss_size = STACK;
	context->uc_link = &home;
	makecontext(context, function, 0);
}

int main(void)
{
	char *mapped = mmap(NULL, STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	setvbuf(stdout, NULL, _IOLBF, 0);
	signal(SIGSEGV, on_fault);
	prepare(&one, malloc(STACK), first);
	prepare(&two, mapped, second);
	swapcontext(&home, &one);
	printf("turns %d\n", turns);
	prepare(&one, malloc(STACK), interrupted);
	swapcontext(&home, &one);
	return 0;
}
