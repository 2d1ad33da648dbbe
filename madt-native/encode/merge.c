/*
 * Records and events of malloc, calloc and free in their order, without a call of the library for
 * each.
 */
#include "encode_records.h"
#include "madt_layout.h"
#include "order.h"

#include <errno.h>
#include <string.h>

#define ONES UINT64_MAX
#define CUT_FRAME 1

static bool is_of_heap(uint32_t type)
{
	return type == MADT_EVENT_MALLOC || type == MADT_EVENT_CALLOC || type == MADT_EVENT_FREE;
}

/* Allocators by other names have cut nothing in most programs: none has a place then. */
static bool is_cut(const struct encoder *encoder, uint64_t block)
{
	return encoder->cut.mask && encoder->shared[MADT_ENCODER_FOLLOWS]
			&& places_find(&encoder->cut, block, CUT_FRAME) != NOWHERE;
}

int madt_encoder_cut(struct encoder *encoder, uint64_t block, int cut)
{
	if (cut)
		return places_put(&encoder->cut, block, 0, CUT_FRAME) ? 0 : ENOMEM;
	places_drop(&encoder->cut, block, CUT_FRAME);
	return 0;
}

/* The type of an event that waits: a free ends its block alone, unless something is cut from it. */
static uint32_t type_of(const struct encoder *encoder, const uint64_t *waiting)
{
	uint32_t type = (uint32_t)waiting[ROW_HEAD];

	return type == MADT_EVENT_FREE_AMONG && !waiting[ROW_SIZE] && !is_cut(encoder, waiting[ROW_OLD])
			? MADT_EVENT_FREE
			: type;
}

/* The first event that waits; MADT_ENCODE_END when it has been taken. */
static int event_take(struct encoder *encoder, const uint64_t *waiting)
{
	uint64_t row[MADT_ENCODER_ROW_WORDS];
	uint32_t type = type_of(encoder, waiting);

	if (!is_of_heap(type) || waiting[ROW_NAMED])
		return MADT_ENCODE_EVENT;
	memcpy(row, waiting, sizeof row);
	row[ROW_HEAD] = type | row[ROW_HEAD] >> 32 << 32;
	if (row[ROW_CODE]) {
		const struct code_word *word = code_find(encoder, row[ROW_CODE]);
		if (!word || (type != MADT_EVENT_FREE && !word->allocates))
			return MADT_ENCODE_CODE;
		row[ROW_CODE] = word->code;
	}
	if (encoder->shared[MADT_ENCODER_FOLLOWS]) {
		enum journal_state state = journal_note(encoder, row);
		if (state != JOURNAL_KEPT)
			return state == JOURNAL_FULL ? MADT_ENCODE_JOURNAL : MADT_ENCODE_MEMORY;
	}
	return madt_encoder_event(encoder, row) ? MADT_ENCODE_MEMORY : MADT_ENCODE_END;
}

/* Ring events, as long as their tickets are below `end` and there is room. */
static int events_take(struct encoder *encoder, int64_t end)
{
	uint64_t *shared = encoder->shared;
	const uint64_t *rows = (const uint64_t *)(uintptr_t)shared[MADT_ENCODER_ROWS];

	while (shared[MADT_ENCODER_ROW_COUNT]
			&& shared[MADT_ENCODER_WORDS] < shared[MADT_ENCODER_MOST]) {
		const uint64_t *row = rows + shared[MADT_ENCODER_ROW_FIRST];
		int stop;

		if (record_is_first(end, (int64_t)row[ROW_TICKET]))
			break;
		stop = event_take(encoder, row);
		if (stop != MADT_ENCODE_END)
			return stop;
		shared[MADT_ENCODER_ROW_FIRST] = (shared[MADT_ENCODER_ROW_FIRST] + MADT_ENCODER_ROW_WORDS)
				& shared[MADT_ENCODER_ROW_MASK];
		shared[MADT_ENCODER_ROW_COUNT]--;
	}
	return MADT_ENCODE_END;
}

static int64_t first_ticket(const struct encoder *encoder)
{
	const uint64_t *shared = encoder->shared;

	if (!shared[MADT_ENCODER_ROW_COUNT])
		return INT64_MAX;
	return (int64_t)((const uint64_t *)(uintptr_t)
					shared[MADT_ENCODER_ROWS])[shared[MADT_ENCODER_ROW_FIRST] + ROW_TICKET];
}

