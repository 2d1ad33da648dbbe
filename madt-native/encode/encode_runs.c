/* An encoder's memory: contexts by slot, in blocks that are freed with it, and columns. */
#include "encode_runs.h"
#include "madt_layout.h"
#include "pass.h"

#include <errno.h>
#include <stdlib.h>

#define FIRST_STAMP (1ull << 32 | 1)
#define FIRST_BLOCK_BYTES ((size_t)1 << 14)
#define BLOCK_BYTES ((size_t)1 << 18)
/* A context begins with a line of the processor's cache. */
#define LINE 64

struct block {
	struct block *next;
	_Alignas(LINE) uint8_t bytes[];
};

struct page {
	struct page *next;
	struct context *slots[PAGE_SLOTS];
};

/* What was at hand is fetched again. Without memory it stays as it is. */
static bool cache_make(struct encoder *encoder, uint32_t places)
{
	struct context **cache = malloc(places * sizeof *cache);

	if (!cache)
		return false;
	for (uint32_t i = 0; i < places; i++)
		cache[i] = &encoder->none;
	free(encoder->cache);
	encoder->cache = cache;
	encoder->cached = places - 1;
	return true;
}

struct encoder *madt_encoder_new(void)
{
	struct encoder *encoder = calloc(1, sizeof *encoder);

	if (!encoder || !cache_make(encoder, FIRST_CACHED)) {
		free(encoder);
		return NULL;
	}
	encoder->none.slot = UINT32_MAX;
	encoder->none.likely = encoder->none.second = &encoder->none;
	encoder->take_usual = usual_taker_best();
	encoder->previous = &encoder->none;
	encoder->stamp = FIRST_STAMP;
	forms_begin(&encoder->forms);
	encoder->journal.round = 1;
	return encoder;
}

void madt_encoder_free(struct encoder *encoder)
{
	if (!encoder)
		return;
	for (struct block *block = encoder->blocks, *next; block; block = next) {
		next = block->next;
		free(block);
	}
	for (struct page *page = encoder->used, *next; page; page = next) {
		next = page->next;
		free(page);
	}
	free(encoder->answers.answer);
	free(encoder->shown.answer);
	free(encoder->cache);
	free(encoder->pages);
	free(encoder->kinds.start);
	free(encoder->codes.start);
	free(encoder->control.start);
	free(encoder->residuals.start);
	forms_free(&encoder->forms);
	free(encoder->words.word);
	journal_free(&encoder->journal);
	free(encoder);
}

bool column_reserve(struct column *column, size_t bytes)
{
	size_t used = (size_t)(column->end - column->start);

	if (column->start && column->capacity - used >= bytes)
		return true;
	size_t capacity = 2 * used + bytes;
	uint8_t *start = realloc(column->start, capacity);
	if (!start)
		return false;
	column->start = start;
	column->capacity = capacity;
	column->end = start + used;
	return true;
}

/* Zeroed memory that lives as long as the encoder. */
static void *take(struct encoder *encoder, size_t size)
{
	size_t rounded = (size + LINE - 1) / LINE * LINE;

	if (rounded > encoder->unused) {
		size_t usual = encoder->blocks ? BLOCK_BYTES : FIRST_BLOCK_BYTES;
		size_t room = rounded > usual ? rounded : usual;
		struct block *block = aligned_alloc(LINE, sizeof *block + room);
		if (!block)
			return NULL;
		memset(block, 0, sizeof *block + room);
		block->next = encoder->blocks;
		encoder->blocks = block;
		encoder->unused_at = block->bytes;
		encoder->unused = room;
	}
	void *taken = encoder->unused_at;
	encoder->unused_at += rounded;
	encoder->unused -= rounded;
	return taken;
}

