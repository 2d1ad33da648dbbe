/* flags: -O1 */
/* Coroutines of getcontext and makecontext, with signals on their stacks and masks of their own. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

#define COUNT 20
#define STACK 65536

static ucontext_t loop, own[COUNT];
static long sums[COUNT], handled, on_stack;
static int current, left = COUNT;
static sigjmp_buf place;

static void handler(int number)
{
	char here;

	handled += number == SIGUSR1;
	on_stack += current >= 0 && &here > (char *)own[current].uc_stack.ss_sp
			&& &here < (char *)own[current].uc_stack.ss_sp + STACK;
}

static void run(int low, int high)
{
	long me = low + high;
	char data[1000];

	for (long i = 0; i < 30; i++) {
		memset(data, (int)(me + i), sizeof data);
		if (i % 10 == me % 10)
			raise(SIGUSR1);
		swapcontext(&own[me], &loop);
		sums[me] += data[i];
	}
	left--;
}

static void escape(int number)
{
	siglongjmp(place, number);
}

int main(void)
{
	long sum = 0;
	sigset_t set;

	signal(SIGUSR1, handler), signal(SIGUSR2, escape);
	for (int i = 0; i < COUNT; i++) {
		getcontext(&own[i]);
		own[i].uc_stack.ss_size = STACK;
		own[i].uc_stack.ss_sp = i % 2
				? malloc(STACK)
				: mmap(NULL, STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		own[i].uc_link = &loop;
		if (i == 7)
			sigaddset(&own[i].uc_sigmask, SIGUSR1);
		makecontext(&own[i], (void (*)(void))run, 2, i - 1, 1);
	}
	while (left > 0)
		for (current = 0; current < COUNT; current++)
			if (own[current].uc_link && sums[current] >= 0) {
				int before = left;

				swapcontext(&loop, &own[current]);
				if (left < before)
					own[current].uc_link = NULL;
			}
	current = -1;
	for (int i = 0; i < COUNT; i++)
		sum += sums[i];
	printf("sum %ld, handled %ld, on their stacks %ld\n", sum, handled, on_stack);
	sigpending(&set);
	printf("pending %d\n", sigismember(&set, SIGUSR1));
	for (volatile int i = 0; i < 100; i++)
		if (sigsetjmp(place, 1) == 0)
			raise(SIGUSR2);
	sigprocmask(SIG_SETMASK, NULL, &set);
	printf("blocked %d %d\n", sigismember(&set, SIGUSR1), sigismember(&set, SIGUSR2));
	return 0;
}
