/*
 * libmadtencode.so: the columns of one EVTS frame of a trace (docs/FORMAT.md) as they grow: the
 * inner loop of the collector. It takes words as a target wrote them into its chunks
 * (madt_layout.h) and predicts each record and each word; what differs is kept.
 * dev.madt.trace.codec.ReferenceRecordEncoder follows the same rules: both give the same bytes.
 *
 * The encoder knows no modules and no address space. Where it must know more it stops, says why,
 * and goes on from there when it is called again. What both sides read and write is an array of
 * 64-bit words at the start of the encoder.
 *
 * Plain C types only: the JVM calls it. Not for use by several threads at once.
 */
#ifndef MADT_ENCODE_H
#define MADT_ENCODE_H

#include <stdint.h>

#define MADT_ENCODE_API __attribute__((visibility("default")))

/* Words of a record that count whatever they are, and those that do not (madt_encoder_template). */
#define MADT_ENCODER_ALWAYS 0x40
#define MADT_ENCODER_NEVER 0x80
/* The slot of ring events with one word more, their caller. */
#define MADT_ENCODER_EVENT_WITH_CALLER 15

/* Index of a word at the start of an encoder. Sizes are bytes. */
enum madt_encoder_word {
	/* Asked of the caller before madt_encode. */
	MADT_ENCODER_LIMIT, /* records with greater epochs wait; signed */
	/* no record is begun behind so many words of the frame, headers included */
	MADT_ENCODER_MOST,
	/* of the record in front of the first, all 64 bits; afterwards of the last one taken */
	MADT_ENCODER_EPOCH,
	MADT_ENCODER_FIRST, /* records with lower slots are not taken */
	MADT_ENCODER_CLEAR, /* not 0: words that have been taken become ones */
	/* Said by madt_encode. */
	MADT_ENCODER_TAKEN,   /* words, from the first on */
	MADT_ENCODER_SLOT,    /* of the record that a question is about */
	MADT_ENCODER_ADDRESS, /* that a question is about */
	/* Of the frame so far. */
	MADT_ENCODER_RECORDS,
	MADT_ENCODER_WORDS, /* headers included */
	MADT_ENCODER_LOADS,
	MADT_ENCODER_STORES,
	MADT_ENCODER_FRAME_EPOCH, /* of the last record, the low 32 bits */
	/* ring events by type: all that MADT_EVENT_TYPES has room for */
	MADT_ENCODER_MEMORY_EVENTS,
	MADT_ENCODER_ENTERS = MADT_ENCODER_MEMORY_EVENTS + 64, /* functions entered */
	MADT_ENCODER_LEAVES,                                   /* and left */
	MADT_ENCODER_COPIES,                                   /* of MADT_TEMPLATE_COPY */
	MADT_ENCODER_FILLS,                                    /* MADT_TEMPLATE_STORE */
	MADT_ENCODER_FETCHES,                                  /* MADT_TEMPLATE_FETCH */
	/* The columns, each an address and a size; true after madt_encoder_finish. */
	MADT_ENCODER_KINDS,
	MADT_ENCODER_CODES = MADT_ENCODER_KINDS + 2,
	MADT_ENCODER_CONTROL = MADT_ENCODER_CODES + 2,
	MADT_ENCODER_RESIDUALS = MADT_ENCODER_CONTROL + 2,
	MADT_ENCODER_SIZE_CODES = MADT_ENCODER_RESIDUALS + 2,
	MADT_ENCODER_PLACE_CODES = MADT_ENCODER_SIZE_CODES + 2,
	MADT_ENCODER_END_CODES = MADT_ENCODER_PLACE_CODES + 2,
	MADT_ENCODER_SIZES = MADT_ENCODER_END_CODES + 2,
	MADT_ENCODER_PLACES = MADT_ENCODER_SIZES + 2,
	/* how many size codes there are, and end codes; true after madt_encoder_finish */
	MADT_ENCODER_BIRTHS = MADT_ENCODER_PLACES + 2,
	MADT_ENCODER_ENDS,
	/* Asked of the caller before madt_encoder_merge, and kept. */
	/* ring events with greater tickets, or this one, wait; signed */
	MADT_ENCODER_BELOW,
	/* address of the ring events that wait: a ring of MADT_ENCODER_ROW_WORDS words each */
	MADT_ENCODER_ROWS,
	MADT_ENCODER_ROW_MASK,  /* words of the ring, less one */
	MADT_ENCODER_ROW_FIRST, /* word at which the first event begins */
	MADT_ENCODER_ROW_COUNT, /* events */
	MADT_ENCODER_FOLLOWS,   /* not 0: events of blocks go into the journal too */
	MADT_ENCODER_BLOCKS,    /* the number of the last block */
	/* not 0: of records that repeat what is known, some at random are added, the others counted */
	MADT_ENCODER_SAMPLES,
	/* Said by madt_encoder_journal. */
	MADT_ENCODER_JOURNAL, /* address of its entries, MADT_ENCODER_ENTRY_WORDS words each */
	MADT_ENCODER_ENTRIES,
	MADT_ENCODER_SHARED_WORDS
};

