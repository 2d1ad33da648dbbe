/*
 * Which status flags the architecture defines, so that nothing is expected of those that it leaves
 * to each processor.
 */
#ifndef MADT_SPLICE_FLAGS_H
#define MADT_SPLICE_FLAGS_H

#include <stdbool.h>
#include <stdint.h>
#include <Zydis/Zydis.h>

#define STATUS_FLAGS 0x8d5u /* CF PF AF ZF SF OF */

/*
 * Returns whether this is a repeated scas or cmps. Between two of its iterations the status flags
 * are anybody's guess (SDM volume 2, REP: only registers are said to be kept up to date; after a
 * fault EFLAGS are those from before the instruction).
 */
bool flags_float_in(const ZydisDecodedInstruction *instruction);

/*
 * Of the status flags, those that are defined behind an instruction if `before` are in front of it.
 * `count` is rcx in front of it: a shift by zero and a repetition of no iteration leave all flags
 * as they are.
 */
uint32_t flags_defined_behind(const ZydisDecodedInstruction *instruction, uint64_t count,
		uint32_t before);

#endif
