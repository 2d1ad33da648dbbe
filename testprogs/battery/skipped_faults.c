/* A handler of SIGSEGV steps over the instruction that faulted, on a stack of its own, and edits
 * registers. */
/* flags: -O1 */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <ucontext.h>

#define PAGE 4096

static int faults;
static char *wanted;

static void on_fault(int signal, siginfo_t *info, void *context)
{
	ucontext_t *state = context;

	(void)signal;
	faults += info->si_addr == wanted && info->si_code == SEGV_ACCERR;
	state->uc_mcontext.gregs[REG_RAX] = 100 + faults;
	state->uc_mcontext.gregs[REG_RIP] += 3; /* movzbl (%rdi),%eax */
}

static long load(const char *from)
{
	long value = 7;

	__asm__ volatile("movzbl (%1),%%eax" : "+a"(value) : "D"(from) : "memory");
	return value;
}

int main(void)
{
	stack_t stack = { .ss_sp = malloc(1 << 16), .ss_size = 1 << 16 };
	struct sigaction action = { .sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_ONSTACK };
	char *page = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	sigaltstack(&stack, NULL);
	sigaction(SIGSEGV, &action, NULL);
	page[5] = 42;
	wanted = page + 5;
	for (int round = 0; round < 3; round++) {
		printf("%ld", load(wanted));
		mprotect(page, PAGE, PROT_NONE);
		printf(" %ld", load(wanted));
		mprotect(page, PAGE, PROT_READ);
		printf(" %ld, %d faults\n", load(wanted), faults);
	}
	return 0;
}
