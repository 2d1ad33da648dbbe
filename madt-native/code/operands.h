/* The memory operands of one instruction, in the order in which it accesses them. */
#ifndef MADT_OPERANDS_H
#define MADT_OPERANDS_H

#include <Zydis/Zydis.h>

#include "madt_layout.h"

#define OPERANDS_MAX ZYDIS_MAX_OPERAND_COUNT

struct instruction {
	uint64_t address; /* ELF virtual address */
	ZydisDecodedInstruction decoded;
	ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
};

/* Loads come before stores; a modify is one operand. Returns how many were written to `out`. */
unsigned operands_describe(const struct instruction *instruction, struct madt_code_operand out[OPERANDS_MAX]);

#endif
