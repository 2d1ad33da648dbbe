/* flags: -O1 */
/*
 * The floating-point, vector and mask registers with which a handler begins, what its frame shows
 * of the interrupted code, and what that code finds behind it: by signals of each kind, nested too.
 */
#define _GNU_SOURCE
#include <cpuid.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

#define AREA 16384
#define GENERAL __attribute__((target("general-regs-only")))

static uint8_t wanted[AREA] __attribute__((aligned(64))), after[AREA] __attribute__((aligned(64)));
static uint8_t entry[4][AREA] __attribute__((aligned(64))), frame[4][AREA];
static volatile int depth, entered, skip, edit;
static uint64_t mask; /* of x87, SSE, AVX and AVX-512 what there is, and protection keys */
static size_t size;

GENERAL static void save(uint8_t *to)
{
	__asm__ volatile("xsave64 %0" : "+m"(*(uint8_t(*)[AREA])to) : "a"((uint32_t)mask), "d"(0));
}

GENERAL static void load(const uint8_t *from)
{
	__asm__ volatile("xrstor64 %0" ::"m"(*(const uint8_t(*)[AREA])from), "a"((uint32_t)mask & ~512),
			"d"(0));
}

GENERAL static void handler(int number, siginfo_t *info, void *raw)
{
	ucontext_t *context = raw;
	uint8_t *area = (uint8_t *)context->uc_mcontext.fpregs;
	int mine = entered;

	save(entry[mine]);
	entered = mine + 1;
	(void)info;
	for (size_t i = 0; i < size + 4; i++)
		frame[mine][i] = area[i];
	context->uc_mcontext.gregs[REG_RIP] += number == SIGSEGV || number == SIGILL ? skip : 0;
	if (edit)
		area[24] ^= 0x40, area[160 + 48] ^= 0xff; /* denormals are zeros; xmm3 */
	load(wanted);
	if (depth && mine < 2)
		kill(getpid(), SIGUSR2);
}

static uint32_t hash(const uint8_t *at, size_t n)
{
	uint32_t sum = 2166136261u;

	while (n--)
		sum = (sum ^ *at++) * 16777619;
	return sum;
}

/* Shows where a component is; nothing of it is in use where its bit is 0. */
static void show(const char *what, const uint8_t *area)
{
	uint64_t used = *(const uint64_t *)(area + 512);

	printf("  %s: fcw %x fsw %x ftw %x mxcsr %x st %x xmm %x", what, *(const uint16_t *)area,
			*(const uint16_t *)(area + 2), area[4], *(const uint32_t *)(area + 24),
			hash(area + 32, 128), hash(area + 160, 256));
	for (unsigned i = 2; i < 10; i++) {
		unsigned bytes, offset, c, d;
		static const uint8_t zeros[2048];

		if (!(mask >> i & 1))
			continue;
		__cpuid_count(0xd, i, bytes, offset, c, d);
		printf(" %u:%x", i, hash(used >> i & 1 ? area + offset : zeros, i == 9 ? 4 : bytes));
	}
	printf("\n");
}

static void frame_show(const uint8_t *area)
{
	const struct _fpx_sw_bytes *software = (const void *)(area + 464);
	uint32_t end;

	memcpy(&end, area + software->xstate_size, 4);
	printf("  magic %d %d size %d features %d\n", software->magic1 == FP_XSTATE_MAGIC1,
			end == FP_XSTATE_MAGIC2, software->extended_size - software->xstate_size,
			(software->xstate_bv & mask) == mask);
	show("frame", area);
}

#define TRY(name, ...)                                 \
	entered = 0;                                       \
	load(wanted);                                      \
	__VA_ARGS__;                                       \
	save(after);                                       \
	printf("%s: %d\n", name, entered);                 \
	for (int i = 0; i < entered; i++)                  \
		show("entry", entry[i]), frame_show(frame[i]); \
	show("after", after)

static void tries(void)
{
	pid_t self = getpid();

	TRY("sent", kill(self, SIGUSR1));
	TRY("fault", skip = 2; __asm__ volatile("movb (%%rax), %%al" ::"a"(8L)));
	TRY("illegal", skip = 2; __asm__ volatile("ud2"));
	TRY("trap", __asm__ volatile("int3"));
	TRY("edited", edit = 1; kill(self, SIGUSR1); edit = 0);
	TRY("nested", depth = 1; kill(self, SIGUSR1); depth = 0);
}

int main(void)
{
	struct sigaction action = { .sa_sigaction = handler, .sa_flags = SA_SIGINFO | SA_NODEFER };
	static uint8_t stack[65536];
	unsigned a, b, c, d;

	__cpuid_count(0xd, 0, a, b, c, d);
	mask = a & 0x2e7;
	size = b;
	save(wanted);
	for (int i = 0; i < 8; i++)
		for (unsigned k = 2; k < 8; k++) {
			__cpuid_count(0xd, k, a, b, c, d);
			for (unsigned n = 0; (mask >> k & 1) && n < a; n++)
				wanted[b + n] = (uint8_t)(n * 7 + k);
		}
	for (int i = 0; i < 256; i++)
		wanted[160 + i] = (uint8_t)(i * 3 + 1);
	memcpy(wanted, "\x7f\x0f\x00\x38\xff", 5); /* rounds to zero; all eight registers are full */
	for (int i = 0; i < 8; i++)
		memcpy(wanted + 32 + i * 16, "\0\0\0\0\0\0\0\x80\xff\x3f", 10);
	*(uint32_t *)(wanted + 24) = 0x7f80 & ~0x1000; /* rounds up, with the inexact unmasked */
	*(uint64_t *)(wanted + 512) = mask & ~512ul;
	sigaltstack(&(stack_t){ .ss_sp = stack, .ss_size = sizeof stack }, NULL);
	for (int round = 0; round < 2; round++, action.sa_flags |= SA_ONSTACK) {
		sigaction(SIGUSR1, &action, NULL), sigaction(SIGUSR2, &action, NULL);
		sigaction(SIGSEGV, &action, NULL), sigaction(SIGILL, &action, NULL);
		sigaction(SIGTRAP, &action, NULL);
		tries();
	}
	return 0;
}
