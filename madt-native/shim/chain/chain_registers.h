/* Unwinding with all registers that calls keep: for frames of which no rule tells (chain_rule.h). */
#ifndef MADT_CHAIN_REGISTERS_H
#define MADT_CHAIN_REGISTERS_H

#include "chain/chain_table.h"

struct registers {
	uint64_t value[COLUMNS]; /* COLUMN_RETURN: the code */
	bool exact;              /* the code is an interrupted instruction, and no return address */
};

/* An address of the instruction that is at work: inside the call, or the interrupted one. */
static inline uintptr_t registers_code(const struct registers *registers)
{
	return (uintptr_t)registers->value[COLUMN_RETURN] - !registers->exact;
}

/* Fills them in as a signal frame of the target's has them; its context lies at `context`. */
bool registers_interrupted(struct registers *registers, uintptr_t context);

/* The caller's, in the place of those of the frame; false: nobody tells them. */
bool registers_out(struct registers *registers);

/* As the code behind it finds them; to be called where the frames of callers stay. */
#define REGISTERS_HERE(registers)                                                                 \
	__asm__ volatile(                                                                             \
			"movq %%rbx, %c[rbx](%[to])\n\tmovq %%rbp, %c[rbp](%[to])\n\t"                        \
			"movq %%rsp, %c[rsp](%[to])\n\tmovq %%r12, %c[r12](%[to])\n\t"                        \
			"movq %%r13, %c[r13](%[to])\n\tmovq %%r14, %c[r14](%[to])\n\t"                        \
			"movq %%r15, %c[r15](%[to])\n\tleaq 1f(%%rip), %%rax\n"                               \
			"1:\tmovq %%rax, %c[rip](%[to])"                                                      \
			:                                                                                     \
			: [to] "r"((registers)->value), [rbx] "i"(8 * COLUMN_RBX), [rbp] "i"(8 * COLUMN_RBP), \
			[rsp] "i"(8 * COLUMN_RSP), [r12] "i"(8 * COLUMN_R12), [r13] "i"(8 * COLUMN_R13),      \
			[r14] "i"(8 * COLUMN_R14), [r15] "i"(8 * COLUMN_R15), [rip] "i"(8 * COLUMN_RETURN)    \
			: "rax", "memory")

#endif
