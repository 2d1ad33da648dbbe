#include "decode/stack_move.h"

#include <string.h>

#define WORD 8

static bool immediate_read(const uint8_t *at, unsigned length, int64_t *value)
{
	int32_t wide;
	if (length == 1) {
		*value = (int8_t)*at;
		return true;
	}
	if (length != sizeof wide)
		return false;
	memcpy(&wide, at, sizeof wide);
	*value = wide;
	return true;
}

/* push and pop, of a register, a constant or memory; `low` if no REX prefix names another one */
static bool pushes(const uint8_t *at, unsigned length, bool low, int64_t *by)
{
	const unsigned kind = at[0] >> 3, extension = length > 1 ? at[1] >> 3 & 7 : 0;
	if (kind == 0x50 >> 3 || at[0] == 0x68 || at[0] == 0x6a || (at[0] == 0xff && extension == 6))
		*by = -WORD;
	else if ((kind == 0x58 >> 3 && !(low && at[0] == 0x5c)) || (at[0] == 0x8f && extension == 0))
		*by = WORD;
	else
		return false;
	return true;
}

/* sub and add rsp, constant; lea rsp, [rsp + constant]: behind REX.W */
static bool adds(const uint8_t *at, unsigned length, int64_t *by)
{
	if (length < 3)
		return false;
	const bool arithmetic = (at[0] == 0x83 || at[0] == 0x81) && (at[1] == 0xec || at[1] == 0xc4);
	const bool lea = at[0] == 0x8d && (at[1] == 0x64 || at[1] == 0xa4) && at[2] == 0x24;
	if (!arithmetic && !lea)
		return false;
	const unsigned head = arithmetic ? 2 : 3;
	if (!immediate_read(at + head, length - head, by))
		return false;
	if (arithmetic && at[1] == 0xec)
		*by = -*by;
	return true;
}

bool stack_moves(const uint8_t *bytes, unsigned length, int64_t *by)
{
	const uint8_t rex = (bytes[0] & 0xf0) == 0x40 ? bytes[0] : 0;
	if (rex) {
		bytes++;
		length--;
	}
	if (rex == 0x48 && adds(bytes, length, by))
		return true;
	return length && pushes(bytes, length, !(rex & 1), by);
}
