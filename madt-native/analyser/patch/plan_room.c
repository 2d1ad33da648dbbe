#include "patch/plan_room.h"

#include <stdlib.h>
#include <string.h>

/* The first byte from `at` on whose bit is `value`, or `limit`. */
static uint64_t bit_find(const uint64_t *bits, uint64_t at, uint64_t limit, bool value)
{
	while (at < limit) {
		uint64_t word = (value ? bits[at / 64] : ~bits[at / 64]) >> at % 64;
		if (word) {
			at += (uint64_t)__builtin_ctzll(word);
			return at < limit ? at : limit;
		}
		at += 64 - at % 64;
	}
	return limit;
}

static void bits_set(uint64_t *bits, uint64_t at, uint64_t end)
{
	while (at < end) {
		uint64_t first = at % 64;
		uint64_t count = end - at < 64 - first ? end - at : 64 - first;
		bits[at / 64] |= (count == 64 ? UINT64_MAX : (UINT64_C(1) << count) - 1) << first;
		at += count;
	}
}

static void leaf_set(struct room *room, uint32_t block, uint16_t longest)
{
	uint16_t *tree = room->longest;
	uint32_t node = room->leaves + block;
	tree[node] = longest;
	for (node /= 2; node; node /= 2) {
		uint16_t greater = tree[2 * node] > tree[2 * node + 1] ? tree[2 * node]
															   : tree[2 * node + 1];
		if (tree[node] == greater)
			return;
		tree[node] = greater;
	}
}

static void block_measure(struct room *room, uint64_t block)
{
	const uint64_t end = (block + 1) * ROOM_BLOCK;
	uint64_t longest = 0;
	for (uint64_t at = block * ROOM_BLOCK; at < end;) {
		uint64_t free = bit_find(room->used, at, end, false);
		at = free < end ? bit_find(room->used, free,
					 free + ROOM_LONGEST < room->span ? free + ROOM_LONGEST : room->span, true)
						: end;
		longest = at - free > longest && free < end ? at - free : longest;
	}
	if (longest < room->longest[room->leaves + block])
		leaf_set(room, (uint32_t)block, (uint16_t)longest);
}

bool room_make(struct room *room, uint64_t span)
{
	const uint64_t blocks = (span + ROOM_BLOCK - 1) / ROOM_BLOCK;
	const uint64_t words = blocks * ROOM_BLOCK / 64 + 1;
	*room = (struct room){ .span = span, .leaves = 1 };
	while (room->leaves < blocks)
		room->leaves *= 2;
	room->used = calloc(words, sizeof *room->used);
	room->longest = calloc(2 * (size_t)room->leaves, sizeof *room->longest);
	if (!room->used || !room->longest)
		return false;
	bits_set(room->used, span, words * 64);
	for (uint32_t i = 0; i < blocks; i++)
		room->longest[room->leaves + i] = ROOM_LONGEST;
	for (uint32_t node = room->leaves - 1; node; node--)
		room->longest[node] = room->longest[2 * node];
	return true;
}

void room_free(struct room *room)
{
	free(room->used);
	free(room->longest);
}

void room_take(struct room *room, uint64_t at, uint64_t size)
{
	bits_set(room->used, at, at + size);
	for (uint64_t block = at / ROOM_BLOCK; size && block <= (at + size - 1) / ROOM_BLOCK; block++)
		block_measure(room, block);
}

/* The first leaf behind this node whose number is at least `wanted`, or `leaves`. */
static uint32_t leaf_behind(const struct room *room, uint32_t node, uint16_t wanted)
{
	const uint16_t *tree = room->longest;
	while (node & 1 || tree[node + 1] < wanted) {
		node /= 2;
		if (node <= 1)
			return room->leaves;
	}
	node++;
	while (node < room->leaves) {
		node *= 2;
		node += tree[node] < wanted;
	}
	return node - room->leaves;
}

uint64_t room_next(const struct room *room, uint64_t at, uint64_t size)
{
	if (at >= room->span)
		return room->span;
	const uint16_t wanted = (uint16_t)(size < ROOM_LONGEST ? size : ROOM_LONGEST);
	const uint32_t leaf = room->leaves + (uint32_t)(at / ROOM_BLOCK);
	if (room->longest[leaf] >= wanted)
		return at;
	const uint64_t next = (uint64_t)leaf_behind(room, leaf, wanted) * ROOM_BLOCK;
	return next < room->span ? next : room->span;
}

/* A row of free bytes of this length that begins in [from, to), a part of one block. */
static uint64_t block_find(const struct room *room, uint64_t from, uint64_t to, uint64_t size)
{
	for (uint64_t at = from; at < to;) {
		at = bit_find(room->used, at, to, false);
		if (at >= to || at + size > room->span)
			return ROOM_NONE;
		uint64_t taken = bit_find(room->used, at, at + size, true);
		if (taken >= at + size)
			return at;
		at = taken;
	}
	return ROOM_NONE;
}

uint64_t room_find(struct room *room, uint64_t from, uint64_t to, uint64_t size)
{
	for (uint64_t at = room_next(room, from, size); at < to;) {
		const uint64_t block = at / ROOM_BLOCK;
		const uint64_t end = (block + 1) * ROOM_BLOCK;
		uint64_t found = block_find(room, at, end < to ? end : to, size);
		if (found != ROOM_NONE)
			return found;
		block_measure(room, block);
		at = room_next(room, end, size);
	}
	return ROOM_NONE;
}
