/*
 * Cancels allocations in the journal that have ended and whose memory later ones have taken, in
 * parts and by other addresses than theirs. Goes from the last entry to the first and marks what
 * allocations cover. Where all blocks begin at multiples of a granule, a block of whose granules
 * each begins in a later block has left but gaps between these, shorter than a granule, and so has
 * what lay there before it: of such a gap no table of blocks keeps anything (BlockTracker.SLIVER).
 * Behind its end it may have cut a block that lay there before: so must those that cover it.
 */
#include "events.h"

#include <stdlib.h>
#include <string.h>

#define PART (GRANULES * GRANULE) /* bytes */
#define LARGE (64 * PART)         /* blocks of this size are rare, and have too many parts */
#define FIRST_PARTS 256u

void sweep_free(struct sweep *sweep)
{
	free(sweep->marks);
	free(sweep->parts.place);
}

/* The marks of a part of memory; NULL without memory. */
static uint8_t *marks_of(struct sweep *sweep, uint64_t part)
{
	uint32_t number = places_find(&sweep->parts, part, sweep->round);

	if (number != NOWHERE)
		return sweep->marks[number];
	if (sweep->parts.used == sweep->room) {
		uint32_t room = sweep->room ? 2 * sweep->room : FIRST_PARTS;
		uint8_t(*marks)[GRANULES] = realloc(sweep->marks, room * sizeof *marks);

		if (!marks)
			return NULL;
		sweep->marks = marks;
		sweep->room = room;
	}
	number = sweep->parts.used;
	memset(sweep->marks[number], 0, GRANULES);
	return places_put(&sweep->parts, part, number, sweep->round) ? sweep->marks[number] : NULL;
}

/* Returns how many bytes of a granule, from its first on, later blocks cover. */
static uint8_t covered_at(const struct sweep *sweep, uint64_t address)
{
	uint32_t number = places_find(&sweep->parts, address / PART, sweep->round);

	return number == NOWHERE ? 0 : sweep->marks[number][address % PART / GRANULE];
}

static uint64_t earlier(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* Returns whether nothing tells that the block has been there. */
static bool is_covered(const struct sweep *sweep, uint64_t start, uint64_t end)
{
	uint64_t last = (end - 1) / GRANULE * GRANULE;

	for (uint64_t at = start, next; at <= last; at = next) {
		uint32_t number = places_find(&sweep->parts, at / PART, sweep->round);

		next = earlier((at / PART + 1) * PART, last + GRANULE);
		if (number == NOWHERE
				|| memchr(&sweep->marks[number][at % PART / GRANULE], 0, (next - at) / GRANULE))
			return false;
	}
	return covered_at(sweep, last) >= end - last || covered_at(sweep, last + GRANULE);
}

/* False without memory. */
static bool cover(struct sweep *sweep, uint64_t start, uint64_t end)
{
	for (uint64_t at = start, next; at < end; at = next) {
		uint8_t *mark = marks_of(sweep, at / PART);
		uint64_t whole, rest;

		if (!mark)
			return false;
		next = earlier((at / PART + 1) * PART, end);
		whole = (next - at) / GRANULE;
		rest = next % GRANULE;
		mark += at % PART / GRANULE;
		memset(mark, GRANULE, whole);
		if (rest && mark[whole] < rest)
			mark[whole] = (uint8_t)rest;
	}
	return true;
}

bool journal_sweep(struct journal *journal)
{
	struct sweep *sweep = &journal->sweep;

	sweep->round++;
	sweep->parts.used = 0;
	for (uint32_t i = journal->entries; i-- > 0;) {
		const struct entry *entry = &journal->entry[i];
		struct entry_links *links = &journal->links[i];
		uint64_t end = entry->address + (entry->size ? entry->size : 1);

		if (entry_ends(entry) || links->end == CANCELLED || entry->size >= LARGE)
			continue;
		if (links->end != NO_END && is_covered(sweep, entry->address, end)) {
			journal->links[links->end].end = CANCELLED;
			links->end = CANCELLED;
		}
		if (!cover(sweep, entry->address, end))
			return false;
	}
	return true;
}
