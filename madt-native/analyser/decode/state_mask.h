/*
 * How much xsave and its kin access: edx:eax says which parts of the processor's state, and where
 * the instructions before them load a constant into eax, that is known here.
 */
#ifndef MADT_STATE_MASK_H
#define MADT_STATE_MASK_H

#include "decode/decoder.h"

struct state_mask {
	uint64_t next; /* address behind the instruction that was followed last */
	uint32_t eax;
	bool known;
};

/*
 * Follows an instruction of those that are read one behind the other. The operand of one that
 * accesses state gets its size; where the mask is not known it keeps that of the parts which are
 * always there, 576 bytes.
 */
void state_mask_follow(struct state_mask *mask, const uint8_t *bytes,
		struct instruction *instruction);

#endif
