/* One instruction and what it accesses, on its way from the decoder to the code map. */
#ifndef MADT_SITE_H
#define MADT_SITE_H

#include <Zydis/Zydis.h>
#include <stdbool.h>

#include "madt_layout.h"

#define SITE_OPERANDS_MAX 64 /* enter with 31 levels has 62 */

struct decoded {
	ZydisDecodedInstruction instruction;
	ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
	uint64_t address; /* ELF virtual address */
};

struct site {
	struct madt_code_entry entry; /* without first_operand */
	struct madt_code_operand operands[SITE_OPERANDS_MAX];
};

/*
 * Describes the instruction. False: it accesses no memory and calls nothing, so that the code map
 * leaves it out.
 */
bool site_describe(const struct decoded *decoded, struct site *site);

/* One memory operand as Zydis gives it: address, access, size, one PLAIN element. */
struct madt_code_operand operand_plain(const struct decoded *decoded,
		const ZydisDecodedOperand *source);

/*
 * Turns a plain operand into VECTOR, MASKED, COMPRESSED, BIT or XLAT where the instruction has such
 * a rule.
 */
void operand_shape(const struct decoded *decoded, const ZydisDecodedOperand *source,
		struct madt_code_operand *operand);

/*
 * The displacement of what pushes and pops: rsp as it is before the instruction, and pop's late
 * address.
 */
void operand_stack_shift(const struct decoded *decoded, const ZydisDecodedOperand *source,
		struct madt_code_operand *operand);

/*
 * The accesses of enter, and those that Zydis does not list. Returns how many operands there are
 * now.
 */
unsigned operands_enter(const struct decoded *decoded, struct madt_code_operand *operands);
unsigned operands_hidden(const struct decoded *decoded, struct madt_code_operand *operands);

#endif
