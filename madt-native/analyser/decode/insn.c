#include "decode/insn.h"

static register_set register_bit(ZydisRegister name)
{
	switch (ZydisRegisterGetClass(name)) {
	case ZYDIS_REGCLASS_GPR8:
	case ZYDIS_REGCLASS_GPR16:
	case ZYDIS_REGCLASS_GPR32:
	case ZYDIS_REGCLASS_GPR64:
		return (register_set)(1u
				<< ZydisRegisterGetId(ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64,
						   name)));
	default:
		return 0;
	}
}

static bool register_is_foreign(ZydisRegister name)
{
	ZydisRegisterClass class = ZydisRegisterGetClass(name);
	return !register_bit(name) && class != ZYDIS_REGCLASS_FLAGS && class != ZYDIS_REGCLASS_IP;
}

/*
 * Instructions whose 32- or 64-bit destination keeps its old value in some case, whatever Zydis
 * says.
 */
static bool destination_may_stay(const ZydisDecodedInstruction *instruction)
{
	switch (instruction->mnemonic) {
	case ZYDIS_MNEMONIC_BSF: /* AMD manual vol. 3: unchanged if the source is 0 */
	case ZYDIS_MNEMONIC_BSR:
	case ZYDIS_MNEMONIC_TZCNT: /* is bsf on processors without BMI1 */
	case ZYDIS_MNEMONIC_LZCNT:
	case ZYDIS_MNEMONIC_LAR:
	case ZYDIS_MNEMONIC_LSL:
	case ZYDIS_MNEMONIC_CMPXCHG:
		return true;
	default:
		return instruction->meta.category == ZYDIS_CATEGORY_CMOV;
	}
}

static void register_note(const struct decoded *decoded, const ZydisDecodedOperand *operand,
		struct insn *insn)
{
	register_set bit = register_bit(operand->reg.value);
	if (operand->actions & ZYDIS_OPERAND_ACTION_MASK_READ) {
		insn->reads |= bit;
		if (register_is_foreign(operand->reg.value))
			insn->flags |= INSN_FOREIGN;
	}
	if (!(operand->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE))
		return;
	insn->writes |= bit;
	if (operand->actions & ZYDIS_OPERAND_ACTION_WRITE && operand->size >= 32
			&& !destination_may_stay(&decoded->instruction))
		insn->kills |= bit;
}

static void operand_note(const struct decoded *decoded, const ZydisDecodedOperand *operand,
		struct insn *insn)
{
	if (operand->type == ZYDIS_OPERAND_TYPE_REGISTER)
		register_note(decoded, operand, insn);
	if (operand->type != ZYDIS_OPERAND_TYPE_MEMORY)
		return;
	insn->reads |= register_bit(operand->mem.base) | register_bit(operand->mem.index);
	/* a string instruction moves its pointers; of cmps and scas Zydis does not say so */
	if (decoded->instruction.meta.category == ZYDIS_CATEGORY_STRINGOP)
		insn->writes |= register_bit(operand->mem.base);
	if (operand->actions & ZYDIS_OPERAND_ACTION_MASK_READ
			&& operand->mem.type != ZYDIS_MEMOP_TYPE_AGEN)
		insn->flags |= INSN_LOADS;
}

/* xor eax, eax and sub eax, eax: what the register held does not matter. */
static bool clears_register(const struct decoded *decoded)
{
	const ZydisDecodedOperand *operands = decoded->operands;
	return (decoded->instruction.mnemonic == ZYDIS_MNEMONIC_XOR
				   || decoded->instruction.mnemonic == ZYDIS_MNEMONIC_SUB)
			&& operands[0].type == ZYDIS_OPERAND_TYPE_REGISTER
			&& operands[1].type == ZYDIS_OPERAND_TYPE_REGISTER
			&& operands[0].reg.value == operands[1].reg.value && operands[0].size >= 32;
}

/*
 * Instructions that leave the program, or of whose registers Zydis may not know all: every register
 * counts as read.
 */
