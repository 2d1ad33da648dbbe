/*
 * Probes: places in code at which something is recorded, and what. Whoever wants a plan says which
 * probes it has (madtcode.h). At each of them a record is written: a word of the probe's kind,
 * which holds the stack pointer, and behind it the words of its payload, in their order.
 *
 *   header | stack pointer, kind MADT_PROBE_ENTER | MADT_PAYLOAD_TIME | MADT_PAYLOAD_VALUE | ...
 *
 * Words of accesses have an enum madt_access instead. The numbers of all three do not overlap: in
 * plans and traces they stand in the same place. Kinds are below 16, payloads from there on.
 */
#ifndef MADT_PAYLOAD_H
#define MADT_PAYLOAD_H

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
	/*
	 * The function at this address is entered through a wrapper of libmadt.so's; nothing is
	 * recorded here. Its one word, MADT_PAYLOAD_ROLE, says what the function does.
	 */
	MADT_PROBE_HOOK = 12,
	/*
	 * Instruments of the user's stand here, several perhaps. Of its payload, words
	 * MADT_PAYLOAD_GUARD come first, then MADT_PAYLOAD_FUNCTION, and MADT_PAYLOAD_COUNT last; they
	 * stand in no record. The first ones are steps of a program that says whether the hit is to be
	 * taken; without that nothing happens. The next ones call functions. Each of the last ones adds
	 * one to a count of the thread's, before the functions. Without words of other kinds there
	 * is no record.
	 */
	MADT_PROBE_INSTRUMENT = 13,
	/*
	 * A function goes on, by a jump, in code that records no call: nobody sees it return. Its
	 * records are those of MADT_PROBE_LEAVE, which is of returns alone.
	 */
	MADT_PROBE_GONE = 14,
	MADT_PROBE_KINDS = 15
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
	MADT_PAYLOAD_ANSWER = 20,  /* what a function of libmadt.so answers: enum madt_call */
	/*
	 * Eight bytes of a text, from a multiple of 8: the piece with the text's first byte, or one
	 * behind it (madt_text_read). All ones where they cannot be read: no text in UTF-8 has these.
	 */
	MADT_PAYLOAD_TEXT = 21,
	MADT_PAYLOAD_ROLE = 22, /* of MADT_PROBE_HOOK alone: displacement[0] is MADT_HOOK_NAMED */
	/* of MADT_PROBE_INSTRUMENT alone: displacement[0] is the number of a count */
	MADT_PAYLOAD_COUNT = 23,
	/* likewise: a step of its guard, enum madt_guard */
	MADT_PAYLOAD_GUARD = 24,
	/* likewise: a function that is called, and answers nothing; place and so on as of ANSWER */
	MADT_PAYLOAD_FUNCTION = 25,
	MADT_PAYLOADS = 26
};

/*
 * Steps of a guard, which has a stack of 64-bit integers. The number of a step stands in the low
 * five bits of `piece`; above them the size of what it takes from the program: its logarithm to the
 * base 2, and MADT_GUARD_SIGNED; or MADT_GUARD_UNSIGNED of an operator. Where something cannot be
 * read, or a divisor is zero, the hit is refused.
 */
enum madt_guard {
	MADT_GUARD_SWITCH = 0, /* refuses while the switch displacement[0] is off */
	MADT_GUARD_TURN = 1,   /* turns that switch on, or off if displacement[1] is not 0 */
	MADT_GUARD_EVERY = 2,  /* takes each displacement[1]-th hit; the count displacement[0] counts */
	MADT_GUARD_HITS = 3,   /* counts a hit of the switch displacement[0], and takes it from number
							  * displacement[1] to number displacement[2]; 0: to any number */
	MADT_GUARD_CONSTANT = 4, /* displacement[0], the low half, and displacement[1] */
	MADT_GUARD_REGISTER = 5,
	MADT_GUARD_ADDRESS = 6, /* as MADT_PAYLOAD_ADDRESS */
	MADT_GUARD_MEMORY = 7,  /* as MADT_PAYLOAD_MEMORY, but for the size */
	MADT_GUARD_POINTER = 8, /* likewise of eight bytes; refuses if all of them are ones */
	MADT_GUARD_NOWHERE = 9, /* refuses */
	MADT_GUARD_NEGATE = 10, /* what is on top of the stack; so do the next two */
	MADT_GUARD_INVERT = 11,
	MADT_GUARD_NOT = 12,
	MADT_GUARD_MULTIPLY = 13, /* the two on top, so do those up to UNEQUAL; as in C */
	MADT_GUARD_DIVIDE = 14,
	MADT_GUARD_REMAINDER = 15,
	MADT_GUARD_ADD = 16,
	MADT_GUARD_SUBTRACT = 17,
	MADT_GUARD_LEFT = 18,  /* by 64 bits and more, or less than none: 0 */
	MADT_GUARD_RIGHT = 19, /* likewise: what stands in bit 63 */
	MADT_GUARD_AND = 20,
	MADT_GUARD_XOR = 21,
	MADT_GUARD_OR = 22,
	MADT_GUARD_LESS = 23,
	MADT_GUARD_AT_MOST = 24,
	MADT_GUARD_MORE = 25,
	MADT_GUARD_AT_LEAST = 26,
	MADT_GUARD_EQUAL = 27,
	MADT_GUARD_UNEQUAL = 28,
	/*
	 * Goes on if the top is not zero, or is for EITHER, which takes it away. Otherwise goes on
	 * behind the END that belongs to it, with the top as 0 or 1.
	 */
	MADT_GUARD_BOTH = 29,
	MADT_GUARD_EITHER = 30,
	/* displacement[0] = 0: the end of one of these, makes 0 or 1 of the top; 1: refuses if it is 0 */
	MADT_GUARD_END = 31,
	MADT_GUARDS = 32
};
#define MADT_GUARD_STEP 31u
#define MADT_GUARD_SIZE 5u /* a shift, of two bits */
#define MADT_GUARD_SIGNED 0x80u
#define MADT_GUARD_UNSIGNED 0x80u /* of DIVIDE, REMAINDER, RIGHT, and LESS to AT_LEAST */
#define MADT_GUARD_DEPTH 8u       /* of the stack, and of what has an END, at most */
#define MADT_GUARD_STEPS 255u     /* at most */

