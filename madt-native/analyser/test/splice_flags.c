#include "splice_flags.h"

#define REPETITION (ZYDIS_ATTRIB_HAS_REP | ZYDIS_ATTRIB_HAS_REPE | ZYDIS_ATTRIB_HAS_REPNE)

static bool is_compare(const ZydisDecodedInstruction *instruction)
{
	switch (instruction->mnemonic) {
	case ZYDIS_MNEMONIC_CMPSB:
	case ZYDIS_MNEMONIC_CMPSW:
	case ZYDIS_MNEMONIC_CMPSD:
	case ZYDIS_MNEMONIC_CMPSQ:
	case ZYDIS_MNEMONIC_SCASB:
	case ZYDIS_MNEMONIC_SCASW:
	case ZYDIS_MNEMONIC_SCASD:
	case ZYDIS_MNEMONIC_SCASQ:
		return true;
	default:
		return false;
	}
}

bool flags_float_in(const ZydisDecodedInstruction *instruction)
{
	return instruction->attributes & REPETITION && is_compare(instruction);
}

/* Returns whether it does nothing at all if the count is zero. */
static bool counts(const ZydisDecodedInstruction *instruction)
{
	return instruction->attributes & REPETITION
			|| instruction->meta.category == ZYDIS_CATEGORY_SHIFT
			|| instruction->meta.category == ZYDIS_CATEGORY_ROTATE;
}

uint32_t flags_defined_behind(const ZydisDecodedInstruction *instruction, uint64_t count,
		uint32_t before)
{
	const ZydisAccessedFlags *flags = instruction->cpu_flags;
	if (!flags)
		return before;
	uint32_t written = flags->set_0 | flags->set_1;
	bool narrow = instruction->address_width == 32;
	if (!counts(instruction)
			|| (flags_float_in(instruction) && (narrow ? (uint32_t)count : count) != 0))
		written |= flags->modified;
	return ((before | written) & ~flags->undefined) & STATUS_FLAGS;
}