int madt_encoder_merge(struct encoder *encoder, uint64_t *words, int count)
{
	uint64_t *shared = encoder->shared;
	int64_t limit = (int64_t)shared[MADT_ENCODER_LIMIT],
			below = (int64_t)shared[MADT_ENCODER_BELOW];
	int at = 0, stop = MADT_ENCODE_END;

	if (!count) {
		shared[MADT_ENCODER_TAKEN] = 0;
		return events_take(encoder, below);
	}
	while (stop == MADT_ENCODE_END && at < count && (encoder->asking || words[at] != ONES)) {
		/* whatever the target has made of its header: some of its words are in the columns */
		bool begun = encoder->asking != NULL;
		int64_t due = first_ticket(encoder);
		int64_t next = record_epoch((int64_t)shared[MADT_ENCODER_EPOCH], words[at]);
		bool record = begun || record_is_first(next, due);

		if (!begun && !(words[at] & RECORD_BIT)) {
			stop = MADT_ENCODE_OTHER;
		} else if (!begun
				&& (shared[MADT_ENCODER_WORDS] >= shared[MADT_ENCODER_MOST]
						|| (record ? !record_is_first(next, limit)
								   : record_is_first(below, due)))) {
			stop = MADT_ENCODE_HELD;
		} else if (record) {
			shared[MADT_ENCODER_LIMIT] = (uint64_t)(due < limit ? due : limit);
			stop = madt_encode(encoder, words + at, count - at);
			at += (int)shared[MADT_ENCODER_TAKEN];
			if (!encoder->asking && (stop == MADT_ENCODE_HELD || at == count || words[at] == ONES))
				stop = MADT_ENCODE_END;
		} else {
			stop = events_take(encoder, next < below ? next : below);
		}
	}
	shared[MADT_ENCODER_LIMIT] = (uint64_t)limit;
	shared[MADT_ENCODER_TAKEN] = (uint64_t)at;
	return stop;
}

static bool is_known(uint32_t type)
{
	return type < 64 && MADT_EVENT_TYPES >> type & 1;
}

/* Returns whether the slot holds an event: else EventRing.java says what is wrong with it. */
static bool is_sound(const struct madt_event *slot, const char *names, uint64_t ticket)
{
	return slot->ticket == ticket && slot->callers <= MADT_EVENT_CALLERS && is_known(slot->type)
			&& slot->name < MADT_NAMES_SIZE
			&& (!slot->name || memchr(names + slot->name, 0, MADT_NAMES_SIZE - slot->name));
}

static void row_fill(uint64_t *row, const struct madt_event *slot)
{
	row[ROW_HEAD] = slot->type | (uint64_t)slot->thread << 32;
	row[ROW_TICKET] = slot->ticket;
	row[ROW_ADDRESS] = slot->address;
	row[ROW_SIZE] = slot->size;
	row[ROW_OLD] = slot->old;
	row[ROW_OLD_SIZE] = slot->old_size;
	row[ROW_CODE] = slot->callers ? slot->caller[0] : 0;
	row[ROW_NAMED] = slot->name;
}

uint64_t madt_ring_take(void *control, uint64_t ticket, uint64_t *rows, uint64_t mask,
		uint64_t place, int most)
{
	const char *names = (const char *)control + MADT_NAMES_OFFSET;
	struct madt_event *slots = (struct madt_event *)((char *)control + MADT_RING_OFFSET);
	uint64_t named = 0;
	int taken = 0;

	for (; taken < most; taken++, ticket++, place = (place + MADT_ENCODER_ROW_WORDS) & mask) {
		struct madt_event *slot = slots + ticket % MADT_RING_SLOTS;

		if (__atomic_load_n(&slot->marker, __ATOMIC_ACQUIRE) != MADT_READY
				|| !is_sound(slot, names, ticket))
			break;
		__builtin_prefetch(slots + (ticket + 8) % MADT_RING_SLOTS, 1);
		row_fill(rows + place, slot);
		named += slot->name != 0;
		__atomic_store_n(&slot->marker, MADT_FREE, __ATOMIC_RELEASE);
	}
	return (uint64_t)taken | named << 32;
}
