/*
 * All that code can see of a thread: general registers, flags, x87, vector and mask registers, and
 * the red zone. Random ones, calls with them, and whether they are the same.
 */
#ifndef MADT_OUTS_STATE_H
#define MADT_OUTS_STATE_H

#include <cpuid.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "madt_payload.h"

#define EXTENDED_BYTES 12288
#define HEADER 512 /* of the extended state: which parts it has */
#define RED 15
#define FLAGS 0xcd5 /* those that instructions change */

struct state {
	uint64_t general[16];
	uint64_t flags;
	uint64_t red[RED]; /* the last words below the return address */
	uint64_t reserved[8];
	uint8_t extended[EXTENDED_BYTES] __attribute__((aligned(64)));
};
_Static_assert(offsetof(struct state, extended) == 320, "state_call");

struct cell {
	uint64_t none, value;
};

/* The code sees what is `before`, and leaves what is behind it. */
void state_call(const struct state *before, struct state *behind, const void *code);
__asm__(".text\n"
		"state_call:\n"
		".irp register, rbx, rbp, r12, r13, r14, r15, rsi, rdx\n"
		"	pushq %\\register\n"
		".endr\n"
		"	movl $-1, %eax\n"
		"	movl $-1, %edx\n"
		"	xrstor64 320(%rdi)\n"
		"	.set i, 0\n"
		"	.rept 15\n"
		"	movq 136 + 8 * i(%rdi), %rax\n"
		"	movq %rax, -128 + 8 * i(%rsp)\n"
		"	.set i, i + 1\n"
		"	.endr\n"
		/* no popfq: under a tracer that steps, the kernel may leave the trap flag behind one */
		"	movq 128(%rdi), %rax\n"
		"	testl $0x400, %eax\n"
		"	jz 1f\n"
		"	std\n"
		"1:	movl %eax, %edx\n"
		"	shrl $11, %edx\n"
		"	andl $1, %edx\n"
		"	movb %al, %ah\n"
		"	movb %dl, %al\n"
		"	addb $127, %al\n"
		"	sahf\n"
		"	movq 0(%rdi), %rax\n"
		"	movq 8(%rdi), %rcx\n"
		"	movq 16(%rdi), %rdx\n"
		"	movq 24(%rdi), %rbx\n"
		"	movq 40(%rdi), %rbp\n"
		"	movq 48(%rdi), %rsi\n"
		"	movq 64(%rdi), %r8\n"
		"	movq 72(%rdi), %r9\n"
		"	movq 80(%rdi), %r10\n"
		"	movq 88(%rdi), %r11\n"
		"	movq 96(%rdi), %r12\n"
		"	movq 104(%rdi), %r13\n"
		"	movq 112(%rdi), %r14\n"
		"	movq 120(%rdi), %r15\n"
		"	movq 56(%rdi), %rdi\n"
		"	call *(%rsp)\n"
		"	pushq %rax\n"
		"	movq 16(%rsp), %rax\n"
		"	popq 0(%rax)\n"
		"	movq %rcx, 8(%rax)\n"
		"	movq %rdx, 16(%rax)\n"
		"	movq %rbx, 24(%rax)\n"
		"	movq %rsp, 32(%rax)\n"
		"	movq %rbp, 40(%rax)\n"
		"	movq %rsi, 48(%rax)\n"
		"	movq %rdi, 56(%rax)\n"
		"	movq %r8, 64(%rax)\n"
		"	movq %r9, 72(%rax)\n"
		"	movq %r10, 80(%rax)\n"
		"	movq %r11, 88(%rax)\n"
		"	movq %r12, 96(%rax)\n"
		"	movq %r13, 104(%rax)\n"
		"	movq %r14, 112(%rax)\n"
		"	movq %r15, 120(%rax)\n"
		"	pushfq\n"
		"	popq 128(%rax)\n"
		"	.set i, 0\n"
		"	.rept 15\n"
		"	movq -128 + 8 * i(%rsp), %rcx\n"
		"	movq %rcx, 136 + 8 * i(%rax)\n"
		"	.set i, i + 1\n"
		"	.endr\n"
		"	movq %rax, %rdi\n"
		"	movl $-1, %eax\n"
		"	movl $-1, %edx\n"
		"	xsave64 320(%rdi)\n"
		"	cld\n"
		"	fninit\n"
		"	movq $0x1f80, (%rsp)\n"
		"	ldmxcsr (%rsp)\n"
		"	addq $16, %rsp\n"
		".irp register, r15, r14, r13, r12, rbp, rbx\n"
		"	popq %\\register\n"
		".endr\n"
		"	ret\n");
static unsigned parts; /* of the extended state, the first eight */
static unsigned sizes[8], offsets[8];

static uint64_t random_next(uint64_t *seed)
{
	*seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return *seed ^ *seed >> 29;
}

static void parts_find(void)
{
	unsigned high, c, d;

	__asm__("xgetbv" : "=a"(parts), "=d"(high) : "c"(0));
	parts &= 0xe7;
	for (unsigned i = 2; i < 8; i++)
		__cpuid_count(0xd, i, sizes[i], offsets[i], c, d);
}

static void state_make(struct state *state, uint64_t seed, struct cell *cell)
{
	uint8_t *extended = state->extended;

	memset(state, 0, sizeof *state);
	for (unsigned i = 0; i < 16; i++)
		state->general[i] = random_next(&seed);
	state->general[7] = (uint64_t)cell;
	state->flags = (random_next(&seed) & FLAGS) | 0x202;
	for (unsigned i = 0; i < RED; i++)
		state->red[i] = random_next(&seed);
	memcpy(extended, "\x7f\x03\0\0\xff", 5);
	memcpy(extended + 24, "\x80\x1f", 2);
	for (unsigned i = 32; i < 416; i++)
		extended[i] = (uint8_t)(i < 160 && i % 16 >= 10 ? 0 : random_next(&seed));
	for (unsigned part = 2; part < 8; part++)
		for (unsigned i = 0; parts >> part & 1 && i < sizes[part]; i++)
			extended[offsets[part] + i] = (uint8_t)random_next(&seed);
	memcpy(extended + HEADER, &parts, sizeof parts);
}

static bool extended_equal(const uint8_t *one, const uint8_t *other)
{
	bool equal = !memcmp(one, other, 5) && !memcmp(one + 24, other + 24, 4)
			&& !memcmp(one + 32, other + 32, 384);

	for (unsigned part = 2; part < 8; part++)
		equal &= !(parts >> part & 1)
				|| !memcmp(one + offsets[part], other + offsets[part], sizes[part]);
	return equal;
}

static bool states_equal(const struct state *one, const struct state *other)
{
	return !memcmp(one->general, other->general, sizeof one->general)
			&& !((one->flags ^ other->flags) & FLAGS)
			&& !memcmp(one->red, other->red, sizeof one->red)
			&& extended_equal(one->extended, other->extended);
}

/* Returns what MADT_CALL_STATE answers: rsp is that in the function. */
static uint64_t sum_of(const struct state *state, const struct state *behind)
{
	struct madt_probe_state seen = { .flags = 0 };

	memcpy(seen.general, state->general, sizeof seen.general);
	seen.general[4] = behind->general[4] - 8;
	return madt_probe_state_sum(&seen);
}

#endif