/* Of pages that no run is on, the table takes no memory: slots of plans may be far apart. */
static bool pages_reach(struct encoder *encoder, uint32_t number)
{
	size_t count = (size_t)number + number / 2 + 1;
	struct context ***pages = calloc(count, sizeof *pages);

	if (!pages)
		return false;
	if (encoder->pages)
		memcpy(pages, encoder->pages, encoder->page_count * sizeof *pages);
	free(encoder->pages);
	encoder->pages = pages;
	encoder->page_count = (uint32_t)count;
	return true;
}

static struct context **slot_of(struct encoder *encoder, uint32_t slot)
{
	uint32_t number = slot / PAGE_SLOTS;
	if (number >= encoder->page_count && !pages_reach(encoder, number))
		return NULL;
	struct context ***page = &encoder->pages[number];
	if (!*page) {
		struct page *made = calloc(1, sizeof *made);
		if (!made)
			return NULL;
		made->next = encoder->used;
		encoder->used = made;
		*page = made->slots;
	}
	return &(*page)[slot % PAGE_SLOTS];
}

struct context *context_find(const struct encoder *encoder, uint32_t slot)
{
	uint32_t number = slot / PAGE_SLOTS;
	struct context **page = number < encoder->page_count ? encoder->pages[number] : NULL;
	return page ? page[slot % PAGE_SLOTS] : NULL;
}

int madt_encoder_run(struct encoder *encoder, int slot, int number, int count, const uint8_t *kinds)
{
	size_t words = (size_t)count;
	struct context **place = slot_of(encoder, (uint32_t)slot);
	struct context *run = take(encoder,
			sizeof *run + words * (sizeof(struct site) + sizeof(struct range) + 1));

	if (!place || !run)
		return ENOMEM;
	if (++encoder->runs > encoder->cached / 2 && encoder->cached < MOST_CACHED - 1)
		cache_make(encoder, 2 * (encoder->cached + 1));
	run->slot = (uint32_t)slot;
	if (slot >= MADT_RUN_FIRST_MODULE) /* built-in runs are never usual */
		run->header = (1ull << 31 | (uint32_t)slot) << 32;
	run->number = slot == MADT_ENCODER_EVENT_WITH_CALLER ? MADT_RUN_EVENT : (uint32_t)number;
	run->count = run->stored = run->told = (uint32_t)count;
	run->checked = slot >= MADT_RUN_FIRST_MODULE;
	run->defined = !run->checked;
	run->passed = (struct range *)(run->sites + words);
	run->kinds = (uint8_t *)(run->passed + words);
	memcpy(run->kinds, kinds, words);
	for (size_t i = 0; i < words; i++)
		run->tally += kind_tally(kinds[i]);
	*place = run;
	return 0;
}

struct context *context_of_site(struct encoder *encoder, uint32_t site)
{
	struct context *run = take(encoder, sizeof *run);

	if (!run)
		return NULL;
	run->slot = run->number = MADT_RUN_SITE;
	run->told = site;
	run->defined = true;
	return run;
}

int madt_encoder_derive(struct encoder *encoder, int slot, int stored, const uint8_t *from,
		const int16_t *distance)
{
	struct context *run = context_find(encoder, (uint32_t)slot);
	struct source *sources;

	if (run->count > MADT_PLAN_DERIVED_WORDS)
		return EINVAL;
	sources = take(encoder, run->count * sizeof *sources);
	if (!sources)
		return ENOMEM;
	for (uint32_t i = 0; i < run->count; i++)
		sources[i] = (struct source){ from[i], distance[i] };
	run->sources = sources;
	run->stored = (uint32_t)stored;
	encoder->derives = true;
	return 0;
}

void madt_encoder_defined(struct encoder *encoder, int slot)
{
	context_find(encoder, (uint32_t)slot)->defined = true;
}

void madt_encoder_space_changed(struct encoder *encoder)
{
	encoder->stamp = (encoder->stamp & ~(uint64_t)UINT32_MAX) | (uint32_t)(encoder->stamp + 1);
	encoder->answers.count = encoder->shown.count = 0;
}

