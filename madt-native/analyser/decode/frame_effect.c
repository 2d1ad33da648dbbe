#include "decode/frame_effect.h"

static bool operand_is_register(const ZydisDecodedOperand *operand, ZydisRegister name)
{
	return operand->type == ZYDIS_OPERAND_TYPE_REGISTER && operand->reg.value == name;
}

static bool rbp_is_written(const struct decoded *decoded)
{
	for (unsigned i = 0; i < decoded->instruction.operand_count; i++) {
		const ZydisDecodedOperand *operand = &decoded->operands[i];
		if (operand->type != ZYDIS_OPERAND_TYPE_REGISTER
				|| !(operand->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE))
			continue;
		ZydisRegister name = operand->reg.value;
		if (name == ZYDIS_REGISTER_RBP || name == ZYDIS_REGISTER_EBP || name == ZYDIS_REGISTER_BP
				|| name == ZYDIS_REGISTER_BPL)
			return true;
	}
	return false;
}

static bool copies_rsp(const struct decoded *decoded)
{
	return decoded->instruction.mnemonic == ZYDIS_MNEMONIC_MOV
			&& operand_is_register(&decoded->operands[0], ZYDIS_REGISTER_RBP)
			&& operand_is_register(&decoded->operands[1], ZYDIS_REGISTER_RSP);
}

static bool restores_rbp(const struct decoded *decoded)
{
	return decoded->instruction.mnemonic == ZYDIS_MNEMONIC_LEAVE
			|| (decoded->instruction.mnemonic == ZYDIS_MNEMONIC_POP
					&& operand_is_register(&decoded->operands[0], ZYDIS_REGISTER_RBP));
}

enum frame_effect frame_effect_of(const struct decoded *decoded)
{
	if (decoded->instruction.mnemonic == ZYDIS_MNEMONIC_PUSH
			&& operand_is_register(&decoded->operands[0], ZYDIS_REGISTER_RBP))
		return FRAME_PUSHES;
	if (!rbp_is_written(decoded))
		return FRAME_NONE;
	if (restores_rbp(decoded))
		return FRAME_RESTORES;
	return copies_rsp(decoded) ? FRAME_COPIES : FRAME_LOSES;
}
