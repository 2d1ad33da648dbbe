/*
 * The short form of malloc, calloc and free (docs/FORMAT.md, template 12).
 * dev.madt.trace.codec.AllocationWords follows the same rules.
 */
#include "encode_records.h"
#include "madt_layout.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define MOST_SITES (1u << 16)
/* How many freed blocks a search passes over; readers take up to 255. */
#define DEEPEST 31
#define EVENT_WORDS 7
/* What an allocator adds to a size before it rounds up to a class. */
#define CLASS_ROUND 23
#define CLASS_SHIFT 4
#define LEAST_CLASS 2
/* Bytes of a number of 64 bits, seven in a byte. */
#define MOST_NUMBER 10

enum size_code { SAME_SIZE, SMALL, MEDIUM, OTHER_SIZE };
enum place_code { AT_LAST, AT_EARLIER, AT_TOP, ELSEWHERE };
enum end_code { IN_CELL, KNOWN, OTHER_BLOCK };

static void column_empty(struct column *column)
{
	column->end = column->start;
}

void forms_begin(struct short_forms *forms)
{
	forms->frame++;
	forms->ticket = forms->top = forms->gone = 0;
	forms->sites = forms->blocks = 0;
	forms->site_places.used = forms->block_places.used = 0;
	for (unsigned i = 0; i < CLASSES; i++)
		forms->freed[i].first = NOWHERE;
	for (unsigned i = 0; i < 3; i++)
		forms->last_site[i] = NOWHERE;
	memset(forms->cells, 0, sizeof forms->cells);
	column_empty(&forms->size_codes);
	column_empty(&forms->place_codes);
	column_empty(&forms->end_codes);
	column_empty(&forms->sizes);
	column_empty(&forms->places);
}

void forms_free(struct short_forms *forms)
{
	free(forms->site);
	free(forms->site_places.place);
	free(forms->block);
	free(forms->block_places.place);
	free(forms->size_codes.start);
	free(forms->place_codes.start);
	free(forms->end_codes.start);
	free(forms->sizes.start);
	free(forms->places.start);
}

/* Room for one event more. */
static bool forms_reserve(struct short_forms *forms)
{
	return column_reserve(&forms->size_codes, 1) && column_reserve(&forms->place_codes, 1)
			&& column_reserve(&forms->end_codes, 1) && column_reserve(&forms->sizes, MOST_NUMBER)
			&& column_reserve(&forms->places, MOST_NUMBER);
}

/* Seven bits a byte, the lowest first. */
static void put_number(struct column *column, uint64_t value)
{
	while (value >= 0x80) {
		*column->end++ = (uint8_t)(value | 0x80);
		value >>= 7;
	}
	*column->end++ = (uint8_t)value;
}

static void put_signed(struct column *column, uint64_t value)
{
	put_number(column, value << 1 ^ (uint64_t)((int64_t)value >> 63));
}

static bool allocates(uint32_t type)
{
	return type == MADT_EVENT_MALLOC || type == MADT_EVENT_CALLOC;
}

static struct event_site site_of(const uint64_t *row)
{
	return (struct event_site){ row[ROW_CODE], row[ROW_OLD_SIZE], (uint32_t)row[ROW_HEAD],
		(uint32_t)(row[ROW_HEAD] >> 32), 0, NULL };
}

static bool is_site(const struct event_site *one, const struct event_site *other)
{
	return one->code == other->code && one->chain == other->chain && one->type == other->type
			&& one->thread == other->thread;
}

/* Sites with one key follow each other: the next one has the key plus one. */
static uint64_t site_key(const struct event_site *site)
{
	return ((site->code * 31 + site->chain) * 31 + site->thread) * 64 + site->type;
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
		memset(larger + forms->site_room, 0, (room - forms->site_room) * sizeof *larger);
		forms->site = larger;
		forms->site_room = room;
	}
	site.context = forms->site[forms->sites].context;
	forms->site[forms->sites] = site;
	return places_put(&forms->site_places, key, forms->sites++, forms->frame);
}

