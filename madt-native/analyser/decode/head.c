/*
 * The bytes of an instruction that come before its displacement and its immediate value (SDM vol.
 * 2, 2.1 and appendix A):
 *
 *   prefixes, REX | opcode, or escape and opcode | ModRM | SIB
 *
 * No instruction's head is the beginning of another's, since a processor reads it byte by byte.
 */
#include "decode/decoder.h"

#define PREFIXES_MAX 8

static bool is_prefix(uint8_t byte)
{
	switch (byte) {
	case 0x26:
	case 0x2e:
	case 0x36:
	case 0x3e:
	case 0x64:
	case 0x65:
	case 0x66:
	case 0xf0:
	case 0xf2:
	case 0xf3:
		return true;
	default:
		return byte >> 4 == 4;
	}
}

static bool one_byte_has_modrm(uint8_t opcode)
{
	if (opcode < 0x40)
		return (opcode & 7) < 4;
	switch (opcode >> 3) {
	case 0x80 >> 3:
	case 0x88 >> 3:
	case 0xd8 >> 3: /* 80 to 8f, d8 to df */
		return true;
	case 0xc0 >> 3:
		return opcode != 0xc2 && opcode != 0xc3;
	case 0xd0 >> 3:
		return opcode < 0xd4;
	case 0xf0 >> 3:
	case 0xf8 >> 3:
		return (opcode & 7) > 5;
	default:
		return opcode == 0x63 || opcode == 0x69 || opcode == 0x6b;
	}
}

static bool two_byte_has_modrm(uint8_t opcode)
{
	switch (opcode >> 4) {
	case 0x3:
	case 0x8:
		return false;
	case 0x0:
		return opcode < 4 || opcode == 0x0d;
	case 0xa:
		return (opcode & 7) > 2;
	case 0xc:
		return opcode < 0xc8;
	default:
		return opcode != 0x77;
	}
}

static unsigned modrm_length(const uint8_t *modrm)
{
	return *modrm >> 6 != 3 && (*modrm & 7) == 4 ? 2 : 1;
}

/* Behind 0f. */
static unsigned escaped_length(const uint8_t *bytes)
{
	if (bytes[0] == 0x0f)
		return 0; /* 3DNow!: the last byte is the opcode */
	if (bytes[0] == 0x38 || bytes[0] == 0x3a)
		return 2 + modrm_length(bytes + 2);
	return 1 + (two_byte_has_modrm(bytes[0]) ? modrm_length(bytes + 1) : 0);
}

/* `opcode`: behind a VEX prefix. */
static unsigned vex_length(const uint8_t *opcode)
{
	return *opcode == 0x77 ? 1 : 1 + modrm_length(opcode + 1);
}

unsigned head_length(const uint8_t *bytes)
{
	unsigned at = 0;
	unsigned behind;
	while (is_prefix(bytes[at]))
		if (++at > PREFIXES_MAX)
			return 0;
	const uint8_t opcode = bytes[at];
	switch (opcode) {
	case 0x62: /* EVEX: its displacements are scaled */
	case 0x8f: /* or XOP */
	case 0xc8: /* enter: the immediate values say what it accesses */
	case 0xa0:
	case 0xa1:
	case 0xa2:
	case 0xa3: /* an address of 8 bytes */
		return 0;
	case 0x0f:
		behind = escaped_length(bytes + at + 1);
		return behind ? at + 1 + behind : 0;
	case 0xc4:
		return at + 3 + vex_length(bytes + at + 3);
	case 0xc5:
		return at + 2 + vex_length(bytes + at + 2);
	default:
		return at + 1 + (one_byte_has_modrm(opcode) ? modrm_length(bytes + at + 1) : 0);
	}
}
