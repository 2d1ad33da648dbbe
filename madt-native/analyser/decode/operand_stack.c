/* Accesses that follow from what an instruction is, not from an operand that it spells out. */
#include "decode/site.h"

static bool mnemonic_pops_to_memory(const struct decoded *decoded)
{
	return decoded->instruction.mnemonic == ZYDIS_MNEMONIC_POP
			&& decoded->operands[0].type == ZYDIS_OPERAND_TYPE_MEMORY;
}

void operand_stack_shift(const struct decoded *decoded, const ZydisDecodedOperand *source,
		struct madt_code_operand *operand)
{
	bool implicit = source->visibility == ZYDIS_OPERAND_VISIBILITY_HIDDEN;
	/*
	 * A push stores below rsp as it is before. Zydis gives the bare rsp for pushes and pops alike.
	 */
	if (implicit && source->mem.base == ZYDIS_REGISTER_RSP && operand->access == MADT_STORE)
		operand->displacement -= operand->size;
	/* SDM vol. 2, POP: an rsp-based destination is computed after rsp was incremented. */
	if (!implicit && operand->base == 4 && mnemonic_pops_to_memory(decoded))
		operand->displacement += operand->size;
}

static struct madt_code_operand stack_access(enum madt_access access, uint8_t base,
		int64_t displacement, unsigned size)
{
	return (struct madt_code_operand){
		.access = (uint8_t)access,
		.base = base,
		.index = MADT_REGISTER_NONE,
		.scale = 1,
		.flags = MADT_OPERAND_STACK | MADT_OPERAND_IMPLICIT,
		.mask = MADT_REGISTER_NONE,
		.size = (uint16_t)size,
		.elements = 1,
		.displacement = displacement,
	};
}

/*
 * SDM vol. 2, ENTER: pushes rbp; at nesting level L > 0 copies L - 1 frame pointers from below rbp,
 * then pushes its own.
 *
 *   rsp - 1 * size   rbp
 *   rsp - 2 * size   [rbp - 1 * size]        L - 1 of these, each a load and a store
 *   …
 *   rsp - (L + 1) * size   the new frame pointer
 */
unsigned operands_enter(const struct decoded *decoded, struct madt_code_operand *operands)
{
	const int size = decoded->instruction.operand_width == 16 ? 2 : 8;
	const int level = (int)(decoded->operands[1].imm.value.u & 31);
	unsigned count = 0;
	operands[count++] = stack_access(MADT_STORE, 4, -size, (unsigned)size);
	for (int i = 1; i < level; i++) {
		operands[count++] = stack_access(MADT_LOAD, 5, -i * size, (unsigned)size);
		operands[count++] = stack_access(MADT_STORE, 4, -(i + 1) * size, (unsigned)size);
	}
	if (level)
		operands[count++] = stack_access(MADT_STORE, 4, -(level + 1) * size, (unsigned)size);
	return count;
}

static struct madt_code_operand line_store(ZydisRegister base, bool address32)
{
	struct madt_code_operand operand = stack_access(MADT_STORE, (uint8_t)ZydisRegisterGetId(base),
			0, 64);
	operand.flags = MADT_OPERAND_IMPLICIT | (address32 ? MADT_OPERAND_ADDRESS32 : 0);
	return operand;
}

/*
 * CLZERO (AMD manual vol. 3) stores the 64-byte line around rax: the address is rax, not yet cut to
 * the line. ENQCMD (SDM vol. 2) stores 64 bytes where its register operand points. UIRET (SDM vol.
 * 2) pops rip, rflags and rsp.
 */
unsigned operands_hidden(const struct decoded *decoded, struct madt_code_operand *operands)
{
	bool address32 = decoded->instruction.address_width == 32;
	switch (decoded->instruction.mnemonic) {
	case ZYDIS_MNEMONIC_CLZERO:
		operands[0] = line_store(ZYDIS_REGISTER_RAX, address32);
		return 1;
	case ZYDIS_MNEMONIC_ENQCMD:
	case ZYDIS_MNEMONIC_ENQCMDS:
		operands[0] = line_store(decoded->operands[0].reg.value, address32);
		return 1;
	case ZYDIS_MNEMONIC_UIRET:
		operands[0] = stack_access(MADT_LOAD, 4, 0, 24);
		return 1;
	default:
		return 0;
	}
}
