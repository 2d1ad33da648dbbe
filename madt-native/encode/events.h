/*
 * What an encoder knows of ring events: their short forms in the frame, code words, and the journal
 * of blocks.
 */
#ifndef MADT_ENCODE_EVENTS_H
#define MADT_ENCODE_EVENTS_H

#include "madt_layout.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct context;
struct encoder;

/* A ring event that waits (encode.h). */
enum row {
	ROW_HEAD,
	ROW_TICKET,
	ROW_ADDRESS,
	ROW_SIZE,
	ROW_OLD,
	ROW_OLD_SIZE,
	ROW_CODE,
	ROW_NAMED
};

enum { CLASSES = 64, CELLS = 4096 };

struct column {
	uint8_t *start, *end;
	size_t capacity;
};

/* What is the same in many events. */
struct event_site {
	uint64_t code, chain;
	uint32_t type, thread;
	uint64_t size;           /* of its last allocation */
	struct context *context; /* NULL until an encoder needs it; outlives the frame */
};

/* Numbers by a key; places that belong to another frame are empty. */
struct place {
	uint64_t key;
	uint32_t number;
	uint32_t frame;
};

struct places {
	struct place *place;
	uint32_t mask; /* their count, less one; 0: there are none */
	uint32_t used;
};

/* A block that the frame has told. */
struct told_block {
	uint64_t address;
	/* of a freed one: the one of its class that was freed before, or itself */
	uint32_t before;
	uint8_t kind; /* class of its size */
	bool live;
};

/* The state that docs/FORMAT.md describes under "Short forms of allocation events". */
struct short_forms {
	uint32_t frame;
	uint64_t ticket;
	struct event_site *site;
	uint32_t sites, site_room;
	struct places site_places; /* sites by what they are */
	uint32_t last_site[3];     /* of malloc, calloc, free */
	struct told_block *block;
	uint32_t blocks, block_room;
	struct places block_places; /* the last block at an address */
	struct freed {
		uint32_t first, last;
	} freed[CLASSES];
	/* by the word that moved last, the block that was allocated then, plus one */
	uint32_t cells[CELLS];
	uint64_t top;  /* behind the last block whose address was told */
	uint64_t gone; /* the last address told of an end */
	struct column size_codes, place_codes, end_codes; /* a byte each until the frame ends */
	struct column sizes, places;
};

struct code_word {
	uint64_t word, code;
	bool known, allocates;
};

struct code_words {
	struct code_word *word;
	uint32_t mask, used;
};

struct entry {
	uint64_t head, ticket, address, size, code, number;
};

/* What decides whether an entry is cancelled, close together. */
struct entry_links {
	/*
	 * of an allocation: the entry of its free; NO_END: none, for entry 0 is never one; CANCELLED
	 * is said of any entry
	 */
	uint32_t end;
	/* of an allocation: the last one at its address in front of it, or NOWHERE */
	uint32_t prior;
	uint64_t size;
};

/* What blocks begin at multiples of, in bytes, unless an allocator has smaller ones. */
#define GRANULE 16u

/* Of a look from the end of a journal to its begin: what allocations cover. */
#define GRANULES 64
struct sweep {
	struct places parts;        /* by the part of memory, the number of its marks */
	uint8_t (*marks)[GRANULES]; /* how many bytes of a granule, from its first on, are covered */
	uint32_t room;
	uint32_t round; /* the frame of its places */
};

/* Events of blocks that have not been applied; those that leave no trace are cancelled. */
struct journal {
	struct entry *entry;
	uint32_t entries, room;
	uint32_t round;       /* the frame of its places */
	struct places places; /* the last allocation at an address */
	struct entry_links *links;
	struct sweep sweep;
	bool unaligned; /* a block began between two granules */
};

enum { NOWHERE = UINT32_MAX };

/* Values of `end` of an allocation. */
enum { NO_END = 0, CANCELLED = NOWHERE };

/* The number kept for a key, or NOWHERE. */
uint32_t places_find(const struct places *places, uint64_t key, uint32_t frame);

/* Keeps a number. False without memory. */
bool places_put(struct places *places, uint64_t key, uint32_t number, uint32_t frame);

/* Keeps none any more for a key. */
void places_drop(struct places *places, uint64_t key, uint32_t frame);

/* Returns what a trace has in the place of a code word; NULL if nobody has said it. */
const struct code_word *code_find(const struct encoder *encoder, uint64_t word);

/* A frame begins. */
void forms_begin(struct short_forms *forms);

void forms_free(struct short_forms *forms);

enum journal_state { JOURNAL_KEPT, JOURNAL_FULL, JOURNAL_NO_MEMORY };

/* Notes a malloc, calloc or free whose code word is that of a trace. */
enum journal_state journal_note(struct encoder *encoder, const uint64_t *row);

void journal_free(struct journal *journal);

/* Returns whether an entry says that a block ends. */
static inline bool entry_ends(const struct entry *entry)
{
	return (uint32_t)entry->head == MADT_EVENT_FREE;
}

/*
 * Cancels what later allocations have covered in parts. Not where a block began between two
 * granules. False without memory.
 */
bool journal_sweep(struct journal *journal);

void sweep_free(struct sweep *sweep);

#endif
