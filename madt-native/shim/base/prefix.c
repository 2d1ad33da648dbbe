/* What the bytes of the target's instructions say. */
#include "base/base.h"

#define OPERAND_SIZE 0x66 /* prefix */

uint8_t trap_flag_instruction(uintptr_t code)
{
	const uint8_t *byte = (const uint8_t *)code;

	byte += *byte == OPERAND_SIZE;
	return *byte == PUSHF || *byte == POPF ? *byte : 0;
}

uint8_t segment_prefix(uintptr_t code, uintptr_t fault)
{
	const uint8_t *byte = (const uint8_t *)code;
	uint8_t last = 0;

	for (unsigned i = 0; i < INSN_BYTES_MAX && (uintptr_t)(byte + i) != fault; i++)
		switch (byte[i]) {
		case PREFIX_FS:
		case PREFIX_GS:
			last = byte[i];
			break;
		case 0x26: /* ES, CS, SS, DS: without effect */
		case 0x2e:
		case 0x36:
		case 0x3e:
		case 0x66:
		case 0x67:
		case 0xf0:
		case 0xf2:
		case 0xf3:
			break;
		default:
			return last;
		}
	return 0;
}

/* clflush: 0f ae /7, clflushopt with 66, clwb 66 0f ae /6 (Intel SDM volume 2) */
bool flushes_line(uintptr_t code)
{
	const uint8_t *byte = (const uint8_t *)code;
	bool sized = false;
	uint8_t operation;

	for (; *byte == OPERAND_SIZE || *byte == PREFIX_FS || *byte == PREFIX_GS || *byte == 0x67;
			byte++)
		sized |= *byte == OPERAND_SIZE;
	byte += (*byte & 0xf0) == 0x40; /* REX */
	operation = byte[0] == 0x0f && byte[1] == 0xae && byte[2] >> 6 != 3 ? byte[2] >> 3 & 7 : 0;
	return operation == 7 || (sized && operation == 6);
}
