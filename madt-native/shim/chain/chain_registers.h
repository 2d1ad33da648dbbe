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

#endif
