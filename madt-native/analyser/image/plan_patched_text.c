/*
 * A patched text image: the pages of a module's executable segments with all patches and
 * springboards in them, so that whoever applies the plan maps them and writes nothing. Where a plan
 * changes few pages, it has none: to write is cheaper then, and the file smaller.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "image/plan_image.h"
#include "image/plan_view.h"
#include "madt_sum.h"

#define JUMP_LENGTH MADT_PLAN_JUMP
#define INT3 0xcc
#define PIECE ((size_t)1 << 18)
/* of so many pages, one at least has a patch */
#define FEW 4

/* ---------------------------------------------------------------- bytes of a patch */

static void jump_make(uint8_t *bytes, int32_t relative)
{
	bytes[0] = 0xe9;
	memcpy(bytes + 1, &relative, sizeof relative);
}

/* With the springboards in it, from *springboard on. */
static void patch_bytes(const struct madt_plan_patch *patch,
		const struct madt_plan_springboard **springboard, const struct madt_plan_springboard *end,
		uint8_t bytes[MADT_PLAN_PATCH_MAX + JUMP_LENGTH])
{
	memset(bytes, INT3, MADT_PLAN_PATCH_MAX);
	if (patch->tactic == MADT_TACTIC_NEAR) {
		bytes[0] = 0xeb;
		bytes[1] = (uint8_t)patch->relative;
	} else if (patch->length > 1) {
		jump_make(bytes, patch->relative);
	}
	for (; *springboard < end && (*springboard)->address < patch->address + patch->length;
			++*springboard)
		if ((*springboard)->address >= patch->address)
			jump_make(bytes + ((*springboard)->address - patch->address), (*springboard)->relative);
}

/* ---------------------------------------------------------------- made */

/* The executable segments of a file, and what lies between them. */
struct executable {
	uint64_t start; /* addresses of pages */
	uint64_t end;
	uint64_t ahead; /* of an address, what lies there in the file */
};

/* Adds a segment behind the others. False: it is not to be mapped like them. */
static bool executable_add(struct executable *all, const Elf64_Phdr *segment)
{
	const uint64_t start = segment->p_vaddr / MADT_PAGE * MADT_PAGE;
	const uint64_t ahead = segment->p_vaddr - segment->p_offset;
	if (!madt_segment_stays(segment->p_flags) || segment->p_filesz != segment->p_memsz
			|| ahead % MADT_PAGE || (all->end && (start < all->end || ahead != all->ahead)))
		return false;
	if (!all->end)
		*all = (struct executable){ .start = start, .ahead = ahead };
	all->end = (segment->p_vaddr + segment->p_memsz + MADT_PAGE - 1) / MADT_PAGE * MADT_PAGE;
	return true;
}

/*
 * False: their pages are not the file's, at one distance from their place there, or others lie in
 * between.
 */
static bool executable_find(const struct elf_file *file, struct executable *all)
{
	uint32_t count = 0, within = 0;
	for (uint32_t i = 0; i < file->segment_count; i++) {
		const Elf64_Phdr *segment = &file->segments[i];
		if (segment->p_type != PT_LOAD || !segment->p_memsz || !(segment->p_flags & PF_X))
			continue;
		if (!executable_add(all, segment))
			return false;
		count++;
	}
	for (uint32_t i = 0; i < file->segment_count; i++) {
		const Elf64_Phdr *segment = &file->segments[i];
		within += segment->p_type == PT_LOAD && segment->p_memsz && segment->p_vaddr < all->end
				&& segment->p_vaddr + segment->p_memsz > all->start;
	}
	return count && within == count;
}

/* Returns how many pages begin with a patch in them, which are in order. */
static uint32_t pages_patched(const struct plan *plan)
{
	uint32_t count = 0, last = UINT32_MAX;
	for (size_t i = 0; i < plan->patch_count; i++) {
		uint32_t page = plan->patches[i].address / MADT_PAGE;
		count += page != last;
		last = page;
	}
	return count;
}

void image_patched_text_find(struct image *image, const struct elf_file *file)
{
	const struct plan *plan = image->plan;
	struct madt_plan_patched_text *whole = &image->plan->header.patched_text;
	struct executable all = { .end = 0 };
	if (!executable_find(file, &all)
			|| pages_patched(plan) * FEW < (all.end - all.start) / MADT_PAGE)
		return;
	*whole = (struct madt_plan_patched_text){ .address = (uint32_t)all.start,
		.size = (uint32_t)(all.end - all.start) };
	image->patched_text_from = all.start - all.ahead;
}

/* Returns what the module's file has there, and zeros behind its end. */
static uint8_t *piece_read(const struct elf_file *file, uint64_t offset, size_t size, int *code)
{
	size_t there = offset >= file->size  ? 0
			: file->size - offset < size ? (size_t)(file->size - offset)
										 : size;
	uint8_t *read = elf_file_read(file, offset < file->size ? offset : 0, there, "text", code);
	uint8_t *piece = read ? realloc(read, size + 1) : NULL;
	if (!piece) {
		*code = *code ? *code : ENOMEM;
		free(read);
		return NULL;
	}
	memset(piece + there, 0, size - there);
	return piece;
}

