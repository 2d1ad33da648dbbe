/*
 * Does a function use rbp as its frame pointer? It does if it pushes rbp and copies rsp to it near
 * its start, and changes it otherwise only by pop rbp and leave. Then accesses through rbp, from
 * the copy on, are stack accesses.
 */
#ifndef MADT_FRAME_POINTER_H
#define MADT_FRAME_POINTER_H

#include "decode/frame_effect.h"
#include "map/code_map.h"

struct frame_pointer {
	unsigned seen; /* instructions so far */
	bool pushed;
	bool set;
	bool lost;          /* rbp got another value */
	size_t first_entry; /* the first entry after the copy */
};

/* To be called for each instruction of the function in order, after its entry was added. */
void frame_pointer_follow(struct frame_pointer *frame, enum frame_effect effect,
		const struct code_map *map);

/* At the function's end: marks the operands. */
void frame_pointer_apply(const struct frame_pointer *frame, struct code_map *map);

#endif