/*
 * Each pair of parts that are `part` bits wide becomes one, of which the upper half holds the
 * second part's lowest `width` bits.
 */
INLINE uint64_t join(uint64_t parts, unsigned part, unsigned width)
{
	uint64_t first = UINT64_MAX / ((1ull << part) + 1); /* the lower part of each pair */

	return (parts & first) | (parts >> part & first) << width;
}

/* Eight bytes into numbers of so many bits, the first one in the lowest. */
INLINE uint64_t join_all(uint64_t bytes, unsigned width)
{
	return join(join(join(bytes, 8, width), 16, 2 * width), 32, 4 * width);
}

/* Packs bytes into numbers of so many bits, 2 or 4. */
INLINE void pack(struct column *column, unsigned width)
{
	size_t count = (size_t)(column->end - column->start), whole = count / 8 * 8;
	uint8_t *to = column->start;
	uint64_t bytes;

	for (size_t i = 0; i < whole; i += 8) {
		memcpy(&bytes, column->start + i, 8);
		bytes = join_all(bytes, width);
		memcpy(to, &bytes, width);
		to += width;
	}
	if (whole < count) {
		bytes = 0;
		memcpy(&bytes, column->start + whole, count - whole);
		bytes = join_all(bytes, width);
		memcpy(to, &bytes, width);
	}
	column->end = to + ((count - whole) * width + 7) / 8;
}

static void publish(struct encoder *encoder, enum madt_encoder_word word,
		const struct column *column)
{
	encoder->shared[word] = (uint64_t)(uintptr_t)column->start;
	encoder->shared[word + 1] = (uint64_t)(column->end - column->start);
}

static void finish_forms(struct encoder *encoder, struct short_forms *forms)
{
	encoder->shared[MADT_ENCODER_BIRTHS] = (uint64_t)(forms->size_codes.end
			- forms->size_codes.start);
	encoder->shared[MADT_ENCODER_ENDS] = (uint64_t)(forms->end_codes.end - forms->end_codes.start);
	pack(&forms->size_codes, 2);
	pack(&forms->place_codes, 2);
	pack(&forms->end_codes, 2);
	publish(encoder, MADT_ENCODER_SIZE_CODES, &forms->size_codes);
	publish(encoder, MADT_ENCODER_PLACE_CODES, &forms->place_codes);
	publish(encoder, MADT_ENCODER_END_CODES, &forms->end_codes);
	publish(encoder, MADT_ENCODER_SIZES, &forms->sizes);
	publish(encoder, MADT_ENCODER_PLACES, &forms->places);
}

void madt_encoder_finish(struct encoder *encoder)
{
	pack(&encoder->kinds, 2);
	pack(&encoder->codes, 4);
	publish(encoder, MADT_ENCODER_KINDS, &encoder->kinds);
	publish(encoder, MADT_ENCODER_CODES, &encoder->codes);
	publish(encoder, MADT_ENCODER_CONTROL, &encoder->control);
	publish(encoder, MADT_ENCODER_RESIDUALS, &encoder->residuals);
	finish_forms(encoder, &encoder->forms);
}

static void empty(struct column *column)
{
	column->end = column->start;
}

void madt_encoder_next(struct encoder *encoder)
{
	empty(&encoder->kinds);
	empty(&encoder->codes);
	empty(&encoder->control);
	empty(&encoder->residuals);
	memset(encoder->shared + MADT_ENCODER_RUNS, 0,
			(MADT_ENCODER_KINDS - MADT_ENCODER_RUNS) * sizeof encoder->shared[0]);
	encoder->previous = &encoder->none;
	encoder->none.likely = encoder->none.second = &encoder->none;
	encoder->near = encoder->address = encoder->moved = 0;
	encoder->frame_epoch = 0;
	encoder->counts = encoder->calls = 0;
	encoder->indices = 0;
	encoder->stamp += 1ull << 32;
	forms_begin(&encoder->forms);
}
