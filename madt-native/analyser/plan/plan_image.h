/* The places of a plan's trampolines in its file. */
#ifndef MADT_PLAN_IMAGE_H
#define MADT_PLAN_IMAGE_H

#include "plan/plan.h"

/* Where a trampoline is, and its number. */
struct placed {
	uint32_t place;
	uint32_t number;
};

struct image {
	struct plan *plan;
	/* by address; the offsets are those in the file once it has its layout */
	struct madt_plan_area areas[PLAN_AREAS_MAX];
	uint32_t area_count;
	struct madt_plan_hook hooks[MADT_HOOKS];
	uint32_t hook_count;
	struct placed *order; /* of the trampolines */
	uint64_t size;        /* of the file */
};

/* The pages that hold trampolines. */
void image_areas_find(struct image *image);

/* Fills in the displacements of the emitted code. 0, or an errno value. */
int image_fixups_apply(struct image *image);

/* Puts the trampolines in the order of their places. False: no memory. */
bool image_order(struct image *image);

/*
 * The place of an offset in the emitted code; `*near` is the trampoline asked for before it, at
 * first any.
 */
uint32_t image_place(const struct image *image, uint32_t code, const struct trampoline **near);

#endif
