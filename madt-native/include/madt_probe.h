/*
 * Probes: places in code at which something is recorded, and what. Whoever wants a plan says which
 * probes it has (madtcode.h). At each of them a run is recorded: a word of the probe's kind, which
 * holds the stack pointer, and behind it the words of its payload, in their order.
 *
 *   header | stack pointer, kind MADT_PROBE_ENTER | MADT_PAYLOAD_TIME | MADT_PAYLOAD_VALUE | ...
 *
 * Words of accesses have an enum madt_access instead. The numbers of all three do not overlap: in
 * plans and traces they stand in the same place. Kinds are below 16, payloads from there on.
 */
#ifndef MADT_PROBE_H
#define MADT_PROBE_H

#include <stdbool.h>
#include <stdint.h>

#include "madt_layout.h"

/* What happens at a probe. */
enum madt_probe_kind {
	/* memory is accessed: words of enum madt_access, without a payload, which hold the addresses */
	MADT_PROBE_ACCESS = 1,
	MADT_PROBE_ENTER = 4, /* a function is entered */
	MADT_PROBE_LEAVE = 5, /* it is left: at its return, with the same stack pointer */
	/*
	 * A basic block begins: where control may come from elsewhere, and behind what leads elsewhere,
	 * calls too. endbr64 stays in its place: the block's probe stands behind it.
	 */
	MADT_PROBE_BLOCK = 8,
	MADT_PROBE_BLOCK_END = 9,    /* its last instruction is about to run */
	MADT_PROBE_INSTRUCTION = 10, /* any instruction runs */
	MADT_PROBE_SYSTEM_CALL = 11, /* a system call is about to be made, or made again */
	MADT_PROBE_KINDS = 12
};

/* What a word of a payload tells. */
enum madt_payload {
	MADT_PAYLOAD_TIME = 6,     /* the time stamp counter; the first word of a payload, or none */
	MADT_PAYLOAD_VALUE = 7,    /* what a register or the stack holds; operand: enum madt_value */
	MADT_PAYLOAD_ADDRESS = 16, /* a register and a distance, or an address of the module */
	/* what lies there, and there, and so on: all ones where one of these cannot be read */
	MADT_PAYLOAD_MEMORY = 17,
	MADT_PAYLOAD_RETURN = 18,  /* where a function returns to, at MADT_PROBE_ENTER and _LEAVE */
	MADT_PAYLOAD_COUNTER = 19, /* how often this thread came to a probe with this counter */
	MADT_PAYLOADS = 20
};

/* Where a value is when a function is entered or left. */
enum madt_value {
	MADT_VALUE_GENERAL = 0, /* 16 general registers, as instructions number them */
	MADT_VALUE_VECTOR = 16, /* the low eight bytes of vector registers 0 to 7 */
	MADT_VALUE_STACK = 24,  /* eight words behind the return address: arguments on the stack */
	MADT_VALUES = 32
};

#define MADT_PROBE_WORDS 32u /* of a payload, fewer */
#define MADT_PROBE_COUNTERS 16u
#define MADT_PROBE_LOADS 3u /* of a word MADT_PAYLOAD_MEMORY, at most */

/* Of a word of a run: whether it is an access, and no probe's. */
static inline bool madt_is_access(unsigned code)
{
	return code >= MADT_LOAD && code <= MADT_MODIFY;
}

/* Whether it is the first one of a probe's. */
static inline bool madt_is_probe(unsigned code)
{
	return code == MADT_PROBE_ENTER || code == MADT_PROBE_LEAVE
			|| (code >= MADT_PROBE_BLOCK && code < MADT_PROBE_KINDS);
}

/* Whether it is one of a payload. */
static inline bool madt_is_payload(unsigned code)
{
	return code == MADT_PAYLOAD_TIME || code == MADT_PAYLOAD_VALUE
			|| (code >= MADT_PAYLOAD_ADDRESS && code < MADT_PAYLOADS);
}

#endif
