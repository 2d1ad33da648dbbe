/*
 * Alternate stacks: what sigaltstack(2) answers, and handlers that are entered where the stack
 * pointer leads nowhere. Cases that end a process run in a child, whose status is printed.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <errno.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#define SIZE 65536
#ifndef SS_AUTODISARM
#define SS_AUTODISARM (1u << 31)
#endif

static volatile long *heap;
static char *area, *second;
static sigjmp_buf back;

static void show(const char *what)
{
	stack_t now;
	int result = sigaltstack(NULL, &now);

	printf("%s: %d, place %s, size %zu, flags %#x\n", what, result,
			!now.ss_sp                    ? "none"
					: now.ss_sp == area   ? "first"
					: now.ss_sp == second ? "second"
										  : "strange",
			now.ss_size, (unsigned)now.ss_flags);
}

static void set(const char *what, void *sp, size_t size, unsigned flags)
{
	stack_t stack = { .ss_sp = sp, .ss_size = size, .ss_flags = (int)flags };
	int result = sigaltstack(&stack, NULL);

	printf("set %s: %d %d\n", what, result, result ? errno : 0);
	show(what);
}

static void install(int number, void (*handler)(int, siginfo_t *, void *), int flags)
{
	struct sigaction action;

	memset(&action, 0, sizeof action);
	action.sa_sigaction = handler;
	action.sa_flags = SA_SIGINFO | flags;
	sigaction(number, &action, NULL);
}

static void on_user(int number, siginfo_t *info, void *raw)
{
	char here;
	ucontext_t *context = raw;

	(void)info;
	heap[number]++;
	printf("handler: on first %d, on second %d, frame's flags %#x, size %zu\n",
			&here > area && &here<area + SIZE, &here> second && &here < second + SIZE,
			(unsigned)context->uc_stack.ss_flags & ~2u, context->uc_stack.ss_size);
	show("in the handler");
	set("in the handler", second, SIZE, 0);
}

static void on_fault(int number, siginfo_t *info, void *raw)
{
	char here;

	(void)raw;
	heap[number]++;
	heap[100] = &here > area && &here < area + SIZE;
	heap[101] = info->si_code;
	siglongjmp(back, 1);
}

static int deeper(volatile char *before)
{
	volatile char room[4096];

	if (heap[999])
		return 0;
	room[0] = (char)(before[0] + 1);
	return deeper(room) + room[0];
}

/* Both go on behind the access, with the stack pointer as it was. */
static void *saved_stack, *saved_code;

static void on_repair(int number, siginfo_t *info, void *raw)
{
	ucontext_t *context = raw;

	heap[number]++;
	heap[101] = info->si_code;
	heap[102] = (long)context->uc_mcontext.gregs[REG_RSP];
	context->uc_mcontext.gregs[REG_RSP] = (long)saved_stack;
	context->uc_mcontext.gregs[REG_RIP] = (long)saved_code;
}

static void astray(unsigned long pointer)
{
	heap[102] = -1;
	__asm__ volatile("movq %%rsp, %0\n\tleaq 1f(%%rip), %%rax\n\tmovq %%rax, %1\n\tmovq %2, "
					 "%%rsp\n\tpushq %%rax\n1:\n"
					 : "=m"(saved_stack), "=m"(saved_code)
					 : "r"(pointer)
					 : "rax", "memory");
	printf("astray at %#lx: SEGV %ld BUS %ld code %ld, seen %#lx\n", pointer, heap[SIGSEGV],
			heap[SIGBUS], heap[101], heap[102]);
}

/*
 * The loop has a way out, which is never taken: without one no register would be of use behind it.
 */
static void loop(unsigned long pointer)
{
	__asm__ volatile("movq %%rsp, %0\n\tleaq 1f(%%rip), %%rax\n\tmovq %%rax, %1\n\tmovq %2, "
					 "%%rsp\n2:\tpause\n\ttestq %%rax, %%rax\n\tjnz 2b\n1:\n"
					 : "=m"(saved_stack), "=m"(saved_code)
					 : "r"(pointer)
					 : "rax", "memory");
	printf("timer astray at %#lx: SEGV %ld code %ld\n", pointer, heap[SIGSEGV], heap[101]);
}

static void on_alarm(int number, siginfo_t *info, void *raw)
{
	(void)info;
	(void)raw;
	heap[number]++;
}

static void in_child(const char *what, void (*work)(void))
{
	int status = 0;
	pid_t pid = fork();

	if (pid == 0) {
		struct rlimit none = { 0, 0 };

		setrlimit(RLIMIT_CORE, &none);
		work();
		_exit(9);
	}
	while (waitpid(pid, &status, 0) < 0)
		;
	printf("%s: status %#x\n", what, status & ~0x80);
}

static void overflow_without(void)
{
	install(SIGSEGV, on_fault, 0);
	deeper((volatile char *)"");
}

static void too_small(void)
{
	stack_t stack = { .ss_sp = area, .ss_size = 2048 };

	/* whether a frame fits in depends on the processor's registers; the answer is the kernel's */
	sigaltstack(&stack, NULL);
	install(SIGUSR1, on_alarm, SA_ONSTACK);
	raise(SIGUSR1);
	_exit(heap[SIGUSR1] == 1 ? 1 : 2);
}

static void unwritable(void)
{
	stack_t stack = { .ss_sp = area, .ss_size = SIZE };

	sigaltstack(&stack, NULL);
	install(SIGUSR1, on_alarm, SA_ONSTACK);
	mprotect(area, SIZE, PROT_READ);
	raise(SIGUSR1);
}

static void timer(void)
{
	struct itimerval in = { { 0, 0 }, { 0, 20000 } };

	install(SIGALRM, on_alarm, 0);
	setitimer(ITIMER_REAL, &in, NULL);
	loop(0);
	setitimer(ITIMER_REAL, &in, NULL);
	loop(64);
}

static void timer_in_child(void)
{
	signal(SIGSEGV, SIG_DFL);
	timer();
}

int main(void)
{
	heap = calloc(1000, sizeof *heap);
	area = aligned_alloc(4096, SIZE);
	second = malloc(SIZE);
	setvbuf(stdout, NULL, _IONBF, 0);
	show("at first");
	set("first", area, SIZE, 0);
	set("with flag SS_ONSTACK", area, SIZE, SS_ONSTACK);
	set("too small", area, 2047, 0);
	set("with strange flags", area, SIZE, 77);
	set("disabled", second, SIZE, SS_DISABLE);
	set("disarmed by itself", area, SIZE, SS_AUTODISARM);
	install(SIGUSR1, on_user, SA_ONSTACK);
	raise(SIGUSR1);
	show("after a handler");
	set("first again", area, SIZE, 0);
	raise(SIGUSR1);
	show("after a handler");
	install(SIGUSR1, on_user, 0);
	raise(SIGUSR1);
	show("after a handler that put another in its place");
	install(SIGSEGV, on_fault, SA_ONSTACK);
	for (int i = 0; i < 3; i++) {
		if (!sigsetjmp(back, 1))
			heap[103] += deeper((volatile char *)"");
		printf("overflow %ld on first %ld code %ld\n", heap[SIGSEGV], heap[100], heap[101]);
	}
	install(SIGSEGV, on_repair, SA_ONSTACK);
	install(SIGBUS, on_repair, SA_ONSTACK);
	astray(0);
	astray(8);
	astray(0x100000);
	astray(0x8000000000000000);
	timer();
	in_child("overflow without another stack", overflow_without);
	in_child("too small a stack", too_small);
	in_child("a stack that cannot be written", unwritable);
	in_child("a timer, astray, no handler", timer_in_child);
	return 0;
}
