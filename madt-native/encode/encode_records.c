/* Contexts of templates by slot, in blocks that are freed with the encoder. */
#include "encode_records.h"
#include "madt_layout.h"

#include <errno.h>
#include <stdlib.h>

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

/* Makes the cache anew: what was at hand is fetched again. Without memory it stays as it is. */
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

bool contexts_begin(struct encoder *encoder)
{
	return cache_make(encoder, FIRST_CACHED);
}

void contexts_free(struct encoder *encoder)
{
	for (struct block *block = encoder->blocks, *next; block; block = next) {
		next = block->next;
		free(block);
	}
	for (struct page *page = encoder->used, *next; page; page = next) {
		next = page->next;
		free(page);
	}
	free(encoder->cache);
	free(encoder->pages);
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

/* Of pages that no template is on, the table takes no memory: slots of plans may be far apart. */
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

int madt_encoder_template(struct encoder *encoder, int slot, int number, int count,
		const uint8_t *kinds)
{
	size_t words = (size_t)count;
	struct context **place = slot_of(encoder, (uint32_t)slot);
	struct context *context = take(encoder,
			sizeof *context + words * (sizeof(struct site) + sizeof(struct range) + 1));

	if (!place || !context)
		return ENOMEM;
	if (++encoder->templates > encoder->cached / 2 && encoder->cached < MOST_CACHED - 1)
		cache_make(encoder, 2 * (encoder->cached + 1));
	context->slot = (uint32_t)slot;
	if (slot >= MADT_TEMPLATE_FIRST_MODULE) /* built-in records are never usual */
		context->header = (1ull << 31 | (uint32_t)slot) << 32;
	context->number = slot == MADT_ENCODER_EVENT_WITH_CALLER ? MADT_TEMPLATE_EVENT
															 : (uint32_t)number;
	context->count = context->stored = context->told = (uint32_t)count;
	context->checked = slot >= MADT_TEMPLATE_FIRST_MODULE;
	context->defined = !context->checked;
	context->passed = (struct range *)(context->sites + words);
	context->kinds = (uint8_t *)(context->passed + words);
	memcpy(context->kinds, kinds, words);
	context->accesses = words > 0;
	for (size_t i = 0; i < words; i++) {
		context->tally += kind_tally(kinds[i]);
		context->accesses &= kind_counts(kinds[i]) > 0;
	}
	*place = context;
	return 0;
}

struct context *context_of_site(struct encoder *encoder, uint32_t site)
{
	struct context *context = take(encoder, sizeof *context);

	if (!context)
		return NULL;
	context->slot = context->number = MADT_TEMPLATE_SITE;
	context->told = site;
	context->defined = true;
	return context;
}

int madt_encoder_derive(struct encoder *encoder, int slot, int stored, const uint8_t *from,
		const int16_t *distance)
{
	struct context *context = context_find(encoder, (uint32_t)slot);
	struct source *sources;

	if (context->count > MADT_PLAN_DERIVED_WORDS)
		return EINVAL;
	sources = take(encoder, context->count * sizeof *sources);
	if (!sources)
		return ENOMEM;
	for (uint32_t i = 0; i < context->count; i++)
		sources[i] = (struct source){ from[i], distance[i] };
	context->sources = sources;
	context->stored = (uint32_t)stored;
	encoder->derives = true;
	return 0;
}

void madt_encoder_hand_back(struct encoder *encoder, int slot)
{
	struct context *context = context_find(encoder, (uint32_t)slot);

	context->handed_back = true;
	context->header = 0;
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
