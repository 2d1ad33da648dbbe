/*
 * Instructions of seccomp filters: classic BPF (Linux Documentation/networking/filter.rst), as the
 * kernel executes it.
 */
#ifndef MADT_FILTER_H
#define MADT_FILTER_H

#include <linux/filter.h>
#include <stdbool.h>
#include <stdint.h>

/* Returns what an instruction of class BPF_ALU makes of the accumulator and its operand. */
static inline uint32_t madt_filter_arithmetic(uint16_t operation, uint32_t a, uint32_t b)
{
	switch (operation) {
	case BPF_ADD:
		return a + b;
	case BPF_SUB:
		return a - b;
	case BPF_MUL:
		return a * b;
	case BPF_DIV:
		return b ? a / b : 0;
	case BPF_MOD:
		return b ? a % b : 0;
	case BPF_OR:
		return a | b;
	case BPF_AND:
		return a & b;
	case BPF_XOR:
		return a ^ b;
	case BPF_LSH:
		return b < 32 ? a << b : 0;
	case BPF_RSH:
		return b < 32 ? a >> b : 0;
	default:
		return -a; /* BPF_NEG */
	}
}

/* Returns whether a conditional jump is taken. */
static inline bool madt_filter_jumps(uint16_t operation, uint32_t a, uint32_t b)
{
	return operation == BPF_JEQ    ? a == b
			: operation == BPF_JGT ? a > b
			: operation == BPF_JGE ? a >= b
								   : (a & b) != 0;
}

#endif
