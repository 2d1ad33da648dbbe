/*
 * Rounds of work for a tracer (trampoline_signals.c) that sends SIGUSR1 at each machine instruction
 * of it. The handler returns, jumps out, or changes to another context and back, by turns.
 */
#ifndef ROUNDS_H
#define ROUNDS_H

#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <ucontext.h>
#include <unistd.h>

extern char __executable_start, etext;
volatile long round_number;
volatile long rounds = 3;   /* the tracer says how many */
const char *volatile never; /* and where the signal came, which is no place of the program's */
static sigjmp_buf back;
static ucontext_t handler_context, other_context;
static char other_stack[65536];
static volatile long wrong, signals, astray, jumped;

/* The tracer's breakpoints: nops that become int3 and back. */
__asm__(".text\n.globl round_begin, round_end\nround_begin: nop\nret\nround_end: nop\nret\n");
void round_begin(void);
void round_end(void);

/* Returns what the other context does each time that a handler changes to it. */
static void (*other_work)(void);

static void other(void)
{
	for (;;) {
		other_work();
		swapcontext(&other_context, &handler_context);
	}
}

static void other_make(void (*work_there)(void))
{
	other_work = work_there;
	getcontext(&other_context);
	other_context.uc_stack.ss_sp = other_stack;
	other_context.uc_stack.ss_size = sizeof other_stack;
	makecontext(&other_context, other, 0);
}

/* Counts a signal; returns where the handler is shown the thread. */
static const char *signal_count(const void *context)
{
	const char *at = (const char *)((const ucontext_t *)context)->uc_mcontext.gregs[REG_RIP];

	signals++;
	astray += at < &__executable_start || at >= &etext || at == never;
	return at;
}

/* Goes on in the handler, leaves it, or leaves it for a while. */
static void handler_turn(void)
{
	if (round_number % 3 == 1)
		siglongjmp(back, 1);
	if (round_number % 3 == 2)
		swapcontext(&handler_context, &other_context);
}

/* Tells the tracer where everything is. */
static void rounds_tell(const char *work_start, const char *work_end)
{
	printf("%p %p %p %p %p %p %p %d\n", (const void *)work_start, (const void *)work_end,
			(void *)&round_number, (void *)round_begin, (void *)round_end, (void *)&rounds,
			(void *)&never, getpid());
	fflush(stdout);
}

#endif