/* Where a value is at a probe. */
enum madt_value {
	MADT_VALUE_GENERAL = 0, /* 16 general registers, as instructions number them */
	MADT_VALUE_VECTOR = 16, /* the low eight bytes of vector registers 0 to 7 */
	MADT_VALUE_STACK = 24,  /* eight words behind the return address: arguments on the stack */
	MADT_VALUE_HIGH = 32,   /* the low eight bytes of vector registers 8 to 15 */
	MADT_VALUES = 40
};

/* Returns the number of a vector register, or -1: the value is elsewhere. */
static inline int madt_value_vector(unsigned place)
{
	return place >= MADT_VALUE_HIGH ? (int)(place - MADT_VALUE_HIGH + 8)
			: place >= MADT_VALUE_VECTOR && place < MADT_VALUE_STACK
			? (int)(place - MADT_VALUE_VECTOR)
			: -1;
}

/*
 * A time is read when all instructions in front of the probe have been executed, and not while the
 * last ones wait for memory: so who has got a lock has a later time than who has released it.
 */
#define MADT_TIME_ORDERED 1u

#define MADT_PROBE_WORDS 32u /* of a payload, fewer */
#define MADT_PROBE_COUNTERS 16u
#define MADT_PROBE_LOADS 3u  /* of a word MADT_PAYLOAD_MEMORY, at most; of _TEXT one fewer */
#define MADT_TEXT_PIECES 16u /* of a text, at most */
#define MADT_TEXT_PIECE 8u   /* bytes */

/* How a text ends that a probe has recorded. */
enum madt_text_end {
	MADT_TEXT_WHOLE = 0, /* with its NUL */
	MADT_TEXT_CUT = 1,   /* it goes on behind the pieces */
	MADT_TEXT_UNREAD = 2 /* it goes on where nothing can be read */
};

/*
 * The bytes of the text at an address, from its pieces in their order; `text` has room for all of
 * these. Returns how many there are, without the NUL.
 */
static inline uint32_t madt_text_read(uint64_t address, const uint64_t *pieces, uint32_t count,
		char *text, enum madt_text_end *end)
{
	uint32_t from = (uint32_t)(address % MADT_TEXT_PIECE), size = 0;

	*end = MADT_TEXT_CUT;
	for (uint32_t i = 0; i < count && *end == MADT_TEXT_CUT; i++, from = 0) {
		if (pieces[i] == MADT_WORD_NONE)
			*end = MADT_TEXT_UNREAD;
		for (; *end == MADT_TEXT_CUT && from < MADT_TEXT_PIECE; from++) {
			const char byte = (char)(pieces[i] >> 8 * from);

			if (byte)
				text[size++] = byte;
			else
				*end = MADT_TEXT_WHOLE;
		}
	}
	return size;
}

/* Functions that probes call: splice/call_out.c. */
enum madt_call {
	MADT_CALL_STATE = 0, /* madt_probe_state_sum, by which tests see what a function is given */
	/*
	 * The node of the chain of calls that control is in (CHAIN_NODE in docs/FORMAT.md), the place
	 * of the probe innermost; displacement[0] says how many calls of it, up to MADT_CHAIN_CALLS. 0:
	 * there is no room for a node.
	 */
	MADT_CALL_CHAIN = 1,
	/* a function of the user's, at the place displacement[0] of MADT_LIBRARY_PLACES_AT */
	MADT_CALL_LIBRARY = 2,
	/* likewise one that changes no registers but general ones: the others are not saved */
	MADT_CALL_GENERAL = 3,
	/* likewise one that changes besides the low parts of vector registers 0 to 15, and MXCSR */
	MADT_CALL_LOW = 4,
	/* Go's allocator is entered, and left: shim/wrap/wrap_go.c; they change no others either */
	MADT_CALL_GO_ENTER = 5,
	MADT_CALL_GO_LEAVE = 6,
	MADT_CALLS = 7
};
/* Such a function's argument: its number, and above these bits displacement[0]. */
#define MADT_CALL_BITS 8u

/* The target's registers and flags, as such a function gets them. */
struct madt_probe_state {
	uint64_t general[16];
	uint64_t flags;
	uint64_t code; /* the address of the instruction that comes next */
};

static inline uint64_t madt_probe_state_sum(const struct madt_probe_state *state)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < 16; i++)
		sum = sum * 31 + state->general[i];
	return sum;
}

/* Of a word of a record: whether it is an access, and no probe's. */
static inline bool madt_is_access(unsigned code)
{
	return code >= MADT_LOAD && code <= MADT_MODIFY;
}

/* Returns whether it is the first one of a probe's. */
static inline bool madt_is_probe(unsigned code)
{
	return code == MADT_PROBE_ENTER || code == MADT_PROBE_LEAVE
			|| (code >= MADT_PROBE_BLOCK && code < MADT_PROBE_KINDS);
}

/* Returns whether it is one of a payload. */
static inline bool madt_is_payload(unsigned code)
{
	return code == MADT_PAYLOAD_TIME || code == MADT_PAYLOAD_VALUE
			|| (code >= MADT_PAYLOAD_ADDRESS && code < MADT_PAYLOADS);
}

#endif
