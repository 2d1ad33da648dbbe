/*
 * Loads from addresses that may not be there. A fault at the load goes on behind it: the handler
 * asks load_resume.
 */
#ifndef MADT_LOAD_H
#define MADT_LOAD_H

#include "base/base.h"

/* Where the load stands, and where it goes on, as distances from the fields themselves. */
struct load_place {
	int32_t load, behind;
};

#define LOAD_TRY(instruction, at, value, failed)              \
	__asm__ volatile("1: " instruction " (%[from]), %[to]\n"  \
					 "\txorl %[bad], %[bad]\n"                \
					 "2:\n"                                   \
					 "\t.pushsection madt_loads, \"a\"\n"     \
					 "\t.long 1b - ., 2b - .\n"               \
					 "\t.popsection"                          \
					 : [to] "=&r"(value), [bad] "+&r"(failed) \
					 : [from] "r"(at)                         \
					 : "cc", "memory")

/* False, and the value is 0: it cannot be read. */
static inline bool load_word(uintptr_t at, uint64_t *value)
{
	uint32_t failed = 1;
	uint64_t word;

	LOAD_TRY("movq", at, word, failed);
	*value = failed ? 0 : word;
	return !failed;
}

static inline bool load_byte(uintptr_t at, uint8_t *value)
{
	uint32_t failed = 1, byte;

	LOAD_TRY("movzbl", at, byte, failed);
	*value = failed ? 0 : (uint8_t)byte;
	return !failed;
}

/* A fault of the thread's: true if it is at such a load, behind which the context goes on. */
bool load_resume(ucontext_t *context);

#endif
