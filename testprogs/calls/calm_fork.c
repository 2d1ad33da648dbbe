/*
 * Calls `busy`, and then `busier`, as often as it can, while other threads fork one child after
 * another; their code is in another page. A child calls `seldom` a known number of times, and ends.
 * It prints how many children there were, and how many of them did not end as they should.
 *
 *   CHILDREN WRONG
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define ALONE __attribute__((noinline, noclone))
#define CALLS 1000
#define FORKERS 3

static unsigned long calls;
static volatile int done[FORKERS];
static volatile unsigned children[FORKERS];
static unsigned wrong[FORKERS];
static int most;

ALONE void busy(void)
{
	calls += 1;
	__asm__ volatile("nopl 8(%rax)"); /* room for a jump */
}

ALONE void busier(void)
{
	calls += 1;
	__asm__ volatile("nopl 8(%rax)"); /* room for a jump */
}

ALONE void seldom(void)
{
	calls += 1;
	__asm__ volatile("nopl 8(%rax)"); /* room for a jump */
}

static void child(void)
{
	calls = 0;
	for (int i = 0; i < CALLS; i++)
		seldom();
	_exit(calls == CALLS ? 7 : 1);
}

__attribute__((section(".text.apart"), aligned(4096))) static void *fork_often(void *number)
{
	long forker = (long)number;
	int status;

	for (int i = 0; i < most; i++) {
		pid_t forked = fork();

		if (!forked)
			child();
		children[forker]++;
		wrong[forker] += forked < 0 || waitpid(forked, &status, 0) != forked || !WIFEXITED(status)
				|| WEXITSTATUS(status) != 7;
	}
	done[forker] = 1;
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t forkers[FORKERS];
	unsigned all = 0, all_wrong = 0;

	most = argc > 1 ? atoi(argv[1]) : 20;
	for (long i = 0; i < FORKERS; i++)
		pthread_create(&forkers[i], NULL, fork_often, (void *)i);
	for (int i = 0; i < FORKERS; i++) {
		while (children[i] < (unsigned)most / 2)
			busy();
		while (!done[i])
			busier();
		pthread_join(forkers[i], NULL);
		all += children[i];
		all_wrong += wrong[i];
	}
	printf("%u %u\n", all, all_wrong);
	return all_wrong != 0;
}
