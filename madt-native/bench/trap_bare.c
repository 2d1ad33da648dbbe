/*
 * The floor of engine `trap`: the four kernel operations of the paper's cycle and nothing else. A
 * store to a closed page faults, the SIGSEGV handler opens the page and sets the trap flag, the
 * store runs, the SIGTRAP handler closes the page.
 *
 * trap_bare ACCESSES: prints nanoseconds per access.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <ucontext.h>

static char *page;

static void on_fault(int number, siginfo_t *info, void *context)
{
	(void)number;
	(void)info;
	mprotect(page, 4096, PROT_READ | PROT_WRITE);
	((ucontext_t *)context)->uc_mcontext.gregs[REG_EFL] |= 0x100;
}

static void on_trap(int number, siginfo_t *info, void *context)
{
	(void)number;
	(void)info;
	mprotect(page, 4096, PROT_NONE);
	((ucontext_t *)context)->uc_mcontext.gregs[REG_EFL] &= ~0x100L;
}

int main(int argc, char **argv)
{
	long accesses = argc > 1 ? atol(argv[1]) : 100000;
	struct sigaction action = { .sa_flags = SA_SIGINFO };
	struct timespec begin, end;

	page = mmap(NULL, 3 * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (page == MAP_FAILED)
		return 1;
	page += 4096;
	page[0] = 1;
	action.sa_sigaction = on_fault;
	sigaction(SIGSEGV, &action, NULL);
	action.sa_sigaction = on_trap;
	sigaction(SIGTRAP, &action, NULL);
	mprotect(page, 4096, PROT_NONE);
	clock_gettime(CLOCK_MONOTONIC, &begin);
	for (long i = 0; i < accesses; i++)
		*(volatile char *)page = (char)i;
	clock_gettime(CLOCK_MONOTONIC, &end);
	printf("%.1f\n",
			((double)(end.tv_sec - begin.tv_sec) * 1e9 + (double)(end.tv_nsec - begin.tv_nsec))
					/ (double)accesses);
	return 0;
}
