/*
 * Functions that probes call: MADT_PAYLOAD_ANSWER. call_out.S calls them, in a critical section and
 * on MadT's stack.
 */
#include "splice/splice.h"

#define FXSAVE_BYTES 512

/* Of all that XCR0 has switched on; FXSAVE_BYTES where there is no XSAVE. */
uint32_t call_out_bytes = FXSAVE_BYTES;

uint64_t call_out(uint64_t number, const struct madt_probe_state *state);

uint64_t call_out(uint64_t number, const struct madt_probe_state *state)
{
	return number == MADT_CALL_STATE ? madt_probe_state_sum(state) : MADT_WORD_NONE;
}
