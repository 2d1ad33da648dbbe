#include "decode/site.h"

/* Instructions with a memory operand that they do not access. */
static bool instruction_only_names_memory(const ZydisDecodedInstruction *instruction)
{
	switch (instruction->meta.category) {
	case ZYDIS_CATEGORY_NOP:
	case ZYDIS_CATEGORY_WIDENOP:
	case ZYDIS_CATEGORY_PREFETCH:
	case ZYDIS_CATEGORY_PREFETCHWT1:
	case ZYDIS_CATEGORY_CLDEMOTE:
	case ZYDIS_CATEGORY_CLFLUSHOPT:
	case ZYDIS_CATEGORY_CLWB:
	/* no kernel since Linux 5.6 switches it on: they are no-operations (SDM vol. 1, 17.4) */
	case ZYDIS_CATEGORY_MPX:
		return true;
	default:
		break;
	}
	switch (instruction->mnemonic) {
	case ZYDIS_MNEMONIC_CLFLUSH:
	case ZYDIS_MNEMONIC_INVLPG:
	case ZYDIS_MNEMONIC_UD0:
	case ZYDIS_MNEMONIC_UD1:
		return true;
	default: /* gather and scatter prefetches (AVX512PF) */
		return instruction->meta.exception_class == ZYDIS_EXCEPTION_CLASS_E12NP;
	}
}

static bool operand_is_access(const ZydisDecodedOperand *operand)
{
	return operand->type == ZYDIS_OPERAND_TYPE_MEMORY && operand->actions
			&& (operand->mem.type == ZYDIS_MEMOP_TYPE_MEM
					|| operand->mem.type == ZYDIS_MEMOP_TYPE_VSIB);
}

/*
 * cmps: the SDM leaves the order of its two loads open, and Zydis has rsi first. Valgrind's
 * translation, against which traces are compared, loads [rdi] first; so do we.
 */
static bool loads_in_reverse(const ZydisDecodedInstruction *instruction)
{
	switch (instruction->mnemonic) {
	case ZYDIS_MNEMONIC_CMPSB:
	case ZYDIS_MNEMONIC_CMPSW:
	case ZYDIS_MNEMONIC_CMPSD:
	case ZYDIS_MNEMONIC_CMPSQ:
		return instruction->meta.category == ZYDIS_CATEGORY_STRINGOP;
	default:
		return false;
	}
}

static unsigned operands_add(const struct decoded *decoded, bool loads, struct site *site,
		unsigned count)
{
	unsigned total = decoded->instruction.operand_count;
	bool reverse = loads_in_reverse(&decoded->instruction);
	for (unsigned i = 0; i < total; i++) {
		const ZydisDecodedOperand *source = &decoded->operands[reverse ? total - 1 - i : i];
		if (!operand_is_access(source))
			continue;
		struct madt_code_operand operand = operand_plain(decoded, source);
		if ((operand.access == MADT_LOAD) != loads)
			continue;
		operand_shape(decoded, source, &operand);
		operand_stack_shift(decoded, source, &operand);
		site->operands[count++] = operand;
	}
	return count;
}

static unsigned operands_describe(const struct decoded *decoded, struct site *site)
{
	if (instruction_only_names_memory(&decoded->instruction))
		return 0;
	if (decoded->instruction.mnemonic == ZYDIS_MNEMONIC_ENTER)
		return operands_enter(decoded, site->operands);
	unsigned count = operands_add(decoded, true, site, 0);
	count = operands_add(decoded, false, site, count);
	return count + operands_hidden(decoded, site->operands + count);
}

static uint8_t flags_describe(const ZydisDecodedInstruction *instruction)
{
	uint8_t flags = 0;
	if (instruction->meta.category == ZYDIS_CATEGORY_CALL)
		flags |= MADT_CODE_CALL;
	if (instruction->attributes
			& (ZYDIS_ATTRIB_HAS_REP | ZYDIS_ATTRIB_HAS_REPE | ZYDIS_ATTRIB_HAS_REPNE))
		flags |= MADT_CODE_REP;
	switch (instruction->mnemonic) {
	case ZYDIS_MNEMONIC_PUSHF:
	case ZYDIS_MNEMONIC_PUSHFD:
	case ZYDIS_MNEMONIC_PUSHFQ:
		return flags | MADT_CODE_PUSHF;
	case ZYDIS_MNEMONIC_POPF:
	case ZYDIS_MNEMONIC_POPFD:
	case ZYDIS_MNEMONIC_POPFQ:
	case ZYDIS_MNEMONIC_IRET: /* these pop them too, the trap flag included */
	case ZYDIS_MNEMONIC_IRETD:
	case ZYDIS_MNEMONIC_IRETQ:
	case ZYDIS_MNEMONIC_UIRET:
		return flags | MADT_CODE_POPF;
	default:
		return flags;
	}
}

static void target_describe(const struct decoded *decoded, struct madt_code_entry *entry)
{
	const ZydisDecodedOperand *operand = &decoded->operands[0];
	if (!(entry->flags & MADT_CODE_CALL) || operand->type != ZYDIS_OPERAND_TYPE_IMMEDIATE
			|| !operand->imm.is_relative)
		return;
	uint64_t target = decoded->address + decoded->instruction.length + operand->imm.value.u;
	if (target > UINT32_MAX)
		return; /* junk: no module has code there */
	entry->flags |= MADT_CODE_CALL_DIRECT;
	entry->target = (uint32_t)target;
}

bool site_describe(const struct decoded *decoded, struct site *site)
{
	unsigned count = operands_describe(decoded, site);
	unsigned words = 0;
	for (unsigned i = 0; i < count; i++)
		words += site->operands[i].elements;
	site->entry = (struct madt_code_entry){
		.offset = (uint32_t)decoded->address,
		.length = decoded->instruction.length,
		.flags = flags_describe(&decoded->instruction),
		.operands = (uint8_t)count,
		.words = (uint8_t)words,
	};
	target_describe(decoded, &site->entry);
	return count || site->entry.flags & MADT_CODE_CALL;
}
