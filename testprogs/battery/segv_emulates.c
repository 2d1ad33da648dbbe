/* Handlers of faults that do the instruction's work, step over it, or make the memory usable. */
/* flags: -O1 */
#define _GNU_SOURCE
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

extern const char load_at[], store_at[], trap_end[];

static char *pages;
static volatile long emulated, opened, codes[4];

static void on_fault(int number, siginfo_t *info, void *raw)
{
	greg_t *r = ((ucontext_t *)raw)->uc_mcontext.gregs;
	const char *code = (const char *)r[REG_RIP];
	char *at = info->si_addr;

	if (number == SIGFPE) {
		codes[0] += info->si_code;
		r[REG_RAX] = 77, r[REG_RDX] = 0, r[REG_RIP] += 2; /* div %ecx */
	} else if (number == SIGILL) {
		codes[1] += info->si_code == ILL_ILLOPN;
		r[REG_RIP] += 2, r[REG_RBX]++; /* ud2 */
	} else if (number == SIGTRAP) {
		codes[2] += code == trap_end;
	} else if (at >= pages && at < pages + 4 * 4096) {
		mprotect((char *)((uintptr_t)at & ~4095ul), 4096, PROT_READ | PROT_WRITE);
		opened++;
	} else {
		codes[3] += info->si_code;
		if (code == load_at)
			r[REG_RAX] = 1000 + (greg_t)at % 1000, r[REG_RIP] += 2;
		else if (code == store_at)
			emulated += r[REG_RAX] & 0xffff, r[REG_RIP] += 2;
	}
}

int main(void)
{
	struct sigaction action = { .sa_sigaction = on_fault, .sa_flags = SA_SIGINFO };
	long loads = 0, divided = 0, count = 0;

	pages = mmap(NULL, 4 * 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	for (int i = 1; i < 32; i++)
		if (i == SIGSEGV || i == SIGFPE || i == SIGILL || i == SIGTRAP || i == SIGBUS)
			sigaction(i, &action, NULL);
	for (long i = 0; i < 200; i++) {
		int value = 5;

		__asm__ volatile("load_at: movl (%%rdi), %%eax" : "=a"(value) : "D"(i * 8) : "memory");
		loads += value;
		__asm__ volatile("store_at: movl %%eax, (%%rdi)" ::"a"(i), "D"(i * 8 + 64) : "memory");
		__asm__ volatile("divl %%ecx" : "=a"(value) : "a"(9), "d"(0), "c"(i % 3) : "cc");
		divided += value;
		__asm__ volatile("ud2" : "+b"(count));
		__asm__ volatile("int3; trap_end:");
	}
	printf("%ld %ld %ld %ld", loads, emulated, divided, count);
	printf(", %ld %ld %ld %ld\n", codes[0], codes[1], codes[2], codes[3]);
	for (int round = 0; round < 20; round++) {
		mprotect(pages, 4 * 4096, round % 2 ? PROT_READ : PROT_NONE);
		for (int i = 0; i < 4; i++)
			pages[i * 4096 + round] += (char)(round + i);
		memset(pages + 4000, round, 200);
	}
	for (int i = 0; i < 4 * 4096; i++)
		loads = loads * 31 + pages[i];
	printf("opened %ld, sum %lx\n", opened, loads);
	return 0;
}
