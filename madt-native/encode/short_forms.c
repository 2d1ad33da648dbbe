/*
 * The short form of malloc, calloc and free (docs/FORMAT.md, runs 7 to 11).
 * dev.madt.trace.codec.AllocationWords follows the same rules.
 */
#include "encode_runs.h"
#include "madt_layout.h"

#include <errno.h>
#include <stdlib.h>

#define MOST_SITES (1u << 16)
#define DEEPEST 255
#define EVENT_WORDS 7
/* What an allocator adds to a size before it rounds up to a class. */
#define CLASS_ROUND 23
#define CLASS_SHIFT 4

/* AT_LAST and AT_EARLIER: at the place that was freed last in its class, or before that. */
enum form { NO_FORM = 0, AT_LAST = 7, AT_EARLIER, ELSEWHERE, END_OF_KNOWN, END_OF_OTHER };

void forms_begin(struct short_forms *forms)
{
	forms->frame++;
	forms->ticket = 0;
	forms->sites = forms->blocks = 0;
	forms->site_places.used = forms->block_places.used = 0;
	for (unsigned i = 0; i < CLASSES; i++)
		forms->freed[i] = NOWHERE;
	for (unsigned i = 0; i < 3; i++)
		forms->last_site[i] = NOWHERE;
}

void forms_free(struct short_forms *forms)
{
	free(forms->site);
	free(forms->site_places.place);
	free(forms->block);
	free(forms->block_places.place);
}

static bool allocates(uint32_t type)
{
	return type == MADT_EVENT_MALLOC || type == MADT_EVENT_CALLOC;
}

static struct event_site site_of(const uint64_t *row)
{
	return (struct event_site){ row[ROW_CODE], (uint32_t)row[ROW_HEAD],
		(uint32_t)(row[ROW_HEAD] >> 32) };
}

static bool is_site(const struct event_site *one, const struct event_site *other)
{
	return one->code == other->code && one->type == other->type && one->thread == other->thread;
}

/* Sites with one key follow each other: the next one has the key plus one. */
static uint64_t site_key(const struct event_site *site)
{
	return (site->code * 31 + site->thread) * 64 + site->type;
}

/* The number of a site, or NOWHERE and a key that is free. */
static uint32_t site_find(const struct short_forms *forms, const struct event_site *site,
		uint64_t *key)
{
	uint32_t number;

	*key = site_key(site);
	while ((number = places_find(&forms->site_places, *key, forms->frame)) != NOWHERE
			&& !is_site(&forms->site[number], site))
		++*key;
	return number;
}

static bool site_keep(struct short_forms *forms, const uint64_t *row)
{
	struct event_site site = site_of(row);
	uint64_t key;

	if (!site.code || forms->sites == MOST_SITES || site_find(forms, &site, &key) != NOWHERE)
		return true;
	if (forms->sites == forms->site_room) {
		uint32_t room = forms->site_room ? 2 * forms->site_room : 64;
		struct event_site *larger = realloc(forms->site, room * sizeof *larger);
		if (!larger)
			return false;
		forms->site = larger;
		forms->site_room = room;
	}
	forms->site[forms->sites] = site;
	return places_put(&forms->site_places, key, forms->sites++, forms->frame);
}

/* The site of an event that can have a short form, if the frame knows the site. */
static uint32_t short_site(struct short_forms *forms, const uint64_t *row)
{
	struct event_site site = site_of(row);
	uint64_t step = row[ROW_TICKET] - forms->ticket, key;
	bool ends = site.type == MADT_EVENT_FREE;
	bool is_short = (ends || allocates(site.type)) && !row[ROW_OLD_SIZE] && site.code
			&& step == (uint64_t)(int32_t)step
			&& (ends ? !row[ROW_ADDRESS] && !row[ROW_SIZE] : !row[ROW_OLD]);
	uint32_t *last, known;

	if (!is_short)
		return NOWHERE;
	last = &forms->last_site[ends ? 2 : site.type - MADT_EVENT_MALLOC];
	if (*last != NOWHERE && is_site(&forms->site[*last], &site))
		return *last;
	known = site_find(forms, &site, &key);
	if (known != NOWHERE)
		*last = known;
	return known;
}

static uint8_t class_of(uint64_t size)
{
	uint64_t kind = (size + CLASS_ROUND) >> CLASS_SHIFT;

	return (int64_t)size < 0 || kind >= CLASSES ? 0 : (uint8_t)kind;
}

static uint32_t freed_before(const struct short_forms *forms, uint32_t block)
{
	uint32_t before = forms->block[block].before;

	return before == block ? NOWHERE : before;
}

/*
 * How many blocks of a class have been freed behind the one at an address; NOWHERE if none is known
 * there.
 */
static uint32_t rank_of(const struct short_forms *forms, uint8_t kind, uint64_t address)
{
	uint32_t block = forms->freed[kind];

	if (block == NOWHERE || places_find(&forms->block_places, address, forms->frame) == NOWHERE)
		return NOWHERE;
	for (uint32_t rank = 0; block != NOWHERE && rank <= DEEPEST; rank++) {
		if (forms->block[block].address == address)
			return rank;
		block = freed_before(forms, block);
	}
	return NOWHERE;
}

