/*
 * Numbers by a key, in open addressing, at most half full. What is removed keeps its place until
 * the next growth; a new frame makes all places empty.
 */
#include "events.h"

#include <stdlib.h>

#define FIRST_PLACES 1024u

static uint32_t place_of(uint64_t key)
{
	return (uint32_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 32);
}

static struct place *place_find(const struct places *places, uint64_t key, uint32_t frame)
{
	uint32_t at = place_of(key) & places->mask;

	while (places->place[at].frame == frame && places->place[at].key != key)
		at = (at + 1) & places->mask;
	return &places->place[at];
}

uint32_t places_find(const struct places *places, uint64_t key, uint32_t frame)
{
	const struct place *place;

	if (!places->mask)
		return NOWHERE;
	place = place_find(places, key, frame);
	return place->frame == frame ? place->number : NOWHERE;
}

static bool is_used(const struct place *place, uint32_t frame)
{
	return place->frame == frame && place->number != NOWHERE;
}

static uint32_t places_used(const struct places *places, uint32_t frame)
{
	uint32_t used = 0;

	for (uint32_t i = 0; places->mask && i <= places->mask; i++)
		used += is_used(&places->place[i], frame);
	return used;
}

/* Makes room for as many again as there are. */
static bool places_grow(struct places *places, uint32_t frame)
{
	struct places larger = { .mask = places->mask ? places->mask : FIRST_PLACES - 1,
		.used = places_used(places, frame) };

	if (larger.used >= larger.mask / 4)
		larger.mask = 2 * larger.mask + 1;
	larger.place = calloc((size_t)larger.mask + 1, sizeof *larger.place);
	if (!larger.place)
		return false;
	for (uint32_t i = 0; places->mask && i <= places->mask; i++)
		if (is_used(&places->place[i], frame))
			*place_find(&larger, places->place[i].key, frame) = places->place[i];
	free(places->place);
	*places = larger;
	return true;
}

bool places_put(struct places *places, uint64_t key, uint32_t number, uint32_t frame)
{
	struct place *place;

	if (places->used >= places->mask / 2 && !places_grow(places, frame))
		return false;
	place = place_find(places, key, frame);
	places->used += place->frame != frame;
	*place = (struct place){ key, number, frame };
	return true;
}

void places_drop(struct places *places, uint64_t key, uint32_t frame)
{
	if (places_find(places, key, frame) != NOWHERE)
		place_find(places, key, frame)->number = NOWHERE;
}
