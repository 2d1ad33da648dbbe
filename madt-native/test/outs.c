/*
 * Calls a function whose instructions have probes that call a function of libmadt.so, with random
 * registers, flags, x87, vector and mask registers and red zone. What it leaves is compared, bit by
 * bit, with what the same code leaves that has no probes.
 *
 *   outs FIFO           a tracer (trampoline_signals.c) sends a signal at each machine
 *                       instruction of the work, as with trampolines.c. The handler calls such a
 *                       function, too; it returns, jumps out, or changes to another context and
 *                       back, by turns
 *   outs sums           prints what the calls answer where the function is entered and left
 *   outs steps          the program steps itself through the function
 *   outs storm ROUNDS   threads that come and go, children and timers at the same time
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#include "outs_state.h"
#include "rounds.h"

#define RUNS 60
#define THREADS 3
#define SUMS 20
#define STEPS_MAX 100

/* The same code three times: with probes for the work, for handlers, and without any. */
#define CODE(name)                   \
	".type " #name ", @function\n"   \
	".globl " #name "\n" #name ":\n" \
	"	movq %rax, -8(%rsp)\n"         \
	"	addq %rcx, %rax\n"             \
	"	jc 1f\n"                       \
	"	leaq 1(%rbx), %rbx\n"          \
	"1:	movq %rax, 8(%rdi)\n"        \
	"	adcq -8(%rsp), %rdx\n"         \
	"	paddq %xmm1, %xmm0\n"          \
	"	cmpq %r9, 8(%rdi)\n"           \
	"	ret\n"                         \
	".size " #name ", . - " #name "\n"
__asm__(".text\n" CODE(plain) ".section work_text, \"ax\", @progbits\n" CODE(probed)
				CODE(probed_aside) ".text\n");
extern const char plain[], probed[], probed_aside[];

static volatile long spoilt;
static struct cell work_cell;

/* Returns whether the code with probes leaves what the other does. */
static bool work(const void *code, uint64_t seed, struct cell *cell, bool says)
{
	struct state before, wanted, got;
	uint64_t value;

	state_make(&before, seed, cell);
	memset(&wanted, 0, sizeof wanted);
	memset(&got, 0, sizeof got);
	state_call(&before, &wanted, plain);
	value = cell->value;
	cell->value = 0;
	state_call(&before, &got, code);
	if (says)
		printf("%#lx\n%#lx\n", sum_of(&before, &got), sum_of(&got, &got));
	return states_equal(&wanted, &got) && cell->value == value;
}

static bool work_aside(uint64_t seed)
{
	struct cell cell = { 0, 0 };

	return work(probed_aside, seed, &cell, false);
}

/* ---------------------------------------------------------------- signals everywhere */

static void call_other(void)
{
	getppid();
}

static void on_signal(int number, siginfo_t *info, void *raw)
{
	(void)number;
	(void)info;
	signal_count(raw);
	spoilt += !work_aside((uint64_t)signals);
	handler_turn();
}

static void handler_set(int number, void (*handler)(int, siginfo_t *, void *))
{
	struct sigaction action = { .sa_flags = SA_SIGINFO | SA_RESTART };

	action.sa_sigaction = handler;
	sigaction(number, &action, NULL);
}

static void round_make(void)
{
	static struct state before, wanted, got;

	state_make(&before, 7, &work_cell);
	state_call(&before, &wanted, plain);
	if (sigsetjmp(back, 1)) {
		jumped++;
		return;
	}
	round_begin();
	state_call(&before, &got, probed);
	round_end();
	wrong += !states_equal(&wanted, &got);
}

static int rounds_make(const char *fifo)
{
	char none;

	handler_set(SIGUSR1, on_signal);
	other_make(call_other);
	rounds_tell(probed, probed_aside);
	if (read(open(fifo, O_RDONLY), &none, 1) != 1)
		return 1;
	for (round_number = 0; round_number < rounds; round_number++)
		round_make();
	printf("%ld rounds, %ld wrong, %ld signals, %ld astray, %ld spoilt, %ld jumped\n", round_number,
			wrong, signals, astray, spoilt, jumped);
	return 0;
}

/* ---------------------------------------------------------------- its own trap flag */

static struct {
	long offsets[STEPS_MAX];
	unsigned count;
} steps;
static const char *stepped;