static bool reads_everything(const ZydisDecodedInstruction *instruction)
{
	switch (instruction->meta.category) {
	case ZYDIS_CATEGORY_CALL:
	case ZYDIS_CATEGORY_RET:
	case ZYDIS_CATEGORY_SYSCALL:
	case ZYDIS_CATEGORY_SYSRET:
	case ZYDIS_CATEGORY_SYSTEM:
	case ZYDIS_CATEGORY_INTERRUPT:
	case ZYDIS_CATEGORY_VTX:
	case ZYDIS_CATEGORY_SGX:
	case ZYDIS_CATEGORY_UINTR:
	case ZYDIS_CATEGORY_PADLOCK:
	case ZYDIS_CATEGORY_PCONFIG:
	case ZYDIS_CATEGORY_CLZERO:
	case ZYDIS_CATEGORY_ENQCMD:
	case ZYDIS_CATEGORY_RDWRFSGS:
	case ZYDIS_CATEGORY_SEGOP:
	case ZYDIS_CATEGORY_MISC: /* ud2, cpuid, … */
		return instruction->mnemonic != ZYDIS_MNEMONIC_LEA
				&& instruction->mnemonic != ZYDIS_MNEMONIC_CPUID
				&& instruction->mnemonic != ZYDIS_MNEMONIC_LEAVE
				&& instruction->mnemonic != ZYDIS_MNEMONIC_ENTER
				&& instruction->mnemonic != ZYDIS_MNEMONIC_PAUSE;
	default:
		return instruction->mnemonic == ZYDIS_MNEMONIC_XBEGIN
				|| instruction->mnemonic == ZYDIS_MNEMONIC_XABORT
				|| instruction->mnemonic == ZYDIS_MNEMONIC_HLT;
	}
}

static void registers_describe(const struct decoded *decoded, struct insn *insn)
{
	for (unsigned i = 0; i < decoded->instruction.operand_count; i++)
		operand_note(decoded, &decoded->operands[i], insn);
	if (clears_register(decoded))
		insn->reads &= (register_set)~insn->kills;
	if (reads_everything(&decoded->instruction)) {
		insn->reads = REGISTERS_ALL;
		insn->writes = REGISTERS_ALL;
		insn->kills = 0;
	}
}

static bool operand_is_target(const struct decoded *decoded)
{
	return decoded->operands[0].type == ZYDIS_OPERAND_TYPE_IMMEDIATE
			&& decoded->operands[0].imm.is_relative;
}

static enum insn_kind branch_kind(const struct decoded *decoded)
{
	switch (decoded->instruction.mnemonic) {
	case ZYDIS_MNEMONIC_JCXZ:
	case ZYDIS_MNEMONIC_JECXZ:
	case ZYDIS_MNEMONIC_JRCXZ:
	case ZYDIS_MNEMONIC_LOOP:
	case ZYDIS_MNEMONIC_LOOPE:
	case ZYDIS_MNEMONIC_LOOPNE:
	case ZYDIS_MNEMONIC_XBEGIN:
		return INSN_ODD;
	default:
		return decoded->instruction.operand_width == 16 ? INSN_ODD : INSN_BRANCH;
	}
}

/*
 * A far jump or call, one of 16 bits, or one with a bnd prefix (on calls: it is taken apart) keeps
 * its place.
 */
static enum insn_kind transfer_kind(const struct decoded *decoded, enum insn_kind direct,
		enum insn_kind indirect)
{
	const ZydisDecodedInstruction *instruction = &decoded->instruction;
	if (instruction->operand_width == 16 || instruction->meta.branch_type == ZYDIS_BRANCH_TYPE_FAR)
		return INSN_ODD;
	if (operand_is_target(decoded))
		return direct;
	bool prefixed = instruction->raw.prefix_count
			&& !(instruction->raw.prefix_count == 1
					&& (instruction->attributes
							& (ZYDIS_ATTRIB_HAS_REX | ZYDIS_ATTRIB_HAS_NOTRACK)));
	return indirect == INSN_CALL_INDIRECT && prefixed ? INSN_ODD : indirect;
}

static bool touches_gs(const struct decoded *decoded)
{
	return decoded->instruction.attributes & ZYDIS_ATTRIB_HAS_SEGMENT_GS
			|| decoded->instruction.mnemonic == ZYDIS_MNEMONIC_SWAPGS;
}

