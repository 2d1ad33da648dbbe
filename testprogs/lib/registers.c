/*
 * Three loads in a row with every register in use; one after the other of them faults, and the
 * handler says whether each register is what it has to be. No register is free to record them with.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <ucontext.h>

static char *pages; /* the first can be read */
static unsigned wrong, faults;
uint64_t given[16], after[16]; /* by REG_ number: r8 to r15, rdi, rsi, rbp, rbx, rdx, rax, rcx */

/* Fills the registers from `given`, loads by r8, rdi and r14, and stores the registers to `after`.
 */
void loads(void);
__asm__(".pushsection .text\n"
		".globl loads\n.type loads, @function\nloads:\n.cfi_startproc\n"
		"push %rbx\n push %rbp\n push %r12\n push %r13\n push %r14\n push %r15\n"
		"lea given(%rip), %rax\n"
		"mov 0(%rax), %r8\n mov 8(%rax), %r9\n mov 16(%rax), %r10\n mov 24(%rax), %r11\n"
		"mov 32(%rax), %r12\n mov 40(%rax), %r13\n mov 48(%rax), %r14\n mov 56(%rax), %r15\n"
		"mov 64(%rax), %rdi\n mov 72(%rax), %rsi\n mov 80(%rax), %rbp\n mov 88(%rax), %rbx\n"
		"mov 96(%rax), %rdx\n mov 112(%rax), %rcx\n mov 104(%rax), %rax\n"
		"jmp 1f\n1:\n"
		"movq (%r8), %xmm0\n"
		"movq (%rdi), %xmm1\n"
		"movq (%r14), %xmm2\n"
		"jmp 2f\n2:\n"
		"mov %rax, 104+after(%rip)\n lea after(%rip), %rax\n"
		"mov %r8, 0(%rax)\n mov %r9, 8(%rax)\n mov %r10, 16(%rax)\n mov %r11, 24(%rax)\n"
		"mov %r12, 32(%rax)\n mov %r13, 40(%rax)\n mov %r14, 48(%rax)\n mov %r15, 56(%rax)\n"
		"mov %rdi, 64(%rax)\n mov %rsi, 72(%rax)\n mov %rbp, 80(%rax)\n mov %rbx, 88(%rax)\n"
		"mov %rdx, 96(%rax)\n mov %rcx, 112(%rax)\n"
		"pop %r15\n pop %r14\n pop %r13\n pop %r12\n pop %rbp\n pop %rbx\n ret\n"
		".cfi_endproc\n.size loads, . - loads\n.popsection");

static void on_fault(int number, siginfo_t *info, void *context)
{
	const greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;

	(void)number;
	(void)info;
	faults++;
	for (int i = 0; i < 15; i++)
		wrong += (uint64_t)registers[i] != given[i];
	mprotect(pages + 4096, 4096, PROT_READ);
}

static void load_with_fault(int position)
{
	static const int places[3] = { 0, 8, 6 }; /* r8, rdi, r14 */

	for (int i = 0; i < 15; i++)
		given[i] = 0x0101010101010101u * (unsigned)(i + 1);
	for (int i = 0; i < 3; i++)
		given[places[i]] = (uintptr_t)pages + 8 * (unsigned)i + (i == position ? 4096 : 0);
	mprotect(pages + 4096, 4096, PROT_NONE);
	loads();
	for (int i = 0; i < 15; i++)
		wrong += after[i] != given[i];
}

int main(void)
{
	struct sigaction action = { .sa_flags = SA_SIGINFO, .sa_sigaction = on_fault };

	pages = mmap(NULL, 2 * 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (pages == MAP_FAILED)
		return 1;
	sigaction(SIGSEGV, &action, NULL);
	for (int position = 0; position < 3; position++)
		load_with_fault(position);
	printf("%u faults, %u registers wrong\n", faults, wrong);
	return 0;
}
