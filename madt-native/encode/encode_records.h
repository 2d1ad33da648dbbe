/* What an encoder (encode.h) knows of templates, and the columns that it fills. */
#ifndef MADT_ENCODE_RECORDS_H
#define MADT_ENCODE_RECORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "encode.h"
#include "events.h"
#include "madt_plan.h"

#define INLINE static inline __attribute__((always_inline))

/* Contexts at hand, by the low bits of their slots: as many as the process has, up to the last. */
#define FIRST_CACHED (1u << 8)
#define MOST_CACHED (1u << 14)
#define PAGE_SLOTS (1u << 8)
/* Of the header of a record in a chunk. */
#define RECORD_BIT (UINT64_C(1) << 63)

/* One word of a record. */
struct site {
	uint64_t last;
	uint64_t stride; /* expected: the newest that was seen twice in a row */
	uint64_t last_stride;
	uint64_t start; /* addresses that count without a question */
	uint64_t length;
};

struct pass;
struct bounds;

struct range {
	uint64_t start;
	uint64_t length;
};

/* What is known of addresses, whoever accesses them; ranges do not overlap. */
struct answers {
	struct answer {
		struct range range;
		bool counts;
	} * answer; /* by their starts */
	uint32_t count, room;
};

/* How a word follows from one that is stored in the chunk. */
struct source {
	uint32_t from;
	int32_t distance;
};

struct context {
	uint64_t stamp;  /* of the frame and the address space of which the rest is true */
	uint64_t header; /* of its records, with epoch 0 */
	uint64_t tally;  /* loads, stores, enters, leaves when every word is made: 16 bits each */
	uint32_t count;  /* words */
	uint32_t stored; /* of these in a chunk */
	struct context *likely, *second; /* what came behind it in the frame, or encoder->none */
	uint32_t slot;
	uint32_t number;
	uint32_t told;  /* behind the number where the template is new: its count, or its site */
	uint32_t index; /* among the templates of the frame */
	bool defined;
	bool checked;
	bool handed_back;       /* taken when given by itself alone: never usual, nor at hand */
	bool accesses;          /* it has words, each of an access */
	bool listed;            /* among the sampled ones of the encoder */
	uint32_t kept;          /* records while samples were taken, up to some */
	uint32_t skipped;       /* records since, of which none was added */
	struct context *next;   /* of the sampled ones */
	uint8_t *kinds;         /* enum madt_access, with MADT_ENCODER_ALWAYS or MADT_ENCODER_NEVER */
	struct source *sources; /* of each word; NULL if all are stored */
	struct range *passed;   /* of each word: addresses that do not count */
	struct site sites[];
};

struct encoder {
	uint64_t shared[MADT_ENCODER_SHARED_WORDS];
	struct column kinds, codes; /* a byte each until the frame ends */
	struct column control, residuals;
	struct context *previous;
	uint64_t near, address;
	uint64_t moved; /* the last word that differed from the one before it at its place */
	/* number of the frame from bit 32 on, of the state of the address space below */
	uint64_t stamp;
	uint32_t indices;
	bool begins;             /* the template at hand is new in the frame */
	int64_t epoch;           /* of the last record taken */
	uint32_t frame_epoch;    /* of the last record added, the low 32 bits */
	uint64_t counts;         /* of the frame: loads, and stores from bit 32 on */
	uint64_t calls;          /* likewise enters and leaves */
	uint32_t missing;        /* words of the record at hand that were not made */
	uint64_t passed_over;    /* words of records that were, in this pass */
	uint64_t derived;        /* words of records that were in no chunk, in this pass */
	bool derives;            /* there are records with such words */
	struct context *sampled; /* templates of which records have been skipped */
	uint32_t between;        /* records that are skipped in front of the next sample */
	uint64_t random;
	uint64_t restored[MADT_PLAN_DERIVED_WORDS]; /* the words of the record at hand */
	struct context *asking; /* the record that waits for an answer, and its word */
	uint32_t word;
	void (*take_usual)(struct encoder *encoder, struct pass *pass, const struct bounds *bounds);
	struct answers answers, shown; /* of accesses, and of bulk transfers */
	struct context **cache;
	uint32_t cached;         /* a power of two, less 1 */
	uint32_t templates;      /* that have a context */
	struct context ***pages; /* as many as reach to the highest slot that is there */
	uint32_t page_count;
	struct page *used;   /* those of them that are there: most encoders need a few */
	struct context none; /* in front of the first record of a frame, and of no slot */
	struct short_forms forms;
	struct code_words words;
	struct journal journal;
	struct places cut; /* blocks of heaps that others are cut from; of one frame for ever */
	struct block *blocks;
	uint8_t *unused_at; /* in the first block */
	size_t unused;
};

/* A word's part in the counts of a frame, and in its calls. */
INLINE uint64_t kind_counts(uint8_t kind)
{
	kind &= MADT_ENCODER_ALWAYS - 1;
	return kind > 3 ? 0 : (uint64_t)(kind & 1) + ((uint64_t)(kind >> 1) << 32);
}

INLINE uint64_t kind_calls(uint8_t kind)
{
	kind &= MADT_ENCODER_ALWAYS - 1;
	return kind == 4 ? 1 : kind == 5 ? 1ull << 32 : 0;
}

/* Of a tally, and of a sum of tallies of fewer than 65,536 words. */
INLINE uint64_t tally_counts(uint64_t tally)
{
	return (tally & 0xffff) | (tally >> 16 & 0xffff) << 32;
}

INLINE uint64_t tally_calls(uint64_t tally)
{
	return (tally >> 32 & 0xffff) | tally >> 48 << 32;
}

INLINE uint64_t kind_tally(uint8_t kind)
{
	uint64_t counts = kind_counts(kind), calls = kind_calls(kind);

	return (counts & 1) | counts >> 32 << 16 | (calls & 1) << 32 | calls >> 32 << 48;
}

/* Adds a record of a built-in slot from a header on. False without memory. */
bool encoder_put(struct encoder *encoder, uint32_t slot, const uint64_t *words);

/* Adds a record without questions from a header on. False without memory. */
bool encoder_put_record(struct encoder *encoder, struct context *context, const uint64_t *words);

/* Room for so many bytes more. False without memory. */
bool column_reserve(struct column *column, size_t bytes);

/* The memory of all contexts. False without memory. */
bool contexts_begin(struct encoder *encoder);
void contexts_free(struct encoder *encoder);

/* A context of the template without words that tells of a site. NULL without memory. */
struct context *context_of_site(struct encoder *encoder, uint32_t site);

/* The context of a slot, NULL if nobody has defined it. */
struct context *context_find(const struct encoder *encoder, uint32_t slot);

enum verdict { COUNTS, PASSES, ASKED };

/*
 * Returns whether a word of a record counts that is not where the last ones at its place were. All
 * ones stand for an access that was not made.
 */
enum verdict context_judge(const struct encoder *encoder, struct context *context, uint32_t word,
		uint64_t address);

/* Returns whether a bulk transfer counts, whose words behind the header are given. */
enum verdict block_judge(const struct encoder *encoder, uint32_t slot, const uint64_t *words);

/* Adds how many records of a template were skipped. */
void tell_times(struct encoder *encoder, struct pass *pass, struct context *context);

/* Every address is a question again. */
void context_forget_ranges(struct context *context);

#endif