/* The first patch and the first springboard that a piece may have a part of. */
struct cursors {
	size_t patch, springboard;
};

/* Writes the patches that reach into the piece, whose first byte is at `start`. */
static void piece_patch(const struct image *image, uint8_t *piece, uint64_t start, size_t size,
		struct cursors *at_hand)
{
	const struct plan *plan = image->plan;
	const struct madt_plan_springboard *end = image->springboards + image->springboard_count,
									   *springboard;
	while (at_hand->patch < plan->patch_count
			&& plan->patches[at_hand->patch].address + plan->patches[at_hand->patch].length
					<= start)
		at_hand->patch++;
	while (at_hand->springboard < image->springboard_count
			&& image->springboards[at_hand->springboard].address + MADT_PLAN_PATCH_MAX < start)
		at_hand->springboard++;
	springboard = image->springboards + at_hand->springboard;
	for (size_t i = at_hand->patch; i < plan->patch_count; i++) {
		const struct madt_plan_patch patch = image_patch_row(plan, &plan->patches[i]);
		uint8_t bytes[MADT_PLAN_PATCH_MAX + JUMP_LENGTH];
		if (patch.address >= start + size)
			return;
		patch_bytes(&patch, &springboard, end, bytes);
		for (uint64_t at = patch.address; at < patch.address + patch.length; at++)
			if (at >= start && at < start + size)
				piece[at - start] = bytes[at - patch.address];
	}
}

void image_patched_text_write(const struct image *image, const struct elf_file *file,
		struct file_stream *stream)
{
	const struct madt_plan_patched_text *whole = &image->plan->header.patched_text;
	struct cursors at_hand = { 0 };
	for (uint32_t at = 0; at < whole->size && !stream->code; at += PIECE) {
		size_t size = whole->size - at < PIECE ? whole->size - at : PIECE;
		uint8_t *piece = piece_read(file, image->patched_text_from + at, size, &stream->code);
		if (!piece)
			return;
		piece_patch(image, piece, whole->address + (uint64_t)at, size, &at_hand);
		file_stream_add(stream, piece, size);
		free(piece);
	}
}

/* ---------------------------------------------------------------- checked */

/* Right behind the header's page; the areas, which were checked before, follow it. */
static bool patched_text_is_placed(const struct view *view)
{
	const struct madt_plan_patched_text *whole = &view->header->patched_text;
	return (whole->address | whole->size) % MADT_PAGE == 0 && whole->offset == MADT_PAGE
			&& whole->size <= view->header->tables - MADT_PAGE
			&& whole->address >= view->header->module_start
			&& whole->address < view->header->module_end
			&& whole->size <= view->header->module_end - whole->address;
}

/* A part of the patched text image in memory. */
struct part {
	uint8_t *bytes;
	uint32_t start; /* address */
	uint32_t size;
};

/* Moves it on to a patch, if that is not in it. */
static int part_read(const struct view *view, struct part *part, uint32_t address)
{
	const struct madt_plan_patched_text *whole = &view->header->patched_text;
	uint32_t last = whole->address + whole->size;
	if (address >= part->start && address + MADT_PLAN_PATCH_MAX <= part->start + part->size)
		return 0;
	part->start = address;
	part->size = last - address < PIECE ? last - address : (uint32_t)PIECE;
	return view_read(view, part->bytes, part->size,
			whole->offset + (uint64_t)(address - whole->address));
}

/* Checks that all patches stand in it, with their springboards. */
static int patches_compare(const struct view *view, struct part *part)
{
	const struct madt_plan_patched_text *whole = &view->header->patched_text;
	const struct madt_plan_springboard *springboard = TABLE(view, springboards,
			madt_plan_springboard);
	const struct madt_plan_springboard *end = springboard + view->header->springboards.count;
	struct madt_plan_rows rows = ROWS(view, patches);
	while (madt_plan_rows_next(&rows)) {
		const struct madt_plan_patch patch = madt_plan_patch_of(rows.row);
		uint8_t bytes[MADT_PLAN_PATCH_MAX + JUMP_LENGTH];
		if (patch.address < whole->address
				|| patch.address + patch.length > whole->address + whole->size)
			return DAMAGED_ROW(view, patches, &rows);
		int code = part_read(view, part, patch.address);
		if (code)
			return code;
		patch_bytes(&patch, &springboard, end, bytes);
		if (memcmp(bytes, part->bytes + (patch.address - part->start), patch.length) != 0)
			return failure_set(view->failure, EINVAL,
					"damaged: the patched text image has no patch at byte %u, where the tables "
					"have one",
					whole->offset + (patch.address - whole->address));
	}
	return 0;
}

int view_patched_text_check(const struct view *view)
{
	struct part part = { .bytes = NULL };
	if (!view->header->patched_text.size)
		return 0;
	if (!patched_text_is_placed(view))
		return failure_set(view->failure, EINVAL,
				"damaged: the place of its patched text image (byte 240)");
	part.bytes = malloc(PIECE);
	int code = part.bytes ? patches_compare(view, &part)
						  : failure_set(view->failure, ENOMEM, "no memory for %zu bytes", PIECE);
	free(part.bytes);
	return code;
}
