/*
 * Puts the plan's file together: every offset in the emitted code becomes a place, every
 * displacement what it has to be.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/file_stream.h"
#include "plan/plan_image.h"

#define JUMP_LENGTH 5
#define SHORT_LENGTH 2
#define PAD 0xcc

static int window_compare(const void *a, const void *b)
{
	const struct window *left = a;
	const struct window *right = b;
	return (left->address > right->address) - (left->address < right->address);
}

static int entry_compare(const void *a, const void *b)
{
	const struct madt_plan_entry *left = a;
	const struct madt_plan_entry *right = b;
	return (left->address > right->address) - (left->address < right->address);
}

/* ------------------------------------------------------------- tables in the order of addresses */

static void windows_order(struct plan *plan)
{
	bool ordered = true;
	for (size_t i = 1; i < plan->window_count; i++)
		ordered &= plan->windows[i - 1].address < plan->windows[i].address;
	if (!ordered)
		qsort(plan->windows, plan->window_count, sizeof *plan->windows, window_compare);
}

/* Those of windows that were given up. */
static void entries_drop(struct plan *plan)
{
	size_t kept = 0;
	for (size_t i = 0; i < plan->entry_count; i++)
		if (plan->entries[i].place != MADT_PLAN_NONE)
			plan->entries[kept++] = plan->entries[i];
	plan->entry_count = kept;
}

static void entries_place(struct image *image)
{
	struct plan *plan = image->plan;
	const struct trampoline *near = plan->trampolines;
	bool ordered = true;
	for (size_t i = 0; i < plan->entry_count; i++) {
		plan->entries[i].place = image_place(image, plan->entries[i].place, &near);
		ordered &= i == 0 || plan->entries[i - 1].address < plan->entries[i].address;
	}
	if (!ordered)
		qsort(plan->entries, plan->entry_count, sizeof *plan->entries, entry_compare);
}

/* Those that found room; their places are not known yet. */
static void hooks_count(struct image *image)
{
	const struct plan *plan = image->plan;
	for (uint32_t i = 0; i < MADT_HOOKS; i++)
		if (plan->hooks[i].kept)
			image->hooks[image->hook_count++].function = i;
}

static int32_t jump_relative(const struct plan *plan, const struct window *window)
{
	return (int32_t)(trampoline_at(plan, &plan->trampolines[window->trampoline])
			- ((int64_t)window_jump(window) + JUMP_LENGTH));
}

static int door_compare(const void *a, const void *b)
{
	const struct madt_plan_door *left = a;
	const struct madt_plan_door *right = b;
	return (left->address > right->address) - (left->address < right->address);
}

/* False: no memory. */
static bool doors_make(struct image *image)
{
	const struct plan *plan = image->plan;
	size_t capacity = 0;
	for (size_t i = 0; i < plan->window_count; i++) {
		const struct window *window = &plan->windows[i];
		if (window->tactic != MADT_TACTIC_NEAR)
			continue;
		if (!array_reserve(&image->doors, &capacity, image->door_count, sizeof *image->doors))
			return false;
		image->doors[image->door_count++] = (struct madt_plan_door){ window_jump(window),
			window->address, jump_relative(plan, window) };
	}
	if (image->door_count)
		qsort(image->doors, image->door_count, sizeof *image->doors, door_compare);
	return true;
}

static void hooks_place(struct image *image)
{
	const struct trampoline *near = image->plan->trampolines;
	for (uint32_t i = 0; i < image->hook_count; i++) {
		struct madt_plan_hook *hook = &image->hooks[i];
		hook->wrapper = image_place(image, image->plan->hooks[hook->function].code, &near)
				+ MADT_PLAN_HOOK_JUMP;
		hook->real = hook->wrapper + 8;
	}
}

/* ----------------------------------------------------- tables that are made as they are written */

static void patch_make(const struct plan *plan, const struct window *window,
		struct madt_plan_patch *patch)
{
	*patch = (struct madt_plan_patch){
		.address = window->address, .length = window->length, .tactic = window->tactic
	};
	if (window->tactic == MADT_TACTIC_NEAR)
		patch->relative = window->door - SHORT_LENGTH;
	else if (window_jumps(window))
		patch->relative = jump_relative(plan, window);
}

