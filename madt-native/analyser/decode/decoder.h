/*
 * Instructions as the walks want them, all at once. Most instructions of a module differ from one
 * before in no more than a displacement or an immediate value: what prefixes, opcode, ModRM and SIB
 * bytes decide is kept, and Zydis is asked only about what is new.
 */
#ifndef MADT_DECODER_H
#define MADT_DECODER_H

#include "decode/frame_effect.h"
#include "decode/insn.h"

struct instruction {
	struct insn insn;
	struct reference reference;
	struct site site;
	bool listed;   /* it belongs into a code map: it accesses memory or calls */
	bool locked;   /* has a lock prefix that counts */
	bool blank;    /* a no-operation, or int3 */
	uint8_t frame; /* enum frame_effect */
};

struct known; /* what is kept */

struct decoder {
	ZydisDecoder zydis;
	struct known *known;
	size_t count;
};

/*
 * False: Zydis cannot decode 64-bit code. Free in either case. Without memory it asks Zydis each
 * time.
 */
bool decoder_make(struct decoder *decoder);
void decoder_free(struct decoder *decoder);

#define DECODER_AHEAD 16 /* with fewer bytes at hand it asks Zydis */

/* The instruction at `bytes`, of which `available` can be read. False: there is none. */
bool decoder_read(struct decoder *decoder, const uint8_t *bytes, size_t available, uint64_t address,
		struct instruction *instruction);

/* The same by Zydis alone. */
bool decoder_ask(const struct decoder *decoder, const uint8_t *bytes, size_t available,
		uint64_t address, struct decoded *decoded, struct instruction *instruction);

/*
 * Returns how many bytes the prefixes, the opcode, ModRM and SIB take, of 16 that can be read; 0:
 * an encoding that is not kept.
 */
unsigned head_length(const uint8_t *bytes);

#endif
