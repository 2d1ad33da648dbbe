#include "map/frame_pointer.h"

#define PROLOGUE_INSTRUCTIONS 16 /* gcc's longest prologues, which realign the stack and save everything, stay below */

static bool operand_is_register(const ZydisDecodedOperand *operand, ZydisRegister name)
{
	return operand->type == ZYDIS_OPERAND_TYPE_REGISTER && operand->reg.value == name;
}

static bool rbp_is_written(const struct decoded *decoded)
{
	for (unsigned i = 0; i < decoded->instruction.operand_count; i++) {
		const ZydisDecodedOperand *operand = &decoded->operands[i];
		if (operand->type != ZYDIS_OPERAND_TYPE_REGISTER || !(operand->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE))
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

void frame_pointer_follow(struct frame_pointer *frame, const struct decoded *decoded, const struct code_map *map)
{
	bool early = frame->seen++ < PROLOGUE_INSTRUCTIONS;
	if (decoded->instruction.mnemonic == ZYDIS_MNEMONIC_PUSH
			&& operand_is_register(&decoded->operands[0], ZYDIS_REGISTER_RBP)) {
		frame->pushed = true;
		return;
	}
	if (!rbp_is_written(decoded) || restores_rbp(decoded))
		return;
	if (!frame->pushed || !copies_rsp(decoded) || (!frame->set && !early)) {
		frame->lost = true;
	} else if (!frame->set) {
		frame->set = true;
		frame->first_entry = map->entry_count;
	}
}

void frame_pointer_apply(const struct frame_pointer *frame, struct code_map *map)
{
	if (!frame->set || frame->lost)
		return;
	for (size_t i = frame->first_entry; i < map->entry_count; i++) {
		struct madt_code_operand *operand = map->operands + map->entries[i].first_operand;
		for (unsigned left = map->entries[i].operands; left; left--, operand++)
			if (operand->base == 5 && operand->segment == MADT_SEGMENT_NONE)
				operand->flags |= MADT_OPERAND_STACK;
	}
}