static void patches_write(const struct image *image, struct file_stream *stream)
{
	for (size_t i = 0; i < image->plan->window_count; i++) {
		struct madt_plan_patch patch;
		patch_make(image->plan, &image->plan->windows[i], &patch);
		file_stream_add(stream, &patch, sizeof patch);
	}
}

/* Where the tables of this trampoline end in those of the emitted code. */
static void tables_end(const struct plan *plan, uint32_t number, size_t *boundaries,
		size_t *relocations)
{
	const struct trampoline *next = &plan->trampolines[number + 1];
	bool last = number + 1 == plan->trampoline_count;
	*boundaries = last ? plan->emit.boundary_count : next->boundaries;
	*relocations = last ? plan->emit.relocation_count : next->relocations;
}

/* In the order of places, which within a trampoline is that of its code. */
static void relocations_write(const struct image *image, struct file_stream *stream)
{
	const struct plan *plan = image->plan;
	for (size_t i = 0; i < plan->trampoline_count; i++) {
		const struct trampoline *trampoline = &plan->trampolines[image->order[i].number];
		size_t boundaries, relocations;
		tables_end(plan, image->order[i].number, &boundaries, &relocations);
		for (size_t k = trampoline->relocations; k < relocations; k++) {
			uint32_t place = plan->emit.relocations[k] + image->order[i].place - trampoline->code;
			file_stream_add(stream, &place, sizeof place);
		}
	}
}

static void boundaries_write(const struct image *image, struct file_stream *stream)
{
	const struct plan *plan = image->plan;
	for (size_t i = 0; i < plan->trampoline_count; i++) {
		const struct trampoline *trampoline = &plan->trampolines[image->order[i].number];
		size_t boundaries, relocations;
		tables_end(plan, image->order[i].number, &boundaries, &relocations);
		for (size_t k = trampoline->boundaries; k < boundaries; k++) {
			struct madt_plan_boundary boundary = plan->emit.boundaries[k];
			boundary.place += image->order[i].place - trampoline->code;
			file_stream_add(stream, &boundary, sizeof boundary);
		}
	}
}

/* ---------------------------------------------------------------- the file */

struct table_source {
	struct madt_plan_table *table;
	const void *items;
	/* where there are no items yet */
	void (*write)(const struct image *image, struct file_stream *stream);
	size_t count;
	size_t item_size;
};

#define TABLES 11

static void tables_list(struct image *image, struct table_source sources[TABLES])
{
	struct plan *plan = image->plan;
	struct madt_plan *header = &plan->header;
	struct emit *emit = &plan->emit;
	const struct table_source all[TABLES] = {
		{ &header->areas, image->areas, NULL, image->area_count, sizeof *image->areas },
		{ &header->patches, NULL, patches_write, plan->window_count,
				sizeof(struct madt_plan_patch) },
		{ &header->runs, plan->runs, NULL, plan->run_count, sizeof *plan->runs },
		{ &header->words, plan->words, NULL, plan->word_count, sizeof *plan->words },
		{ &header->relocations, NULL, relocations_write, emit->relocation_count,
				sizeof *emit->relocations },
		{ &header->boundaries, NULL, boundaries_write, emit->boundary_count,
				sizeof *emit->boundaries },
		{ &header->entries, plan->entries, NULL, plan->entry_count, sizeof *plan->entries },
		{ &header->steps, plan->steps, NULL, plan->step_count, sizeof *plan->steps },
		{ &header->operands, plan->operands, NULL, plan->operand_count, sizeof *plan->operands },
		{ &header->hooks, image->hooks, NULL, image->hook_count, sizeof *image->hooks },
		{ &header->doors, image->doors, NULL, image->door_count, sizeof *image->doors },
	};
	memcpy(sources, all, sizeof all);
}

/* Where everything will be. Counts are known, even where contents still change. */
static void layout_make(struct image *image)
{
	struct table_source sources[TABLES];
	uint64_t at = sizeof image->plan->header;
	tables_list(image, sources);
	for (unsigned i = 0; i < TABLES; i++) {
		at = (at + 7) / 8 * 8;
		*sources[i].table = (struct madt_plan_table){ (uint32_t)at, (uint32_t)sources[i].count };
		at += sources[i].count * sources[i].item_size;
	}
	at = (at + MADT_PAGE - 1) / MADT_PAGE * MADT_PAGE;
	for (uint32_t i = 0; i < image->area_count; i++) {
		image->areas[i].offset = (uint32_t)at;
		at += image->areas[i].size;
	}
	image->size = at;
}

