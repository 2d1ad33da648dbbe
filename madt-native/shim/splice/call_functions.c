/*
 * Functions that probes call: MADT_PAYLOAD_ANSWER, MADT_PAYLOAD_FUNCTION. call_out.S calls them, in a critical section and
 * on MadT's stack.
 */
#include "splice/library.h"
#include "splice/splice.h"

#include "chain/chain.h"
#include "wrap/wrap.h"

#define FXSAVE_BYTES 512

/* Of all that XCR0 has switched on; FXSAVE_BYTES where there is no XSAVE. */
uint32_t call_out_bytes = FXSAVE_BYTES;

uint64_t call_out(uint64_t argument, const struct madt_probe_state *state);

uint64_t call_out(uint64_t argument, const struct madt_probe_state *state)
{
	switch (argument & ((1u << MADT_CALL_BITS) - 1)) {
	case MADT_CALL_STATE:
		return madt_probe_state_sum(state);
	case MADT_CALL_CHAIN:
		return chain_at(state, (uint32_t)(argument >> MADT_CALL_BITS));
	case MADT_CALL_LIBRARY:
	case MADT_CALL_GENERAL:
	case MADT_CALL_LOW:
		library_call(state, (uint32_t)(argument >> MADT_CALL_BITS));
		return 0;
	case MADT_CALL_GO_ENTER:
		go_enter(state);
		return 0;
	case MADT_CALL_GO_LEAVE:
		go_leave(state);
		return 0;
	default:
		return MADT_WORD_NONE;
	}
}
