/*
 * Accesses that fault and are made again when a handler has opened their page: what the handler
 * sees of the registers, and (by its first line, for match_mended.awk) where each access must have
 * been recorded once. A signal in the midst of a long string instruction. A child that ends by its
 * access.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#define PAGES 8
#define ROUNDS 20
#define FILLED 200000

extern const char mended_begin[], mended_end[], fill_begin[];
static char *pages;
static volatile long faults, astray, wrong;
static volatile long midst;

static void on_fault(int number, siginfo_t *info, void *raw)
{
	const greg_t *registers = ((ucontext_t *)raw)->uc_mcontext.gregs;
	const char *at = (const char *)registers[REG_RIP];

	(void)number;
	faults++;
	astray += at < mended_begin || at >= mended_end;
	wrong += registers[REG_RBX] != 0x1234567 || registers[REG_R12] != (greg_t)pages
			|| registers[REG_R13] != -7;
	mprotect((void *)((long)info->si_addr & -4096), 4096, PROT_READ | PROT_WRITE);
}

static long callee(void)
{
	return 77;
}

/* Each access is to a page of its own. */
static long accesses(void)
{
	long result;

	__asm__ volatile(
			"movq $0x1234567, %%rbx\n\tmovq %1, %%r12\n\tmovq $-7, %%r13\n"
			".globl mended_begin, mended_end\nmended_begin:\n\t"
			"movq (%%r12), %%rax\n\t"
			"addq %%rax, 0x1000(%%r12)\n\t"
			"movups 0x2000(%%r12), %%xmm0\n\t"
			"movups %%xmm0, 0x3000(%%r12)\n\t"
			"leaq 0x4000(%%r12), %%rsi\n\tleaq 0x5000(%%r12), %%rdi\n\tmovl $16, %%ecx\n\t"
			"rep movsb\n\t"
			"cmpxchgq %%rbx, 0x6000(%%r12)\n\t"
			"call *0x7000(%%r12)\n"
			"mended_end:\n\t"
			"addq %%rbx, %%rax\n\taddq %%r12, %%rax\n\tsubq %%r12, %%rax\n\taddq %%r13, %%rax\n"
			: "=&a"(result)
			: "r"(pages)
			: "rbx", "r12", "r13", "rsi", "rdi", "rcx", "rdx", "r8", "r9", "r10", "r11", "xmm0",
			"memory", "cc");
	return result;
}

static void install(int number, void (*handler)(int, siginfo_t *, void *))
{
	struct sigaction action = { .sa_flags = SA_SIGINFO };

	action.sa_sigaction = handler;
	sigaction(number, &action, NULL);
}

static void mended(void)
{
	long results = 0;

	install(SIGSEGV, on_fault);
	*(long (**)(void))(pages + 7 * 4096) = callee;
	for (int i = 0; i < ROUNDS; i++) {
		mprotect(pages, PAGES * 4096, PROT_NONE);
		results += accesses() == 77 + 0x1234567 - 7;
	}
	printf("%d pages: %ld faults, %ld astray, %ld wrong, %ld right results\n", PAGES, faults,
			astray, wrong, results);
	signal(SIGSEGV, SIG_DFL);
}

static void on_alarm(int number, siginfo_t *info, void *raw)
{
	const greg_t *registers = ((ucontext_t *)raw)->uc_mcontext.gregs;

	(void)number;
	(void)info;
	midst += (const char *)registers[REG_RIP] == fill_begin && registers[REG_RCX] > 0;
}

/* A handler need not wait until the last byte is stored. */
static void interrupted(void)
{
	struct itimerval timer = { { 0, 1000 }, { 0, 1000 } };
	static char bytes[FILLED];

	install(SIGALRM, on_alarm);
	setitimer(ITIMER_REAL, &timer, NULL);
	for (int i = 0; i < 2000 && !midst; i++) {
		char *to = bytes;
		long n = FILLED;

		__asm__ volatile(".globl fill_begin\nfill_begin: rep stosb"
						 : "+D"(to), "+c"(n)
						 : "a"(i)
						 : "memory");
	}
	memset(&timer, 0, sizeof timer);
	setitimer(ITIMER_REAL, &timer, NULL);
	printf("interrupted in the midst %d\n", midst > 0);
}

static void crashed(void)
{
	int status;

	fflush(stdout);
	if (fork() == 0) {
		*(volatile char *)(pages + PAGES * 4096) = 1;
		_exit(0);
	}
	wait(&status);
	printf("the child ended by signal %d\n", WTERMSIG(status));
}

int main(void)
{
	/* from a multiple of 64 KiB, so that their addresses begin with the same digits */
	pages = mmap(NULL, 0x20000, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	pages = (char *)(((long)pages + 0xffff) & -0x10000);
	mprotect(pages + PAGES * 4096, 4096, PROT_NONE);
	fprintf(stderr, "%p %p %p %d\n", (void *)pages, (void *)mended_begin, (void *)mended_end,
			ROUNDS);
	mended();
	interrupted();
	crashed();
	return 0;
}
