/*
 * Calls `busy` as often as it can until its text is the file's, and then `busier` in the same way,
 * while other threads fork one child after another; their code is in another page. A child calls
 * `seldom` a known number of times, and ends. It prints how many children there were, how many of
 * them did not end as they should, and how many of the two functions are patched in the end.
 *
 *   CHILDREN WRONG PATCHED
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define ALONE __attribute__((noinline, noclone))
#define CALLS 1000
#define FORKERS 3
#define SECONDS 60

static unsigned long calls;
static volatile int done;
static unsigned children[FORKERS], wrong[FORKERS];
static int least;

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

	for (int i = 0; i < least || !done; i++) {
		pid_t forked = fork();

		if (!forked)
			child();
		children[forker]++;
		wrong[forker] += forked < 0 || waitpid(forked, &status, 0) != forked || !WIFEXITED(status)
				|| WEXITSTATUS(status) != 7;
	}
	return NULL;
}

/* By their addresses in data: text that an instruction names as its operand is not patched. */
static void (*volatile const functions[])(void) = { busy, busier };

static int is_patched(int function)
{
	return *(const volatile unsigned char *)functions[function] == 0xe9;
}

/* For so long that a jump that never leaves its text does not keep the program. */
static void call_while_patched(int function)
{
	time_t end = time(NULL) + SECONDS;

	do {
		for (int i = 0; i < CALLS; i++)
			functions[function]();
	} while (is_patched(function) && time(NULL) < end);
}

int main(int argc, char **argv)
{
	pthread_t forkers[FORKERS];
	unsigned all = 0, all_wrong = 0;

	least = argc > 1 ? atoi(argv[1]) : 20;
	for (long i = 0; i < FORKERS; i++)
		pthread_create(&forkers[i], NULL, fork_often, (void *)i);
	call_while_patched(0);
	call_while_patched(1);
	done = 1;
	for (int i = 0; i < FORKERS; i++) {
		pthread_join(forkers[i], NULL);
		all += children[i];
		all_wrong += wrong[i];
	}
	printf("%u %u %d\n", all, all_wrong, is_patched(0) + is_patched(1));
	return all_wrong != 0;
}
