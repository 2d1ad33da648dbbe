/* The bytes of a patch: its jump, and traps behind it. */
#include "text/text_layers.h"
#include "text/text_plan.h"

#define JUMP_BYTES 5
#define SHORT_BYTES 2

void jump_write(uint8_t *at, int32_t relative)
{
	*at = 0xe9;
	((struct number *)(at + 1))->value = (uint32_t)relative;
}

void patch_make(uint8_t *at, const struct madt_plan_patch *patch)
{
	if (patch->length == 1) {
		*at = 0xcc;
		return;
	}
	if (patch->tactic == MADT_TACTIC_NEAR) {
		at[0] = 0xeb;
		at[1] = (uint8_t)patch->relative;
	} else {
		jump_write(at, patch->relative);
	}
	for (unsigned i = patch->tactic == MADT_TACTIC_NEAR ? SHORT_BYTES : JUMP_BYTES;
			i < patch->length; i++)
		at[i] = 0xcc;
}
