/* x87, vector and processor state in instructions that compilers seldom write, and calls of 32 bits. */
/* flags: -O1 */
#define _GNU_SOURCE
#include <cpuid.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

static uint8_t area[8192] __attribute__((aligned(64)));
static uint64_t data[16] __attribute__((aligned(64)));
static long double extended[2];

static int has_states(void)
{
	unsigned a, b, c, d;

	return __get_cpuid(1, &a, &b, &c, &d) && c & 1 << 27 && c & 1 << 28;
}

static void states(void)
{
	uint64_t found[2] = { 0, 0 };

	if (!has_states())
		return;
	__asm__ volatile(
			"vmovdqu %1, %%ymm5\n\tmov $7, %%eax\n\txor %%edx, %%edx\n\txsave %0\n\t"
			"vpxor %%ymm5, %%ymm5, %%ymm5\n\tmov $7, %%eax\n\txrstor %0\n\tvmovdqu %%ymm5, %2"
			: "+m"(area), "+m"(data), "=m"(data[4])
			:
			: "rax", "rdx", "xmm5", "memory");
	memcpy(found, area + 512, sizeof found);
	printf("states: %d %d, %d\n", (int)(found[0] & 4), (int)found[1], memcmp(data, data + 4, 32));
}

static void x87(void)
{
	unsigned char environment[28], packed[10];
	uint16_t control, status;
	double sum;

	__asm__ volatile("fninit\n\tfnstcw %0\n\tfldpi\n\tfldl2e\n\tfnstenv %3\n\tfldenv "
					 "%3\n\tfaddp\n\tfstl %1\n\t"
					 "fnstsw %2\n\tfstpt %4"
					 : "=m"(control), "=m"(sum), "=m"(status), "=m"(environment),
					 "=m"(extended[0]));
	__asm__ volatile("fildll %1\n\tfbstp %0" : "=m"(packed) : "m"(data[8]));
	printf("x87: %x %.12f %x %d\n", control, sum, status & 0x3800, packed[0]);
	printf("saved: %.15Lf\n", extended[0]);
}

static void lines(void)
{
	/* flushed, prefetched, and as they were */
	__asm__ volatile("clflush %0\n\tprefetcht0 %0\n\tprefetchnta %0\n\tmfence" : "+m"(data[0]));
	printf("lines: %d\n", (int)data[0]);
}

static void strings(void)
{
	char from[] = "abcdefgh", to[16] = "";
	uint64_t count = 8, table[2] = { 0, 0 };
	void *source = from, *target = to;
	uint8_t index = 3;

	__asm__ volatile("rep movsb" : "+S"(source), "+D"(target), "+c"(count) : : "memory");
	__asm__ volatile("xlat" : "+a"(index) : "b"(from));
	__asm__ volatile("bts %1, %0" : "+m"(table) : "r"(70L) : "memory");
	__asm__ volatile("lock; cmpxchg16b %0"
					 : "+m"(area[64])
					 : "a"(0L), "d"(0L), "b"(5L), "c"(6L)
					 : "memory");
	printf("strings: %s %c %d\n", to, index, (int)table[1]);
}

static volatile int faulted;

static void fault(int number, siginfo_t *info, void *context)
{
	(void)number;
	(void)info;
	faulted = 1;
	((ucontext_t *)context)->uc_mcontext.gregs[REG_RIP] += 2;
}

/* A kernel can be built without them: then the instruction faults. */
static void old_calls(void)
{
	struct sigaction action = { .sa_sigaction = fault, .sa_flags = SA_SIGINFO };
	long parent = 0, absent = 0;

	sigaction(SIGSEGV, &action, NULL);
	__asm__ volatile("int $0x80" : "=a"(parent) : "0"(64L) : "memory"); /* getppid */
	__asm__ volatile("int $0x80" : "=a"(absent) : "0"(99999L) : "memory");
	printf("calls: %d %ld, faulted %d\n", parent > 0, absent, faulted);
}

int main(void)
{
	for (int i = 0; i < 16; i++)
		data[i] = (uint64_t)i + 1;
	for (int round = 0; round < 3; round++) {
		states();
		x87();
		lines();
		strings();
		old_calls();
	}
	return 0;
}
