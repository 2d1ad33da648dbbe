/*
 * A point that must leave all registers as they are: registers POINTS. Each time all of them are
 * given values, flags among them, and compared behind the point with what they were in front of it.
 * Prints how many words have changed, and of how many.
 */
#include <cpuid.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define AREA 16384
#define GENERAL 16
#define HEADER 512

uint8_t filled[AREA] __attribute__((aligned(64)));
uint8_t before[AREA] __attribute__((aligned(64)));
uint8_t after[AREA] __attribute__((aligned(64)));
uint64_t general[2][GENERAL];

/* The function `point`, and what surrounds it; `pass` keeps to the rules of calls. */
__asm__(".text\n"
		"	.globl point\n"
		"	.type point, @function\n"
		"point:\n"
		"	nop\n"
		"	nop\n"
		"	nop\n"
		"	nop\n"
		"	nop\n"
		"	nop\n"
		"	ret\n"
		"	.size point, . - point\n"
		"	.macro keep at\n"
		"	movq %rcx, 8 + \\at(%rip)\n"
		"	movq %rbx, 16 + \\at(%rip)\n"
		"	movq %rsp, 24 + \\at(%rip)\n"
		"	movq %rbp, 32 + \\at(%rip)\n"
		"	movq %rsi, 40 + \\at(%rip)\n"
		"	movq %rdi, 48 + \\at(%rip)\n"
		"	movq %r8, 56 + \\at(%rip)\n"
		"	movq %r9, 64 + \\at(%rip)\n"
		"	movq %r10, 72 + \\at(%rip)\n"
		"	movq %r11, 80 + \\at(%rip)\n"
		"	movq %r12, 88 + \\at(%rip)\n"
		"	movq %r13, 96 + \\at(%rip)\n"
		"	movq %r14, 104 + \\at(%rip)\n"
		"	movq %r15, 112 + \\at(%rip)\n"
		"	.endm\n"
		"	.globl pass\n"
		"	.type pass, @function\n"
		"pass:\n"
		"	pushq %rbx\n"
		"	pushq %rbp\n"
		"	pushq %r12\n"
		"	pushq %r13\n"
		"	pushq %r14\n"
		"	pushq %r15\n"
		"	movl $-1, %eax\n"
		"	movl $-1, %edx\n"
		"	xrstor64 filled(%rip)\n"
		"	xsave64 before(%rip)\n"
		"	movabsq $0x1122334455667788, %rcx\n"
		"	movq %rcx, %rbx\n"
		"	leaq 3(%rcx), %rbp\n"
		"	leaq 5(%rcx), %r8\n"
		"	leaq 7(%rcx), %r9\n"
		"	leaq 9(%rcx), %r10\n"
		"	leaq 11(%rcx), %r11\n"
		"	leaq 13(%rcx), %r12\n"
		"	leaq 15(%rcx), %r13\n"
		"	leaq 17(%rcx), %r14\n"
		"	leaq 19(%rcx), %r15\n"
		"	keep general\n"
		"	pushq %rdi\n" /* the flags that it asks for */
		"	popfq\n"
		"	call point\n"
		"	pushfq\n"
		"	cld\n"
		"	popq general + 248(%rip)\n"
		"	keep general + 128\n"
		"	movq %rdi, general + 120(%rip)\n"
		"	movl $-1, %eax\n"
		"	movl $-1, %edx\n"
		"	xsave64 after(%rip)\n"
		"	popq %r15\n"
		"	popq %r14\n"
		"	popq %r13\n"
		"	popq %r12\n"
		"	popq %rbp\n"
		"	popq %rbx\n"
		"	ret\n"
		"	.size pass, . - pass\n");

void pass(uint64_t flags);

/* Bytes of all parts of the state; vector and mask registers get values, x87 registers some. */
static unsigned fill(unsigned seed)
{
	unsigned a, size, c, d;
	const uint16_t control = 0x37f;
	const uint32_t mxcsr = 0x1f80;
	uint64_t parts = 7;

	__cpuid_count(13, 0, a, size, c, d);
	for (unsigned i = 0; i < size; i++)
		filled[i] = (uint8_t)(i * 7 + seed + 1);
	memset(filled + HEADER, 0, 64);
	memset(filled, 0, 160);
	for (unsigned i = 0; i < 8; i++) { /* of x87: 1.5 and such */
		filled[32 + 16 * i + 7] = (uint8_t)(0xc0 + i);
		filled[32 + 16 * i + 8] = 0xff;
		filled[32 + 16 * i + 9] = 0x3f;
	}
	memcpy(filled, &control, sizeof control);
	filled[4] = 0xff; /* all x87 registers are in use */
	memcpy(filled + 24, &mxcsr, sizeof mxcsr);
	parts |= a & 0xe0; /* AVX-512 */
	parts &= a;
	memcpy(filled + HEADER, &parts, sizeof parts);
	return size;
}

int main(int count, char **arguments)
{
	static const uint64_t flags[] = { 0x202, 0xa03, 0x293, 0x8d7, 0x602, 0xed7 };
	const int points = count > 1 ? atoi(arguments[1]) : 10;
	unsigned changed = 0, compared = 0;

	for (int i = 0; i < points; i++) {
		unsigned size = fill((unsigned)i);
		pass(flags[i % 6] | 0x202);
		for (unsigned k = 0; k < size; k++)
			changed += before[k] != after[k];
		for (unsigned k = 1; k < GENERAL; k++)
			changed += general[0][k] != general[1][k];
		compared += size + 8 * GENERAL;
	}
	printf("%u of %u\n", changed, compared);
	return 0;
}
