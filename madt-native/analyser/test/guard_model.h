/* Guards of instruments (enum madt_guard), made at random, and what comes of them. */
#ifndef MADT_GUARD_MODEL_H
#define MADT_GUARD_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "madtcode.h"

#define GUARD_ROOM 64 /* steps, at most */
#define GUARD_COUNT 7 /* the count that guards count in */

/* Makes the one with this number; returns how many steps it has. */
unsigned guard_make(struct madtcode_word *words, unsigned number);

enum guard_memory {
	GUARD_MEMORY_READ,
	GUARD_MEMORY_NONE, /* nothing is there */
	GUARD_MEMORY_VAGUE /* it may be something else in the target */
};

/* No hits have been so far. */
void guard_model_begin(void);

/*
 * Returns whether a hit with these registers is taken. `read`: memory; *vague becomes true where the
 * answer depends on what is vague.
 */
bool guard_takes(const struct madtcode_word *words, unsigned count, const uint64_t *general,
		enum guard_memory (*read)(uint64_t address, size_t size, uint64_t *value), bool *vague);

#endif