static enum insn_kind kind_describe(const struct decoded *decoded)
{
	const ZydisDecodedInstruction *instruction = &decoded->instruction;
	switch (instruction->meta.category) {
	case ZYDIS_CATEGORY_COND_BR:
		return branch_kind(decoded);
	case ZYDIS_CATEGORY_UNCOND_BR:
		return transfer_kind(decoded, INSN_JUMP, INSN_JUMP_INDIRECT);
	case ZYDIS_CATEGORY_CALL:
		return transfer_kind(decoded, INSN_CALL, INSN_CALL_INDIRECT);
	case ZYDIS_CATEGORY_RET:
		return instruction->meta.branch_type == ZYDIS_BRANCH_TYPE_FAR ? INSN_ODD : INSN_RETURN;
	case ZYDIS_CATEGORY_SYSCALL:
		return instruction->mnemonic == ZYDIS_MNEMONIC_SYSCALL && instruction->length == 2
				? INSN_SYSTEM
				: INSN_ODD;
	case ZYDIS_CATEGORY_CET:
	case ZYDIS_CATEGORY_SYSRET:
	case ZYDIS_CATEGORY_INTERRUPT:
	case ZYDIS_CATEGORY_SYSTEM:
	case ZYDIS_CATEGORY_UINTR:
	case ZYDIS_CATEGORY_RDWRFSGS:
	case ZYDIS_CATEGORY_SEGOP:
		return INSN_ODD;
	default:
		break;
	}
	bool stops = instruction->mnemonic == ZYDIS_MNEMONIC_UD0
			|| instruction->mnemonic == ZYDIS_MNEMONIC_UD1
			|| instruction->mnemonic == ZYDIS_MNEMONIC_UD2
			|| instruction->mnemonic == ZYDIS_MNEMONIC_HLT
			|| instruction->mnemonic == ZYDIS_MNEMONIC_XBEGIN;
	return stops || touches_gs(decoded) ? INSN_ODD : INSN_PLAIN;
}

static bool ends_flow(const struct insn *insn, const ZydisDecodedInstruction *instruction)
{
	switch (instruction->mnemonic) {
	case ZYDIS_MNEMONIC_JMP:
	case ZYDIS_MNEMONIC_IRET:
	case ZYDIS_MNEMONIC_IRETD:
	case ZYDIS_MNEMONIC_IRETQ:
	case ZYDIS_MNEMONIC_UIRET:
	case ZYDIS_MNEMONIC_UD0:
	case ZYDIS_MNEMONIC_UD1:
	case ZYDIS_MNEMONIC_UD2:
	case ZYDIS_MNEMONIC_HLT:
		return true;
	default:
		return insn->kind == INSN_RETURN || instruction->meta.category == ZYDIS_CATEGORY_RET;
	}
}

static void flow_describe(const struct decoded *decoded, struct insn *insn)
{
	const ZydisDecodedInstruction *instruction = &decoded->instruction;
	insn->kind = (uint8_t)kind_describe(decoded);
	if (ends_flow(insn, instruction))
		insn->flags |= INSN_ENDS;
	if (instruction->meta.category == ZYDIS_CATEGORY_NOP
			|| instruction->meta.category == ZYDIS_CATEGORY_WIDENOP)
		insn->flags |= INSN_NOP;
	if (instruction->meta.category == ZYDIS_CATEGORY_STRINGOP
			&& instruction->attributes
					& (ZYDIS_ATTRIB_HAS_REP | ZYDIS_ATTRIB_HAS_REPE | ZYDIS_ATTRIB_HAS_REPNE))
		insn->flags |= INSN_REP;
	bool direct = operand_is_target(decoded); /* of xbegin, too, which Zydis has for no branch */
	uint64_t target = direct
			? decoded->address + instruction->length + decoded->operands[0].imm.value.u
			: 0;
	if (target && target <= UINT32_MAX) {
		insn->target = (uint32_t)target;
		insn->flags |= INSN_BRANCHES;
	} else if (direct) {
		insn->kind = INSN_ODD;
	}
	insn->condition = instruction->opcode & 15;
}

static struct reference relative_describe(const struct decoded *decoded, struct insn *insn)
{
	const ZydisDecodedInstruction *instruction = &decoded->instruction;
	for (unsigned i = 0; i < instruction->operand_count_visible; i++) {
		const ZydisDecodedOperand *operand = &decoded->operands[i];
		if (operand->type != ZYDIS_OPERAND_TYPE_MEMORY)
			continue;
		if (operand->mem.base == ZYDIS_REGISTER_EIP)
			insn->kind = INSN_ODD;
		if (operand->mem.base != ZYDIS_REGISTER_RIP)
			continue;
		insn->relative = instruction->raw.disp.offset;
		return (struct reference){
			.address = decoded->address + instruction->length + (uint64_t)operand->mem.disp.value,
			.bytes = operand->size < 8 ? 1 : operand->size / 8u,
			.names_only = operand->mem.type == ZYDIS_MEMOP_TYPE_AGEN,
		};
	}
	return (struct reference){ .bytes = 0 };
}

struct reference insn_describe(const struct decoded *decoded, struct insn *insn)
{
	*insn = (struct insn){
		.address = (uint32_t)decoded->address,
		.site = INSN_NO_SITE,
		.length = decoded->instruction.length,
		.modrm = decoded->instruction.attributes & ZYDIS_ATTRIB_HAS_MODRM
				? decoded->instruction.raw.modrm.offset
				: 0,
	};
	registers_describe(decoded, insn);
	flow_describe(decoded, insn);
	return relative_describe(decoded, insn);
}
