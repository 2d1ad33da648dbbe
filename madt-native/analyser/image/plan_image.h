/* The places of a plan's trampolines in its file. */
#ifndef MADT_PLAN_IMAGE_H
#define MADT_PLAN_IMAGE_H

#include "base/file_stream.h"
#include "probe/plan.h"

/* Where a trampoline is, and its number. */
struct placed {
	uint32_t place;
	uint32_t number;
};

/* A patch of one byte, and the offset in the emitted code that its trap goes on at. */
struct single {
	uint32_t address;
	uint32_t code;
};

struct image {
	struct plan *plan;
	/* by address; the offsets are those in the file once it has its layout */
	struct madt_plan_area areas[PLAN_AREAS_MAX];
	uint32_t area_count;
	struct madt_plan_hook hooks[PLAN_HOOKS];
	uint32_t hook_count;
	struct single *singles;
	size_t single_count;
	struct madt_plan_springboard *springboards;
	size_t springboard_count;
	uint64_t
			patched_text_from; /* where the module's file has the pages of its patched text image */
	struct placed *order;      /* of the trampolines */
	uint64_t size;             /* of the file */
};

/* The pages that hold trampolines. */
void image_areas_find(struct image *image);

/* Finds the patches of one byte. False: no memory. */
bool image_singles_find(struct image *image);

/* The distance of a patch's jump, and its patch, once its trampoline has a place. */
int32_t image_jump(const struct plan *plan, const struct patch *patch);
struct madt_plan_patch image_patch_row(const struct plan *plan, const struct patch *patch);

/* Finds whether there is a patched text image, and of which pages; behind the patches' order and
 * the springboards.
 */
void image_patched_text_find(struct image *image, const struct elf_file *file);
/* Its bytes. */
void image_patched_text_write(const struct image *image, const struct elf_file *file,
		struct file_stream *stream);

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
