/* Doors: jumps of five bytes that short ones lead to. plan_door.c says where they may be. */
#ifndef MADT_PLAN_DOOR_H
#define MADT_PLAN_DOOR_H

#include "plan/plan.h"

#define DOOR_SHORT 2 /* bytes of a short jump */

struct doors {
	uint32_t *found; /* their addresses, in order */
	size_t count;
	size_t capacity;
	struct window *hosts; /* windows that are to be added to those of the plan */
	size_t host_count;
	size_t host_capacity;
};

struct choice {
	unsigned cost;
	struct window site;
	struct window host;
	struct window *grown; /* the window that the host takes the place of; NULL: it is new */
	uint32_t door;
};

/* Room for one door more and two hosts; before a door is looked for. False: no memory. */
bool doors_reserve(struct doors *doors);

/* The best door for one of these windows, which are not marked yet. False: there is none. */
bool door_find(struct plan *plan, struct doors *doors, const struct window *windows, unsigned count,
		struct choice *choice);

/* *window becomes the one that was chosen. */
void door_take(struct plan *plan, struct doors *doors, const struct choice *choice,
		struct window *window);

#endif