/*
 * A ring event, as dev.madt.trace.buffer.RingEvents has it: type and thread << 32, ticket, address,
 * size, old, old size, code word, 1 if it has a name. An entry of the journal: type and thread <<
 * 32, ticket, address (of a free the old one), size, code word, number of the block.
 */
#define MADT_ENCODER_ROW_WORDS 8
#define MADT_ENCODER_ENTRY_WORDS 6

/* Why madt_encode stopped. */
enum madt_encode_stop {
	MADT_ENCODE_END,   /* everything is taken */
	MADT_ENCODE_HELD,  /* the next record's epoch is above the limit, or the frame is full */
	MADT_ENCODE_OTHER, /* what comes next is no whole record from slot FIRST on, or is not known */
	MADT_ENCODE_UNKNOWN, /* nobody has defined SLOT */
	/* whether accesses to ADDRESS count: madt_encoder_counts, madt_encoder_passes */
	MADT_ENCODE_ASKS,
	/* SLOT comes into the trace for the first time: madt_encoder_defined */
	MADT_ENCODE_DEFINE,
	MADT_ENCODE_MEMORY, /* there is no memory for it */
	MADT_ENCODE_EVENT,  /* the first ring event is none that the library handles */
	/* the code word of the first ring event is unknown: madt_encoder_code */
	MADT_ENCODE_CODE,
	/* the journal is full: madt_encoder_journal, madt_encoder_journal_done */
	MADT_ENCODE_JOURNAL
};

struct encoder;

/* NULL without memory. */
MADT_ENCODE_API struct encoder *madt_encoder_new(void);

MADT_ENCODE_API void madt_encoder_free(struct encoder *encoder);

/*
 * Says what the records of a slot are: their count of words, and for each what it is: a load (1), a
 * store (2), both (3), the enter (4) or the leave (5) of a function, or nothing that is counted;
 * and, added to that, MADT_ENCODER_ALWAYS or MADT_ENCODER_NEVER where it does not depend on the
 * word whether it counts. The trace has `number` for them. Of built-in records, below
 * MADT_TEMPLATE_FIRST_MODULE, every word counts that is not all ones. A slot is defined once. 0, or
 * ENOMEM.
 */
MADT_ENCODE_API int madt_encoder_template(struct encoder *encoder, int slot, int number, int count,
		const uint8_t *kinds);

/*
 * Says how the words of a slot's records, which madt_encoder_template has defined, follow from
 * those that stand in a chunk, `stored` of them: each word is stored word number `from`, plus
 * `distance`. 0, or an errno value.
 */
MADT_ENCODE_API int madt_encoder_derive(struct encoder *encoder, int slot, int stored,
		const uint8_t *from, const int16_t *distance);

/*
 * Answers ASKS: accesses to the addresses from start on, as many as length says, count until the
 * space changes. Ranges do not overlap. 0, or ENOMEM.
 */
MADT_ENCODE_API int madt_encoder_counts(struct encoder *encoder, uint64_t start, uint64_t length);

/* Answers ASKS: they do not count. */
MADT_ENCODE_API int madt_encoder_passes(struct encoder *encoder, uint64_t start, uint64_t length);

/*
 * Says whether bulk transfers count that begin, or end, at the addresses from start on. With this
 * and madt_encoder_code the library takes such events by itself, as records of modules. 0, or
 * ENOMEM.
 */
MADT_ENCODE_API int madt_encoder_shows(struct encoder *encoder, uint64_t start, uint64_t length,
		int shown);

/*
 * Says that madt_encode and madt_encoder_merge stop in front of the records of a slot, which has
 * just been defined, as in front of others: what they tell is not for the trace as it stands. Those
 * that are given by themselves, from slot 0 on, are taken.
 */
MADT_ENCODE_API void madt_encoder_hand_back(struct encoder *encoder, int slot);

/* Answers DEFINE: the definition stands in the trace, or is not needed. */
MADT_ENCODE_API void madt_encoder_defined(struct encoder *encoder, int slot);

/* Notes that what was said of addresses is true no more. */
MADT_ENCODE_API void madt_encoder_space_changed(struct encoder *encoder);

/*
 * Adds records from the front of `count` words: headers as in a chunk, with slots in the place of
 * template numbers, and the words that are stored. Words that do not count become accesses that
 * were not made; a record of nothing else is passed over. Returns an enum madt_encode_stop; after
 * ASKS and DEFINE the same words must come again from TAKEN on.
 */
