/*
 * The journal of blocks: mallocs, callocs and frees that the collector has not applied to its table
 * of blocks. It needs the table for children of fork only, so most blocks come and go without it:
 * an allocation that has ended leaves nothing when a later one at its address covers it.
 */
#include "encode_records.h"
#include "madt_layout.h"

#include <stdlib.h>

#define FIRST_ENTRIES 256u
#define MOST_ENTRIES (1u << 16)

void journal_free(struct journal *journal)
{
	free(journal->entry);
	free(journal->links);
	free(journal->places.place);
	sweep_free(&journal->sweep);
}

static void journal_empty(struct journal *journal)
{
	journal->round++;
	journal->places.used = 0;
	journal->entries = 0;
}

/* The last allocation at an address that is not cancelled. */
static uint32_t last_at(const struct journal *journal, uint64_t address)
{
	uint32_t last = places_find(&journal->places, address, journal->round);

	return last == NOWHERE || journal->links[last].end == CANCELLED ? NOWHERE : last;
}

/* Cancels allocations at the address of a new one, with their ends, that it covers. */
static void cancel_covered(struct journal *journal, const struct entry *entry)
{
	uint32_t last = last_at(journal, entry->address);

	while (last != NOWHERE && journal->links[last].end != NO_END
			&& journal->links[last].size <= entry->size && (int64_t)entry->size > 0) {
		journal->links[journal->links[last].end].end = CANCELLED;
		journal->links[last].end = CANCELLED;
		last = journal->links[last].prior;
	}
	if (last != NOWHERE)
		places_put(&journal->places, entry->address, last, journal->round);
}

/* Links the entry at an index, which is filled in, with those in front of it. */
static bool entry_link(struct journal *journal, uint32_t index)
{
	const struct entry *entry = &journal->entry[index];
	uint32_t last = last_at(journal, entry->address);

	journal->links[index] = (struct entry_links){ NO_END, last, entry->size };
	if (!entry_ends(entry))
		return places_put(&journal->places, entry->address, index, journal->round);
	if (last != NOWHERE && journal->links[last].end == NO_END)
		journal->links[last].end = index;
	return true;
}

/* Drops what is cancelled. */
static bool journal_pack(struct journal *journal)
{
	uint32_t entries = journal->entries;
	bool memory = true;

	journal_empty(journal);
	for (uint32_t i = 0; i < entries; i++) {
		if (journal->links[i].end == CANCELLED)
			continue;
		journal->entry[journal->entries] = journal->entry[i];
		memory &= entry_link(journal, journal->entries++);
	}
	return memory;
}

static bool journal_grow(struct journal *journal)
{
	uint32_t room = journal->room ? 2 * journal->room : FIRST_ENTRIES;
	struct entry *entry = realloc(journal->entry, room * sizeof *entry);
	struct entry_links *links;

	if (!entry)
		return false;
	journal->entry = entry;
	links = realloc(journal->links, room * sizeof *links);
	if (!links)
		return false;
	journal->links = links;
	journal->room = room;
	return true;
}

static enum journal_state journal_reserve(struct journal *journal)
{
	if (journal->entries < journal->room)
		return JOURNAL_KEPT;
	if ((!journal->unaligned && !journal_sweep(journal)) || !journal_pack(journal))
		return JOURNAL_NO_MEMORY;
	if (journal->entries <= journal->room / 2 && journal->room)
		return JOURNAL_KEPT;
	if (journal->room == MOST_ENTRIES)
		return journal->entries <= journal->room / 4 * 3 ? JOURNAL_KEPT : JOURNAL_FULL;
	return journal_grow(journal) ? JOURNAL_KEPT : JOURNAL_NO_MEMORY;
}

static bool has_failed(uint64_t address)
{
	return !address || address >= -(uint64_t)MADT_PAGE;
}

enum journal_state journal_note(struct encoder *encoder, const uint64_t *row)
{
	struct journal *journal = &encoder->journal;
	bool ends = (uint32_t)row[ROW_HEAD] == MADT_EVENT_FREE;
	uint64_t address = row[ends ? ROW_OLD : ROW_ADDRESS];
	enum journal_state state;
	struct entry entry;

	if (ends ? !address : has_failed(address))
		return JOURNAL_KEPT;
	state = journal_reserve(journal);
	if (state != JOURNAL_KEPT)
		return state;
	encoder->shared[MADT_ENCODER_BLOCKS] += !ends;
	journal->unaligned |= address % GRANULE != 0;
	entry = (struct entry){ row[ROW_HEAD], row[ROW_TICKET], address, row[ROW_SIZE], row[ROW_CODE],
		encoder->shared[MADT_ENCODER_BLOCKS] };
	if (!ends)
		cancel_covered(journal, &entry);
	journal->entry[journal->entries] = entry;
	return entry_link(journal, journal->entries++) ? JOURNAL_KEPT : JOURNAL_NO_MEMORY;
}

void madt_encoder_journal(struct encoder *encoder)
{
	journal_pack(&encoder->journal);
	encoder->shared[MADT_ENCODER_JOURNAL] = (uint64_t)(uintptr_t)encoder->journal.entry;
	encoder->shared[MADT_ENCODER_ENTRIES] = encoder->journal.entries;
}

void madt_encoder_journal_done(struct encoder *encoder)
{
	journal_empty(&encoder->journal);
}