/* Takes the block of a rank, which is there, out of the freed ones. */
static void freed_take(struct short_forms *forms, uint8_t kind, uint32_t rank)
{
	uint32_t later = NOWHERE, block = forms->freed[kind], before;

	for (uint32_t i = 0; i < rank; i++) {
		later = block;
		block = freed_before(forms, block);
	}
	before = freed_before(forms, block);
	if (later == NOWHERE)
		forms->freed[kind] = before;
	else
		forms->block[later].before = before == NOWHERE ? later : before;
}

static void freed_put(struct short_forms *forms, uint32_t block)
{
	uint32_t *last = &forms->freed[forms->block[block].kind];

	forms->block[block].before = *last == NOWHERE ? block : *last;
	*last = block;
}

static bool block_add(struct short_forms *forms, uint64_t address, uint8_t kind)
{
	if (forms->blocks == forms->block_room) {
		uint32_t room = forms->block_room ? 2 * forms->block_room : 256;
		struct told_block *larger = realloc(forms->block, room * sizeof *larger);
		if (!larger)
			return false;
		forms->block = larger;
		forms->block_room = room;
	}
	forms->block[forms->blocks] = (struct told_block){
		.address = address, .kind = kind, .live = true
	};
	return places_put(&forms->block_places, address, forms->blocks++, forms->frame);
}

static enum form form_of_end(struct short_forms *forms, const uint64_t *row, uint32_t site,
		uint64_t *words)
{
	uint32_t block = places_find(&forms->block_places, row[ROW_OLD], forms->frame);
	bool known = block != NOWHERE && forms->block[block].live;

	if (known)
		forms->block[block].live = false;
	if (site == NOWHERE)
		return NO_FORM;
	words[0] = site;
	words[1] = known ? forms->blocks - block : row[ROW_OLD];
	if (known)
		freed_put(forms, block);
	return known ? END_OF_KNOWN : END_OF_OTHER;
}

static enum form form_of_allocation(struct short_forms *forms, const uint64_t *row, uint32_t site,
		uint64_t *words, bool *memory)
{
	uint8_t kind = class_of(row[ROW_SIZE]);
	uint32_t rank = site == NOWHERE ? NOWHERE : rank_of(forms, kind, row[ROW_ADDRESS]);

	if (rank != NOWHERE)
		freed_take(forms, kind, rank);
	*memory = block_add(forms, row[ROW_ADDRESS], kind);
	if (site == NOWHERE)
		return NO_FORM;
	words[0] = site;
	words[1] = row[ROW_SIZE];
	words[2] = rank == NOWHERE ? row[ROW_ADDRESS] : rank;
	return rank == 0 ? AT_LAST : rank == NOWHERE ? ELSEWHERE : AT_EARLIER;
}

/* Follows an event, and fills in the words of its short form if it has one. */
static enum form form_of(struct short_forms *forms, const uint64_t *row, uint64_t *words,
		bool *memory)
{
	uint32_t type = (uint32_t)row[ROW_HEAD], site = short_site(forms, row);
	enum form form = NO_FORM;

	*memory = true;
	forms->ticket = row[ROW_TICKET];
	if (type == MADT_EVENT_FREE)
		form = form_of_end(forms, row, site, words);
	else if (allocates(type))
		form = form_of_allocation(forms, row, site, words, memory);
	else
		return NO_FORM;
	if (site == NOWHERE)
		*memory &= site_keep(forms, row);
	return form;
}

static enum form full_form(const uint64_t *row, uint64_t *words)
{
	uint64_t callers = row[ROW_CODE] != 0;

	words[0] = (uint32_t)row[ROW_HEAD] | callers << 16;
	words[1] = row[ROW_TICKET];
	words[2] = row[ROW_HEAD] >> 32;
	for (int i = 0; i < 5; i++)
		words[3 + i] = row[ROW_ADDRESS + i];
	return callers ? MADT_ENCODER_EVENT_WITH_CALLER : NO_FORM;
}

int madt_encoder_event(struct encoder *encoder, const uint64_t *row)
{
	uint64_t words[1 + EVENT_WORDS + 1];
	bool memory;
	uint32_t slot = form_of(&encoder->forms, row, words + 1, &memory);

	if (slot == NO_FORM)
		slot = full_form(row, words + 1);
	words[0] = UINT64_C(1) << 63 | (uint64_t)slot << 32 | (uint32_t)row[ROW_TICKET];
	memory &= encoder_put(encoder, slot, words);
	if ((uint32_t)row[ROW_HEAD] <= MADT_EVENT_BREAK)
		encoder->shared[MADT_ENCODER_MEMORY_EVENTS + (uint32_t)row[ROW_HEAD]]++;
	return memory ? 0 : ENOMEM;
}