static void tables_write(struct image *image, struct file_stream *stream)
{
	struct table_source sources[TABLES];
	uint64_t at = sizeof image->plan->header;
	tables_list(image, sources);
	for (unsigned i = 0; i < TABLES; i++) {
		file_stream_pad(stream, 0, sources[i].table->offset - at);
		if (sources[i].write)
			sources[i].write(image, stream);
		else
			file_stream_add(stream, sources[i].items, sources[i].count * sources[i].item_size);
		at = sources[i].table->offset + sources[i].count * sources[i].item_size;
	}
	file_stream_pad(stream, 0, (MADT_PAGE - at % MADT_PAGE) % MADT_PAGE);
}

/* Areas fill the rest of the file without holes. */
static void code_write(const struct image *image, struct file_stream *stream)
{
	const struct plan *plan = image->plan;
	uint64_t at = image->area_count ? image->areas[0].offset : image->size;
	for (size_t i = 0; i < plan->trampoline_count; i++) {
		const struct trampoline *trampoline = &plan->trampolines[image->order[i].number];
		file_stream_pad(stream, PAD, image->order[i].place - at);
		file_stream_add(stream, plan->emit.bytes + trampoline->code, trampoline->size);
		at = image->order[i].place + trampoline->size;
	}
	file_stream_pad(stream, PAD, image->size - at);
}

static void header_finish(struct image *image, const struct build_id *id)
{
	struct plan *plan = image->plan;
	struct madt_plan *header = &plan->header;
	header->magic = MADT_PLAN_MAGIC;
	header->version = MADT_PLAN_VERSION;
	header->header_size = sizeof *header;
	header->file_size = image->size;
	header->build_id_length = id->length;
	memcpy(header->build_id, id->bytes, id->length);
	header->variant = plan->options.variant;
	header->flags = plan_options_flags(&plan->options);
	header->module_start = plan->module_start;
	header->module_end = plan->module_end;
	header->epoch_page = plan->epoch - (int64_t)MADT_PLAN_EPOCH;
	header->text_bytes = plan->text.text_bytes;
	header->proven_bytes = plan->text.proven_bytes;
	header->sites_unproven = plan->text.unproven_sites;
}

static int image_make(struct image *image)
{
	struct plan *plan = image->plan;
	struct failure *failure = plan->text.failure;
	image_areas_find(image);
	entries_drop(plan);
	windows_order(plan);
	if (!image_singles_find(image))
		return failure_set(failure, ENOMEM, "no memory for its patches of one byte");
	int code = image_fixups_apply(image);
	if (code)
		return code;
	free(plan->emit.fixups);
	plan->emit.fixups = NULL;
	hooks_count(image);
	if (!doors_make(image))
		return failure_set(failure, ENOMEM, "no memory for its doors");
	layout_make(image);
	if (image->size > INT32_MAX)
		return failure_set(failure, EFBIG, "its plan would have %llu bytes",
				(unsigned long long)image->size);
	if (!image_order(image))
		return failure_set(failure, ENOMEM, "no memory for the order of its trampolines");
	entries_place(image);
	hooks_place(image);
	return 0;
}

static int image_write(struct image *image, const struct build_id *id, const char *path,
		struct failure *failure)
{
	struct file_stream stream;
	struct madt_plan *header = &image->plan->header;
	file_stream_begin(&stream, path, "plan", image->size, failure);
	file_stream_add(&stream, header, sizeof *header);
	file_stream_flush(&stream);
	stream.sum = 0;
	tables_write(image, &stream);
	code_write(image, &stream);
	file_stream_flush(&stream);
	header_finish(image, id);
	header->checksum = stream.sum;
	return file_stream_end(&stream, header, sizeof *header);
}

int plan_write(struct plan *plan, const struct build_id *id, const char *path,
		struct failure *failure)
{
	struct image image = { .plan = plan };
	int code = image_make(&image);
	if (!code)
		code = image_write(&image, id, path, failure);
	free(image.order);
	free(image.doors);
	free(image.singles);
	return code;
}
