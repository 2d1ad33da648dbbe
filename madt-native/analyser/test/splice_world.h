/*
 * The cases of splice_cases.S, and what they change: registers, flags, vector registers, an arena, a
 * stack. A case begins in a world made of a seed.
 */
#ifndef MADT_SPLICE_WORLD_H
#define MADT_SPLICE_WORLD_H

#include "splice_watch.h"

/* where neither the heap nor an area of the low copy may lie */
#define ARENA UINT64_C(0x60000000)
#define ARENA_SIZE (1u << 20)
#define STACK_SIZE (1u << 16)
#define DATA_BYTES 64

struct case_ {
	const uint8_t *start, *end;
	const char *name, *needs;
};

struct cases {
	const struct case_ *first, *end;
	uint8_t *start; /* where the library lies */
};

/* Everything that a function may change. */
struct world {
	struct splice_state state;
	uint8_t arena[ARENA_SIZE];
	uint8_t stack[STACK_SIZE];
	uint8_t data[DATA_BYTES];
};

extern unsigned long world_calls, world_compared;

/* Once; and for each library; and for each module that is spliced. */
void world_set_up(void);
struct cases world_load(const char *path);
void world_of(struct spliced *spliced);

void world_make(struct world *world, uint64_t seed);
void world_enter(const struct world *world);
/* Calls a function in a world. False, with a text: it went another way than as it is. */
bool world_watch(enum watch watch, const struct world *before, struct world *after,
		const void *function);

/* Returns whether what was recorded was expected, and two worlds are equal; else with a text. */
bool accesses_equal(const char *name);
bool worlds_equal(const struct world *one, const struct world *other, const char *name);

/* Returns whether the processor has what a case needs beyond the first x86-64. */
bool processor_has(const char *feature);

#endif
