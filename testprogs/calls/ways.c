/* Ways to leave a function other than by a return. */
#define _GNU_SOURCE
#include <execinfo.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#include "counted.h"

enum {
	JUMPS,
	OUTER,
	MIDDLE,
	INNER,
	RECURSES,
	FIRST,
	SECOND,
	BODY,
	STEP,
	HANDLER,
	ESCAPES,
	RAISES,
	BEGINS,
	DEEPER,
	CHILD,
	TRACES,
	PARTS,
	NUMBER
};

static struct counted counts[NUMBER] = { COUNT(jumps), COUNT(outer), COUNT(middle), COUNT(inner),
	COUNT(recurses), COUNT(first), COUNT(second), COUNT(body), COUNT(step), COUNT(handler),
	COUNT(escapes), COUNT(raises), COUNT(begins), COUNT(deeper), COUNT(child), COUNT(traces),
	COUNT(parts) };

static jmp_buf place;
static sigjmp_buf refuge;
static ucontext_t here, there;
static volatile int sink;

/* longjmp over three functions, two times of three */

OWN void inner(int i)
{
	ENTER(INNER);
	if (i % 3)
		longjmp(place, 1);
	LEAVE(INNER);
}

OWN void middle(int i)
{
	ENTER(MIDDLE);
	inner(i);
	sink++;
	LEAVE(MIDDLE);
}

OWN void outer(int i)
{
	ENTER(OUTER);
	middle(i);
	sink++;
	LEAVE(OUTER);
}

OWN void jumps(int i)
{
	ENTER(JUMPS);
	if (!setjmp(place))
		outer(i);
	LEAVE(JUMPS);
}

/* recursion and tail calls */

OWN int recurses(int depth)
{
	ENTER(RECURSES);
	int sum = depth ? recurses(depth - 1) + depth : 0;
	LEAVE(RECURSES);
	return sum;
}

OWN int second(int i)
{
	ENTER(SECOND);
	sink += i;
	LEAVE(SECOND);
	return sink;
}

OWN int first(int i)
{
	ENTER(FIRST);
	return second(i + 1);
}

/* a coroutine on a stack of its own */

OWN void step(int i)
{
	ENTER(STEP);
	sink += i;
	swapcontext(&there, &here);
	LEAVE(STEP);
}

OWN void body(void)
{
	ENTER(BODY);
	for (int i = 0; i < 5; i++)
		step(i);
	LEAVE(BODY);
}

static void coroutine_run(char *stack, size_t size)
{
	getcontext(&there);
	there.uc_stack.ss_sp = stack;
	there.uc_stack.ss_size = size;
	there.uc_link = &here;
	makecontext(&there, body, 0);
	for (int i = 0; i < 6; i++)
		swapcontext(&here, &there);
}

/* handlers on an alternate stack; one does not come back */

OWN void handler(int number)
{
	ENTER(HANDLER);
	sink += number;
	LEAVE(HANDLER);
}

OWN void escapes(int number)
{
	ENTER(ESCAPES);
	siglongjmp(refuge, number);
}

OWN void raises(int number)
{
	ENTER(RAISES);
	raise(number);
	LEAVE(RAISES);
}

static void signals_run(void)
{
	stack_t stack = { .ss_sp = malloc(65536), .ss_size = 65536 };
	sigaltstack(&stack, NULL);
	sigaction(SIGUSR1, &(struct sigaction){ .sa_handler = handler, .sa_flags = SA_ONSTACK }, NULL);
	sigaction(SIGUSR2, &(struct sigaction){ .sa_handler = escapes, .sa_flags = SA_ONSTACK }, NULL);
	for (int i = 0; i < 7; i++) {
		raises(SIGUSR1);
		if (!sigsetjmp(refuge, 1))
			raises(SIGUSR2);
	}
}

/* threads that end inside, and a child that shares the memory */

OWN void deeper(void)
{
	ENTER(DEEPER);
	pthread_exit(NULL);
}

OWN void *begins(void *unused)
{
	ENTER(BEGINS);
	deeper();
	sink++;
	return unused;
}

OWN int child(int i)
{
	ENTER(CHILD);
	sink += i;
	LEAVE(CHILD);
	return 0;
}

OWN int traces(void)
{
	void *frames[64];
	ENTER(TRACES);
	int count = backtrace(frames, 64);
	LEAVE(TRACES);
	return count;
}

/* a function in whose midst nobody has called, as where glibc's clone begins a thread */

void parts(void);
__asm__(".text\n"
		"	.globl parts\n"
		"	.type parts, @function\n"
		"parts:\n"
		"	.cfi_startproc\n"
		"	xorl %eax, %eax\n"
		"	.cfi_endproc\n"
		"	.cfi_startproc\n"
		"	.cfi_undefined rip\n"
		"	nopl 8(%rax)\n"
		"	testl %eax, %eax\n"
		"	ret\n"
		"	.cfi_endproc\n"
		"	.size parts, . - parts\n");

OWN void parts_run(void)
{
	for (int i = 0; i < 11; i++) {
		ENTER(PARTS);
		parts();
		LEAVE(PARTS);
	}
}

int main(void)
{
	for (int i = 0; i < 30; i++) {
		jumps(i);
		first(i);
	}
	printf("%d\n", recurses(20));
	char *stack = malloc(65536);
	coroutine_run(stack, 65536);
	signals_run();
	for (int i = 0; i < 3; i++) {
		pthread_t thread;
		pthread_create(&thread, NULL, begins, NULL);
		pthread_join(thread, NULL);
		pid_t pid = vfork();
		if (!pid)
			_exit(child(i));
		waitpid(pid, NULL, 0);
	}
	printf("%d frames\n", traces());
	parts_run();
	counts_print(counts, NUMBER);
	return 0;
}