static void on_step(int number, siginfo_t *info, void *raw)
{
	const char *at = (const char *)((ucontext_t *)raw)->uc_mcontext.gregs[REG_RIP];

	(void)number;
	(void)info;
	if (at >= stepped && at < stepped + (probed_aside - probed) && steps.count < STEPS_MAX)
		steps.offsets[steps.count++] = at - stepped;
	astray += at < &__executable_start || at >= &etext;
}

static void steps_take(const struct state *before, struct state *behind, const char *code)
{
	stepped = code;
	steps.count = 0;
	memset(behind, 0, sizeof *behind);
	__asm__ volatile("pushfq\n\torl $0x100, (%%rsp)\n\tpopfq" : : : "memory", "cc");
	state_call(before, behind, code);
	__asm__ volatile("pushfq\n\tandl $~0x100, (%%rsp)\n\tpopfq" : : : "memory", "cc");
}

static int steps_make(void)
{
	static struct state before, wanted, got;

	handler_set(SIGTRAP, on_step);
	for (uint64_t i = 0; i < SUMS; i++) {
		state_make(&before, i, &work_cell);
		steps_take(&before, &wanted, plain);
		const typeof(steps) alone = steps;

		steps_take(&before, &got, probed);
		spoilt += !states_equal(&wanted, &got);
		wrong += steps.count != alone.count
				|| memcmp(steps.offsets, alone.offsets, steps.count * sizeof *steps.offsets);
		signals += steps.count;
	}
	printf("%ld steps, %ld wrong, %ld spoilt, %ld astray\n", signals, wrong, spoilt, astray);
	return wrong || spoilt || astray || signals < 8 * SUMS;
}

/* ---------------------------------------------------------------- all at once */

static void on_timer(int number, siginfo_t *info, void *raw)
{
	const char *at = (const char *)((ucontext_t *)raw)->uc_mcontext.gregs[REG_RIP];

	(void)number;
	(void)info;
	__atomic_fetch_add(&spoilt, !work_aside((uint64_t)at), __ATOMIC_RELAXED);
}

static void works(uint64_t seed)
{
	struct cell cell = { 0, 0 };

	for (unsigned i = 0; i < RUNS; i++)
		__atomic_fetch_add(&wrong, !work(probed, seed + i, &cell, false), __ATOMIC_RELAXED);
}

static void *thread_work(void *argument)
{
	works((uint64_t)argument);
	return NULL;
}

static void *thread_always(void *argument)
{
	for (;;)
		works((uint64_t)argument);
	return NULL;
}

static long child_make(uint64_t seed)
{
	int status = 0;
	pid_t child = fork();

	if (child == 0) {
		wrong = spoilt = 0;
		works(seed);
		_exit(wrong || spoilt);
	}
	while (waitpid(child, &status, 0) != child)
		;
	return status != 0;
}

static int storm_make(uint64_t storms)
{
	const struct itimerval often = { { 0, 700 }, { 0, 700 } }, none = { { 0, 0 }, { 0, 0 } };
	pthread_t threads[THREADS], last;
	long children = 0;

	handler_set(SIGALRM, on_timer);
	setitimer(ITIMER_REAL, &often, NULL);
	for (uint64_t i = 0; i < storms; i++) {
		for (uint64_t k = 0; k < THREADS; k++)
			pthread_create(&threads[k], NULL, thread_work, (void *)(1000 * i + 100 * k));
		children += child_make(1999993 * i);
		for (unsigned k = 0; k < THREADS; k++)
			pthread_join(threads[k], NULL);
	}
	setitimer(ITIMER_REAL, &none, NULL);
	printf("%ld wrong, %ld spoilt, %ld children wrong\n", wrong, spoilt, children);
	fflush(stdout);
	pthread_create(&last, NULL, thread_always, NULL); /* it ends with the process */
	works(5);
	return wrong != 0;
}

int main(int argc, char **argv)
{
	parts_find();
	if (argc > 2 && !strcmp(argv[1], "storm"))
		return storm_make(strtoul(argv[2], NULL, 10));
	if (argc > 1 && !strcmp(argv[1], "steps"))
		return steps_make();
	if (argc > 1 && strcmp(argv[1], "sums"))
		return rounds_make(argv[1]);
	for (uint64_t i = 0; i < SUMS; i++)
		wrong += !work(probed, i, &work_cell, true);
	fprintf(stderr, "%ld wrong\n", wrong);
	return wrong != 0;
}
