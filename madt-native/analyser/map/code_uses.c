/*
 * What all code of a file may use of the processor, whether or not it is ever reached: every
 * section that may be executed is read from its first byte to its last.
 */
#include <Zydis/Zydis.h>
#include <errno.h>

#include "base/failure.h"
#include "elf/text.h"
#include "madtcode.h"

static bool is_general(ZydisRegister number)
{
	switch (ZydisRegisterGetClass(number)) {
	case ZYDIS_REGCLASS_GPR8:
	case ZYDIS_REGCLASS_GPR16:
	case ZYDIS_REGCLASS_GPR32:
	case ZYDIS_REGCLASS_GPR64:
	case ZYDIS_REGCLASS_FLAGS:
	case ZYDIS_REGCLASS_IP:
	case ZYDIS_REGCLASS_SEGMENT:
		return true;
	default:
		return number == ZYDIS_REGISTER_NONE;
	}
}

/* Instructions of SSE leave the upper parts of vector registers as they are; those of AVX do not. */
static bool is_low(const ZydisDecodedInstruction *instruction, ZydisRegister number)
{
	return instruction->encoding == ZYDIS_INSTRUCTION_ENCODING_LEGACY
			&& (number == ZYDIS_REGISTER_MXCSR
					|| ZydisRegisterGetClass(number) == ZYDIS_REGCLASS_XMM);
}

static uint32_t register_uses(const ZydisDecodedInstruction *instruction, ZydisRegister number)
{
	return is_general(number)             ? 0
			: is_low(instruction, number) ? MADTCODE_USES_LOW
										  : MADTCODE_USES_OTHERS;
}

static bool enters_kernel(const ZydisDecodedInstruction *instruction)
{
	return instruction->meta.category == ZYDIS_CATEGORY_SYSCALL
			|| instruction->mnemonic == ZYDIS_MNEMONIC_INT;
}

static uint32_t uses_of(const ZydisDecodedInstruction *instruction,
		const ZydisDecodedOperand *operands)
{
	uint32_t uses = enters_kernel(instruction) ? MADTCODE_USES_KERNEL : 0;
	for (unsigned i = 0; i < instruction->operand_count && uses != MADTCODE_USES_KERNEL; i++)
		if (operands[i].type == ZYDIS_OPERAND_TYPE_REGISTER)
			uses |= register_uses(instruction, operands[i].reg.value);
		else if (operands[i].type == ZYDIS_OPERAND_TYPE_MEMORY)
			uses |= register_uses(instruction, operands[i].mem.index);
	return uses;
}

/* Bytes that are no instruction may be any. */
static uint32_t uses_in(const ZydisDecoder *decoder, const struct text_area *area)
{
	ZydisDecodedInstruction instruction;
	ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
	uint32_t uses = 0;
	for (uint64_t at = area->start; at < area->end; at += instruction.length) {
		const uint8_t *bytes = area->bytes + (at - area->start);
		if (ZYAN_FAILED(ZydisDecoderDecodeFull(decoder, bytes, area->end - at, &instruction,
					operands)))
			return uses | MADTCODE_USES_OTHERS;
		uses |= uses_of(&instruction, operands);
	}
	return uses;
}

int madtcode_uses(const char *elf_path, uint32_t *uses, char *error, size_t error_size)
{
	struct failure failure = { elf_path, error, error_size };
	struct elf_file file;
	struct text text = { 0 };
	ZydisDecoder decoder;
	int code = elf_file_open(&file, elf_path, &failure);
	if (!code)
		code = text_read(&text, &file);
	if (!code
			&& ZYAN_FAILED(ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64,
					ZYDIS_STACK_WIDTH_64)))
		code = failure_set(&failure, ENOTSUP, "no 64-bit code can be decoded");
	*uses = 0;
	for (uint32_t i = 0; i < text.count && !code; i++)
		*uses |= uses_in(&decoder, &text.areas[i]);
	text_free(&text);
	elf_file_close(&file);
	return code;
}