MADT_ENCODE_API int madt_encode(struct encoder *encoder, uint64_t *words, int count);

/*
 * Adds a ring event, in its short form if it has one (docs/FORMAT.md). Its code word must be that
 * of a trace. Templates 0 and MADT_ENCODER_EVENT_WITH_CALLER must be defined. 0, or ENOMEM.
 */
MADT_ENCODE_API int madt_encoder_event(struct encoder *encoder, const uint64_t *row);

/*
 * Says what a trace has in the place of a code word of the buffer; `allocates`: where the call
 * allocates.
 */
MADT_ENCODE_API int madt_encoder_code(struct encoder *encoder, uint64_t word, uint64_t code,
		int allocates);

/* Other code may lie where code words point. */
MADT_ENCODE_API void madt_encoder_forget_codes(struct encoder *encoder);

/*
 * Takes events of malloc, calloc and free in great numbers: records from the front of `count`
 * words, as madt_encode does, and ring events that wait, in their order. An event goes in front of
 * the records with greater epochs. Behind the last record nothing is taken, unless there are no
 * words at all. Returns an enum madt_encode_stop.
 */
MADT_ENCODE_API int madt_encoder_merge(struct encoder *encoder, uint64_t *words, int count);

/*
 * Says that blocks of allocators by other names are cut from a block of a heap, or no longer. With
 * events of blocks in the journal, madt_encoder_merge stops at its FREE_AMONG; that of any other
 * block it takes as FREE, unless it is within. 0, or ENOMEM.
 */
MADT_ENCODE_API int madt_encoder_cut(struct encoder *encoder, uint64_t block, int cut);

/* Publishes the entries of the journal. */
MADT_ENCODE_API void madt_encoder_journal(struct encoder *encoder);

/* The entries have been applied. */
MADT_ENCODE_API void madt_encoder_journal_done(struct encoder *encoder);

/*
 * Moves READY events from the slots of a ring (madt_layout.h), from a ticket on, behind those that
 * wait in `rows`, whose mask and place for the next are given; no more than `most`. A row with a
 * name has its offset among the names of the control file. Returns their count, and in the upper
 * half how many of them have names; the slots are free. It ends at a slot that holds no sound
 * event.
 */
MADT_ENCODE_API uint64_t madt_ring_take(void *control, uint64_t ticket, uint64_t *rows,
		uint64_t mask, uint64_t place, int most);

/*
 * Adds what has been counted of records that were not added (MADT_ENCODER_SAMPLES): records of
 * MADT_TEMPLATE_TIMES, which must be defined. Due in front of the records of another thread, and of
 * madt_encoder_finish. 0, or ENOMEM.
 */
MADT_ENCODE_API int madt_encoder_times(struct encoder *encoder);

/* Publishes the columns, up to their last bits. */
MADT_ENCODE_API void madt_encoder_finish(struct encoder *encoder);

/* Begins the next frame, which predicts nothing. */
MADT_ENCODE_API void madt_encoder_next(struct encoder *encoder);

/* The time stamp counter, and CLOCK_MONOTONIC_RAW at that time in nanoseconds. */
MADT_ENCODE_API void madt_clock(uint64_t *pair);

/*
 * Context switches, a row each: nanoseconds of CLOCK_MONOTONIC_RAW; pid << 32 | tid; 1: the thread
 * lost its processor, and 2: it would have gone on; pid << 32 | tid of who came next, 0: unknown.
 */
#define MADT_SWITCH_WORDS 4

struct switches;

/*
 * Returns those of a process and its descendants, and perhaps of others; NULL if that is forbidden.
 */
MADT_ENCODE_API struct switches *madt_switches_open(int pid);
/* In the order of time, up to the time of this call; returns how many. */
MADT_ENCODE_API uint32_t madt_switches_read(struct switches *switches, uint64_t *out,
		uint32_t most);
/* Records for which the kernel had no room. */
MADT_ENCODE_API uint64_t madt_switches_lost(const struct switches *switches);
MADT_ENCODE_API void madt_switches_close(struct switches *switches);

/* Where threads are while they run outside of the kernel, a row each: pid << 32 | tid; the address. */
#define MADT_SAMPLE_WORDS 2

struct samples;

/* Returns those of no thread yet; NULL: there is no memory. */
MADT_ENCODE_API struct samples *madt_samples_open(void);
/* Adds a thread, and all that it will begin. Returns 0 if that is forbidden, or it has ended. */
MADT_ENCODE_API int madt_samples_add(struct samples *samples, int tid);
/* Returns how many have come, in no order. */
MADT_ENCODE_API uint32_t madt_samples_read(struct samples *samples, uint64_t *out, uint32_t most);
MADT_ENCODE_API void madt_samples_close(struct samples *samples);

#endif
