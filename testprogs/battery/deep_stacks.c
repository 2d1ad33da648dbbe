/* flags: -O0 -pthread */
/* Stacks that grow far, run into limits and guards, lie on the heap, and are left by a jump. */
#define _GNU_SOURCE
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static sigjmp_buf back;

static long deep(long n)
{
	volatile char frame[1000];

	frame[n % 1000] = (char)n;
	return n == 0 ? 0 : deep(n - 1) + frame[n % 1000] - (char)n + 1;
}

static long endless(volatile char *from)
{
	volatile char frame[4000];

	frame[17] = 1;
	return from ? endless(frame) + frame[17] : 0;
}

static void fault(int number)
{
	siglongjmp(back, number);
}

static int overflows(void)
{
	volatile char here;
	int how = sigsetjmp(back, 1);

	return how ? how : (int)endless(&here);
}

static void handle_aside(void)
{
	struct sigaction action = { .sa_handler = fault, .sa_flags = SA_ONSTACK };

	sigaltstack(&(stack_t){ .ss_sp = malloc(65536), .ss_size = 65536 }, NULL);
	sigaction(SIGSEGV, &action, NULL);
}

static void *thread(void *n)
{
	stack_t stack = { .ss_sp = malloc(65536), .ss_size = 65536 };
	long sum = deep((long)n);
	int how = 0;

	sigaltstack(&stack, NULL);
	if ((long)n == 100)
		how = overflows();
	sigaltstack(&(stack_t){ .ss_flags = SS_DISABLE }, NULL);
	free(stack.ss_sp);
	return (void *)(sum * 100 + how);
}

static long on(pthread_attr_t *attributes, long depth)
{
	pthread_t made;
	void *result;

	pthread_create(&made, attributes, thread, (void *)depth);
	pthread_join(made, &result);
	return (long)result;
}

int main(void)
{
	pthread_attr_t attributes;
	struct rlimit limit = { 1 << 20, RLIM_INFINITY };
	int status;

	setvbuf(stdout, NULL, _IOLBF, 0);
	handle_aside();
	printf("deep %ld, over %d, again %d\n", deep(5000), overflows(), overflows());
	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, 256 << 10);
	printf("small: %ld\n", on(&attributes, 100));
	pthread_attr_setstacksize(&attributes, 64 << 20);
	printf("large: %ld\n", on(&attributes, 50000));
	pthread_attr_setstack(&attributes, aligned_alloc(4096, 1 << 20), 1 << 20);
	printf("heap: %ld\n", on(&attributes, 700));
	if (fork() == 0) {
		setrlimit(RLIMIT_STACK, &limit);
		printf("limited: %d\n", overflows());
		signal(SIGSEGV, SIG_DFL);
		_exit((int)endless((char *)1));
	}
	wait(&status);
	printf("child: signal %d\n", WTERMSIG(status));
	return 0;
}
