/*
 * Calls a function with pointers that lead to numbers, and with some that lead nowhere; prints what
 * a probe at its entry has to see: the pointer, what it leads to, and what that does. A probe's load
 * that finds nothing is no fault of this program's: no handler is called, blocked or not.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>

#define ROUNDS 37
#define ONES UINT64_MAX

struct cell {
	struct cell *next;
	uint64_t number;
};

static volatile sig_atomic_t faults;

static void on_fault(int number)
{
	(void)number;
	faults++;
}

/* Goes round its loop ROUNDS times each time. */
__attribute__((noinline, noclone)) long probed(struct cell *cell)
{
	long rounds = 0;
	for (int i = 0; i < ROUNDS; i++) {
		__asm__ volatile("" : "+r"(rounds), "+r"(cell));
		rounds++;
	}
	return rounds;
}

static void round_make(struct cell *cell, uint64_t next, uint64_t number)
{
	probed(cell);
	printf("%#lx %#lx %#lx\n", (uint64_t)cell, next, number);
}

int main(void)
{
	struct sigaction action = { .sa_handler = on_fault };
	static struct cell second = { NULL, 1999993 }, first = { &second, 7 }, last = { NULL, 3 };
	struct cell *closed = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct cell *wild = (struct cell *)UINT64_C(0x8000000000000000);
	sigset_t all;

	sigaction(SIGSEGV, &action, NULL);
	for (int blocked = 0; blocked < 2; blocked++) {
		round_make(&first, (uint64_t)&second, 1999993);
		round_make(NULL, ONES, ONES);
		round_make(closed, ONES, ONES);
		round_make(wild, ONES, ONES);
		round_make(&last, 0, ONES);
		round_make(&first, (uint64_t)&second, 1999993);
		sigfillset(&all);
		sigprocmask(SIG_SETMASK, &all, NULL);
	}
	fprintf(stderr, "%d faults\n", faults);
	return faults != 0;
}
