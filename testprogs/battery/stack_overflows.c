/* Threads that run out of stack: their handlers, on stacks of their own, see it and jump out. */
/* flags: -O1 -pthread -fno-optimize-sibling-calls -Wno-infinite-recursion */
#define _GNU_SOURCE
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#define THREADS 3
#define ROUNDS 4
#define STACK (128 << 10)
#define GUARD (64 << 10)

struct thread {
	pthread_t id;
	char *stack, *own;
	int guarded, placed, deep;
};

static __thread sigjmp_buf back;
static __thread struct thread *self;
static __thread volatile int depth;

static void on_fault(int number, siginfo_t *info, void *context)
{
	char *at = info->si_addr, *here = (char *)&number;
	stack_t now;

	(void)context;
	sigaltstack(NULL, &now);
	self->guarded += at >= self->stack && at < self->stack + GUARD && info->si_code == SEGV_ACCERR;
	self->placed += here >= self->own && here < self->own + SIGSTKSZ * 4
			&& now.ss_flags == SS_ONSTACK;
	siglongjmp(back, 1);
}

__attribute__((noinline)) static int deeper(int level)
{
	volatile char room[500];

	room[0] = (char)level;
	depth = level;
	return deeper(level + 1) + room[0];
}

static void *run(void *argument)
{
	stack_t stack;

	self = argument;
	self->own = malloc(SIGSTKSZ * 4);
	stack = (stack_t){ .ss_sp = self->own, .ss_size = SIGSTKSZ * 4 };
	sigaltstack(&stack, NULL);
	for (int round = 0; round < ROUNDS; round++) {
		if (sigsetjmp(back, 1) == 0)
			deeper(0);
		self->deep += depth > STACK / 1000 && depth < STACK / 500;
	}
	sigaltstack(NULL, &stack);
	self->placed += stack.ss_flags == 0 ? 10 : 0;
	return NULL;
}

int main(void)
{
	struct sigaction action = { .sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_ONSTACK };
	struct thread threads[THREADS] = { 0 };

	sigaction(SIGSEGV, &action, NULL);
	for (int i = 0; i < THREADS; i++) {
		struct thread *thread = &threads[i];
		pthread_attr_t attributes;

		thread->stack = mmap(NULL, STACK + GUARD, PROT_READ | PROT_WRITE,
				MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		mprotect(thread->stack, GUARD, PROT_NONE);
		pthread_attr_init(&attributes);
		pthread_attr_setstack(&attributes, thread->stack + GUARD, STACK);
		pthread_create(&thread->id, &attributes, run, thread);
	}
	for (int i = 0; i < THREADS; i++) {
		pthread_join(threads[i].id, NULL);
		printf("guarded %d, placed %d, deep %d\n", threads[i].guarded, threads[i].placed,
				threads[i].deep);
	}
	return 0;
}
