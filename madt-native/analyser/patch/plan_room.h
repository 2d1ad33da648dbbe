/*
 * The bytes of an area that are still free, and how to find enough of them in a row without looking
 * at all.
 */
#ifndef MADT_PLAN_ROOM_H
#define MADT_PLAN_ROOM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Blocks of ROOM_BLOCK bytes are the leaves of a binary tree; a node has the greatest of its
 * children's numbers. A leaf's number is no less than the longest row of free bytes that begins in
 * the block (it may end in another), up to ROOM_LONGEST. Bytes are never given back, so a number
 * that was right once stays an upper bound.
 */
struct room {
	uint64_t span;  /* bytes */
	uint64_t *used; /* a bit for each */
	/* the tree: the children of node i are 2 i and 2 i + 1, leaves are `leaves` and up */
	uint16_t *longest;
	uint32_t leaves; /* a power of two */
};

#define ROOM_BLOCK 1024u
#define ROOM_LONGEST 4096u
#define ROOM_NONE UINT64_MAX

/* All free. False: no memory; free in either case. */
bool room_make(struct room *room, uint64_t span);
void room_free(struct room *room);

void room_take(struct room *room, uint64_t at, uint64_t size);

/*
 * No free place for `size` bytes begins before the offset returned, `at` or one behind it; the span
 * if there is none at all.
 */
uint64_t room_next(const struct room *room, uint64_t at, uint64_t size);

/* The first free place for `size` bytes that begins in [from, to), or ROOM_NONE. */
uint64_t room_find(struct room *room, uint64_t from, uint64_t to, uint64_t size);

#endif