/* The site of an event that can have a short form, if the frame knows the site. */
static uint32_t short_site(struct short_forms *forms, const uint64_t *row)
{
	struct event_site site = site_of(row);
	uint64_t step = row[ROW_TICKET] - forms->ticket, key;
	bool ends = site.type == MADT_EVENT_FREE;
	bool is_short = (ends || allocates(site.type)) && site.code && step == (uint64_t)(int32_t)step
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
 * Returns how many blocks of a class are in front of the one at an address in the list of those
 * that were freed; NOWHERE if none is known there.
 */
static uint32_t rank_of(const struct short_forms *forms, uint8_t kind, uint64_t address)
{
	uint32_t block = forms->freed[kind].first;

	if (block == NOWHERE || places_find(&forms->block_places, address, forms->frame) == NOWHERE)
		return NOWHERE;
	for (uint32_t rank = 0; block != NOWHERE && rank <= DEEPEST; rank++) {
		if (forms->block[block].address == address)
			return rank;
		block = freed_before(forms, block);
	}
	return NOWHERE;
}

/*
 * Takes the block of a rank, which is there, out of the freed ones. Those in front of it go to the
 * end: the allocator has passed them over.
 */
static void freed_take(struct short_forms *forms, uint8_t kind, uint32_t rank)
{
	struct freed *list = &forms->freed[kind];
	uint32_t first = list->first, later = NOWHERE, block = first, before;

	for (uint32_t i = 0; i < rank; i++) {
		later = block;
		block = freed_before(forms, block);
	}
	before = freed_before(forms, block);
	if (later == NOWHERE) {
		list->first = before;
		return;
	}
	forms->block[later].before = later;
	if (before != NOWHERE) {
		forms->block[list->last].before = first;
		list->first = before;
	}
	list->last = later;
}

static void freed_put(struct short_forms *forms, uint32_t block)
{
	struct freed *list = &forms->freed[forms->block[block].kind];

	forms->block[block].before = list->first == NOWHERE ? block : list->first;
	if (list->first == NOWHERE)
		list->last = block;
	list->first = block;
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

static uint32_t *cell_of(struct short_forms *forms, uint64_t moved)
{
	return &forms->cells[moved / sizeof moved % CELLS];
}

/* Follows an end, and tells which block it is of unless the site is NOWHERE. */
static void follow_end(struct short_forms *forms, const uint64_t *row, uint32_t site,
		uint64_t moved)
{
	uint64_t old = row[ROW_OLD];
	uint32_t block = places_find(&forms->block_places, old, forms->frame);
	bool known = block != NOWHERE && forms->block[block].live;

	if (known)
		forms->block[block].live = false;
	if (site == NOWHERE)
		return;
	if (!known) {
		*forms->end_codes.end++ = OTHER_BLOCK;
		put_signed(&forms->places, old - forms->gone);
		forms->gone = old;
		return;
	}
	if (*cell_of(forms, moved) == block + 1) {
		*forms->end_codes.end++ = IN_CELL;
	} else {
		*forms->end_codes.end++ = KNOWN;
		put_number(&forms->places, forms->blocks - block);
	}
	freed_put(forms, block);
}

static void tell_size(struct short_forms *forms, uint32_t site, uint64_t size)
{
	uint64_t *last = &forms->site[site].size, less = size - 1;
	uint8_t code = size == *last ? SAME_SIZE : less < 512 ? SMALL + (less >> 8) : OTHER_SIZE;

	*forms->size_codes.end++ = code;
	if (code == OTHER_SIZE)
		put_number(&forms->sizes, size);
	else if (code != SAME_SIZE)
		*forms->sizes.end++ = (uint8_t)less;
	*last = size;
}

/* Says how far a rank is, or where a block is of which that is NOWHERE. */
static void tell_place(struct short_forms *forms, uint32_t rank, uint64_t address, uint64_t size)
{
	uint64_t units = (size + CLASS_ROUND) >> CLASS_SHIFT;

	if (rank != NOWHERE) {
		*forms->place_codes.end++ = rank ? AT_EARLIER : AT_LAST;
		if (rank)
			put_number(&forms->places, rank);
		return;
	}
	*forms->place_codes.end++ = address == forms->top ? AT_TOP : ELSEWHERE;
	if (address != forms->top)
		put_signed(&forms->places, address - forms->top);
	forms->top = address + ((units < LEAST_CLASS ? LEAST_CLASS : units) << CLASS_SHIFT);
}

/* Follows an allocation, and tells of it unless the site is NOWHERE. False without memory. */
static bool follow_birth(struct short_forms *forms, const uint64_t *row, uint32_t site,
		uint64_t moved)
{
	uint64_t address = row[ROW_ADDRESS], size = row[ROW_SIZE];
	uint8_t kind = class_of(size);
	uint32_t rank;

	if (site == NOWHERE)
		return block_add(forms, address, kind);
	rank = rank_of(forms, kind, address);
	tell_size(forms, site, size);
	tell_place(forms, rank, address, size);
	if (rank != NOWHERE)
		freed_take(forms, kind, rank);
	*cell_of(forms, moved) = forms->blocks + 1;
	return block_add(forms, address, kind);
}

/* Follows an event; says its site if it has a short form, which then is in the columns. */
static bool follow(struct encoder *encoder, const uint64_t *row, uint32_t *site)
{
	struct short_forms *forms = &encoder->forms;
	uint32_t type = (uint32_t)row[ROW_HEAD];
	bool memory = forms_reserve(forms);

	*site = memory ? short_site(forms, row) : NOWHERE;
	forms->ticket = row[ROW_TICKET];
	if (type == MADT_EVENT_FREE)
		follow_end(forms, row, *site, encoder->moved);
	else if (allocates(type))
		memory &= follow_birth(forms, row, *site, encoder->moved);
	else
		return memory;
	if (*site == NOWHERE)
		memory &= site_keep(forms, row);
	return memory;
}

/* Adds the record of a site, whose header is given. */
static bool site_put(struct encoder *encoder, uint32_t site, const uint64_t *header)
{
	struct event_site *known = &encoder->forms.site[site];

	if (!known->context)
		known->context = context_of_site(encoder, site);
	return known->context && encoder_put_record(encoder, known->context, header);
}

static uint32_t full_form(const uint64_t *row, uint64_t *words)
{
	uint64_t callers = row[ROW_CODE] != 0;

	words[0] = (uint32_t)row[ROW_HEAD] | callers << 16;
	words[1] = row[ROW_TICKET];
	words[2] = row[ROW_HEAD] >> 32;
	for (int i = 0; i < 5; i++)
		words[3 + i] = row[ROW_ADDRESS + i];
	return callers ? MADT_ENCODER_EVENT_WITH_CALLER : MADT_TEMPLATE_EVENT;
}

int madt_encoder_event(struct encoder *encoder, const uint64_t *row)
{
	uint64_t words[1 + EVENT_WORDS + 1];
	uint32_t site, type = (uint32_t)row[ROW_HEAD];
	bool memory = follow(encoder, row, &site);
	uint32_t slot = site == NOWHERE ? full_form(row, words + 1) : MADT_TEMPLATE_SITE;

	words[0] = UINT64_C(1) << 63 | (uint64_t)slot << 32 | (uint32_t)row[ROW_TICKET];
	memory &= site == NOWHERE ? encoder_put(encoder, slot, words) : site_put(encoder, site, words);
	if (type < MADT_ENCODER_ENTERS - MADT_ENCODER_MEMORY_EVENTS)
		encoder->shared[MADT_ENCODER_MEMORY_EVENTS + type]++;
	return memory ? 0 : ENOMEM;
}
