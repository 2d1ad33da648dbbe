/*
 * Watches code instruction by instruction with the trap flag: first the module as it is, which
 * gives the accesses that are to be recorded and the state before each instruction; then the
 * spliced module, which must pass through the same states.
 */
#ifndef MADT_SPLICE_WATCH_H
#define MADT_SPLICE_WATCH_H

#include "map_file.h"
#include "splice_apply.h"

struct splice_state {
	uint64_t general[16]; /* in the order of encodings */
	uint64_t flags;
	uint64_t reserved;
	uint8_t fx[512]; /* as fxsave64 stores it */
} __attribute__((aligned(16)));

void splice_call(struct splice_state *state, const void *function, void *stack);

#define TRAP_FLAG 0x100

enum watch { WATCH_NOTHING, WATCH_ORIGINAL, WATCH_SPLICED };

/* What the module's own instructions access, as the code map has it; of the last WATCH_ORIGINAL. */
extern struct accesses expected;
extern unsigned long watched_steps, watched_boundaries;
/* Steps of the module as it is in front of which a flag is not defined by the architecture. */
extern unsigned long watched_open;

/* In front of each instruction of the module as it is; or NULL. */
extern void (*watch_stopped)(uint32_t address, const uint64_t general[16]);

/* Installs the handlers. `map` is of the module. */
void watch_set_up(struct spliced *spliced, const struct map_file *map);

/* Calls the function and watches. False, with a text: the spliced module went another way. */
bool watch_call(enum watch watch, struct splice_state *state, const void *function, void *stack);

/*
 * Returns whether flags at a function's end are equal, as far as the architecture defines them
 * there (as the last WATCH_ORIGINAL saw).
 */
bool watch_flags_equal(uint64_t wanted, uint64_t got);

#endif
