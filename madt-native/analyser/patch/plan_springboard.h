/*
 * Springboards: jumps of five bytes that short ones lead to. plan_springboard.c says where they may
 * be.
 */
#ifndef MADT_PLAN_SPRINGBOARD_H
#define MADT_PLAN_SPRINGBOARD_H

#include "probe/plan.h"

#define SPRINGBOARD_SHORT 2 /* bytes of a short jump */

struct springboards {
	uint32_t *found; /* their addresses, in order */
	size_t count;
	size_t capacity;
	struct patch *hosts; /* patches that are to be added to those of the plan */
	size_t host_count;
	size_t host_capacity;
};

struct choice {
	unsigned cost;
	struct patch site;
	struct patch host;
	struct patch *grown; /* the patch that the host takes the place of; NULL: it is new */
	uint32_t springboard;
};

/*
 * Room for one springboard more and two hosts; before a springboard is looked for. False: no
 * memory.
 */
bool springboards_reserve(struct springboards *springboards);

/* The best springboard for one of these patches, which are not marked yet. False: there is none. */
bool springboard_find(struct plan *plan, struct springboards *springboards,
		const struct patch *patches, unsigned count, struct choice *choice);

/* *patch becomes the one that was chosen. */
void springboard_take(struct plan *plan, struct springboards *springboards,
		const struct choice *choice, struct patch *patch);

#endif
