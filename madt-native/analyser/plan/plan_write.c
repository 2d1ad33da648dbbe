/* Puts the plan's file together: every offset in the emitted code becomes a place, every displacement what it has to be. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/crc32c.h"
#include "base/file_replace.h"
#include "plan/plan.h"

#define JUMP_LENGTH 5
#define PAD 0xcc

/* Where a trampoline is, and its number. */
struct placed {
	uint32_t place;
	uint32_t number;
};

struct image {
	struct plan *plan;
	struct madt_plan_area areas[PLAN_AREAS_MAX];
	uint32_t area_count;
	struct madt_plan_patch *patches;
	struct madt_plan_hook hooks[MADT_HOOKS];
	uint32_t hook_count;
	struct placed *order; /* of the trampolines */
	uint8_t *bytes; /* the whole file */
	uint64_t size;
};

static int64_t page_down(int64_t address)
{
	return address & ~(int64_t)(MADT_PAGE - 1);
}

/* The pages of one area that hold trampolines. */
static void area_add(struct image *image, int64_t start, int64_t end)
{
	struct madt_plan_area *area = &image->areas[image->area_count];
	int64_t low = INT64_MAX;
	int64_t high = INT64_MIN;
	for (size_t i = 0; i < image->plan->trampoline_count; i++) {
		const struct trampoline *trampoline = &image->plan->trampolines[i];
		if (trampoline->place < start || trampoline->place >= end)
			continue;
		low = trampoline->place < low ? trampoline->place : low;
		high = trampoline->place + trampoline->size > high ? trampoline->place + trampoline->size : high;
	}
	if (low > high)
		return;
	area->address = page_down(low);
	area->size = (uint32_t)(page_down(high + MADT_PAGE - 1) - area->address);
	image->area_count++;
}

static int area_compare(const void *a, const void *b)
{
	const struct madt_plan_area *left = a;
	const struct madt_plan_area *right = b;
	return (left->address > right->address) - (left->address < right->address);
}

static void areas_find(struct image *image)
{
	int64_t shifts[PLAN_AREAS_MAX];
	unsigned count = plan_area_shifts(image->plan, shifts);
	for (unsigned i = 0; i < count; i++)
		area_add(image, image->plan->module_start + shifts[i], image->plan->module_end + shifts[i]);
	qsort(image->areas, image->area_count, sizeof *image->areas, area_compare);
}

/* ---------------------------------------------------------------- places */

static uint32_t place_of_address(const struct image *image, int64_t address)
{
	const struct madt_plan_area *area = image->areas;
	while (address - area->address >= area->size)
		area++;
	return area->offset + (uint32_t)(address - area->address);
}

/* The trampoline that an offset in the emitted code belongs to; `near` is one that was asked for before it, most often. */
static const struct trampoline *trampoline_of(const struct plan *plan, uint32_t code, const struct trampoline *near)
{
	const struct trampoline *end = plan->trampolines + plan->trampoline_count;
	size_t low = 0;
	size_t high = plan->trampoline_count;
	for (unsigned i = 0; i < 4 && near < end && near->code <= code; i++, near++)
		if (near + 1 == end || code < near[1].code)
			return near;
	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;
		if (plan->trampolines[middle].code <= code)
			low = middle;
		else
			high = middle;
	}
	return &plan->trampolines[low];
}

static uint32_t place_of_code(const struct image *image, uint32_t code, const struct trampoline **near)
{
	const struct trampoline *trampoline = trampoline_of(image->plan, code, *near);
	*near = trampoline;
	return place_of_address(image, trampoline->place) + (code - trampoline->code);
}

static int fixups_apply(struct plan *plan)
{
	const struct trampoline *trampoline = plan->trampolines;
	for (size_t i = 0; i < plan->emit.fixup_count; i++) {
		const struct emit_fixup *fixup = &plan->emit.fixups[i];
		trampoline = trampoline_of(plan, fixup->at, trampoline);
		int64_t behind = trampoline->place + (fixup->next - trampoline->code);
		int64_t displacement = fixup->target - behind;
		int32_t value = (int32_t)displacement;
		if (value != displacement)
			return failure_set(plan->text.failure, EFBIG, "code at 0x%llx is out of reach of address 0x%llx",
					(unsigned long long)behind, (unsigned long long)fixup->target);
		memcpy(plan->emit.bytes + fixup->at, &value, sizeof value);
	}
	return 0;
}

/* ---------------------------------------------------------------- tables */

static void patch_make(const struct plan *plan, const struct window *window, struct madt_plan_patch *patch)
{
	*patch = (struct madt_plan_patch){ .address = window->address, .length = window->length, .tactic = window->tactic };
	if (window->length >= JUMP_LENGTH)
		patch->relative = (int32_t)(plan->trampolines[window->trampoline].place
				- ((int64_t)window->address + JUMP_LENGTH));
}

static int patch_compare(const void *a, const void *b)
{
	const struct madt_plan_patch *left = a;
	const struct madt_plan_patch *right = b;
	return (left->address > right->address) - (left->address < right->address);
}

static int entry_compare(const void *a, const void *b)
{
	const struct madt_plan_entry *left = a;
	const struct madt_plan_entry *right = b;
	return (left->address > right->address) - (left->address < right->address);
}

#define DIGIT 11 /* bits */

/* By place, a digit at a time from the last. False: no memory. */
static bool trampolines_order(struct image *image)
{
	const size_t count = image->plan->trampoline_count;
	struct placed *from = malloc((count + 1) * sizeof *from);
	struct placed *to = malloc((count + 1) * sizeof *to);
	for (size_t i = 0; from && to && i < count; i++)
		from[i] = (struct placed){ place_of_address(image, image->plan->trampolines[i].place), (uint32_t)i };
	for (unsigned shift = 0; from && to && shift < 32; shift += DIGIT) {
		size_t begins[(1u << DIGIT) + 1] = { 0 };
		for (size_t i = 0; i < count; i++)
			begins[(from[i].place >> shift) % (1u << DIGIT) + 1]++;
		for (unsigned i = 0; i < 1u << DIGIT; i++)
			begins[i + 1] += begins[i];
		for (size_t i = 0; i < count; i++)
			to[begins[(from[i].place >> shift) % (1u << DIGIT)]++] = from[i];
		struct placed *swap = from;
		from = to;
		to = swap;
	}
	free(to);
	image->order = from;
	return from && to;
}

/* Where the tables of this trampoline end in those of the emitted code. */
static void tables_end(const struct plan *plan, uint32_t number, size_t *boundaries, size_t *relocations)
{
	const struct trampoline *next = &plan->trampolines[number + 1];
	bool last = number + 1 == plan->trampoline_count;
	*boundaries = last ? plan->emit.boundary_count : next->boundaries;
	*relocations = last ? plan->emit.relocation_count : next->relocations;
}

/* Boundaries and relocations go into the file in the order of places, which within a trampoline is that of its code. */
static void places_write(struct image *image)
{
	const struct plan *plan = image->plan;
	struct madt_plan_boundary *boundary = (void *)(image->bytes + plan->header.boundaries.offset);
	uint32_t *relocation = (void *)(image->bytes + plan->header.relocations.offset);
	for (size_t i = 0; i < plan->trampoline_count; i++) {
		const struct trampoline *trampoline = &plan->trampolines[image->order[i].number];
		const uint32_t shift = image->order[i].place - trampoline->code;
		size_t boundaries, relocations;
		tables_end(plan, image->order[i].number, &boundaries, &relocations);
		for (size_t k = trampoline->boundaries; k < boundaries; k++, boundary++) {
			*boundary = plan->emit.boundaries[k];
			boundary->place += shift;
		}
		for (size_t k = trampoline->relocations; k < relocations; k++)
			*relocation++ = plan->emit.relocations[k] + shift;
		memcpy(image->bytes + image->order[i].place, plan->emit.bytes + trampoline->code, trampoline->size);
	}
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
		plan->entries[i].place = place_of_code(image, plan->entries[i].place, &near);
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
		if (plan->hooks[i].address && plan_text_insn(&plan->text, plan->hooks[i].address)->hook)
			image->hooks[image->hook_count++].function = i;
}

static void hooks_place(struct image *image)
{
	const struct trampoline *near = image->plan->trampolines;
	for (uint32_t i = 0; i < image->hook_count; i++) {
		struct madt_plan_hook *hook = &image->hooks[i];
		hook->wrapper = place_of_code(image, image->plan->hooks[hook->function].code, &near) + MADT_PLAN_HOOK_JUMP;
		hook->real = hook->wrapper + 8;
	}
}

static bool patches_make(struct image *image)
{
	const struct plan *plan = image->plan;
	image->patches = calloc(plan->window_count + 1, sizeof *image->patches);
	if (!image->patches)
		return false;
	bool ordered = true;
	for (size_t i = 0; i < plan->window_count; i++) {
		patch_make(plan, &plan->windows[i], &image->patches[i]);
		ordered &= i == 0 || plan->windows[i - 1].address < plan->windows[i].address;
	}
	if (!ordered)
		qsort(image->patches, plan->window_count, sizeof *image->patches, patch_compare);
	return true;
}

/* ---------------------------------------------------------------- the file */

struct table_source {
	struct madt_plan_table *table;
	const void *items; /* NULL: they are written otherwise */
	size_t count;
	size_t item_size;
};

#define TABLES 10

static void tables_list(struct image *image, struct table_source sources[TABLES])
{
	struct plan *plan = image->plan;
	struct madt_plan *header = &plan->header;
	struct emit *emit = &plan->emit;
	const struct table_source all[TABLES] = {
		{ &header->areas, image->areas, image->area_count, sizeof *image->areas },
		{ &header->patches, image->patches, plan->window_count, sizeof *image->patches },
		{ &header->runs, plan->runs, plan->run_count, sizeof *plan->runs },
		{ &header->words, plan->words, plan->word_count, sizeof *plan->words },
		{ &header->relocations, NULL, emit->relocation_count, sizeof *emit->relocations },
		{ &header->boundaries, NULL, emit->boundary_count, sizeof *emit->boundaries },
		{ &header->entries, plan->entries, plan->entry_count, sizeof *plan->entries },
		{ &header->steps, plan->steps, plan->step_count, sizeof *plan->steps },
		{ &header->operands, plan->operands, plan->operand_count, sizeof *plan->operands },
		{ &header->hooks, image->hooks, image->hook_count, sizeof *image->hooks },
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

static void bytes_fill(struct image *image)
{
	struct table_source sources[TABLES];
	tables_list(image, sources);
	for (unsigned i = 0; i < TABLES; i++)
		if (sources[i].count && sources[i].items)
			memcpy(image->bytes + sources[i].table->offset, sources[i].items, sources[i].count * sources[i].item_size);
	for (uint32_t i = 0; i < image->area_count; i++)
		memset(image->bytes + image->areas[i].offset, PAD, image->areas[i].size);
	places_write(image);
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
	header->flags = (plan->options.stack ? MADT_PLAN_STACK : 0u) | (plan->options.hooks ? MADT_PLAN_HOOKS : 0u);
	header->module_start = plan->module_start;
	header->module_end = plan->module_end;
	header->epoch_page = plan->epoch - (int64_t)MADT_PLAN_EPOCH;
	header->text_bytes = plan->text.text_bytes;
	header->proven_bytes = plan->text.proven_bytes;
	header->sites_unproven = plan->text.unproven_sites;
	header->checksum = crc32c_add(0, image->bytes + sizeof *header, image->size - sizeof *header);
	memcpy(image->bytes, header, sizeof *header);
}

static int image_make(struct image *image, const struct build_id *id)
{
	struct failure *failure = image->plan->text.failure;
	areas_find(image);
	int code = fixups_apply(image->plan);
	if (code)
		return code;
	entries_drop(image->plan);
	if (!patches_make(image))
		return failure_set(failure, ENOMEM, "no memory for its patches");
	hooks_count(image);
	layout_make(image);
	if (image->size > INT32_MAX)
		return failure_set(failure, EFBIG, "its plan would have %llu bytes", (unsigned long long)image->size);
	image->bytes = calloc(image->size, 1);
	if (!image->bytes)
		return failure_set(failure, ENOMEM, "no memory for its plan (%llu bytes)", (unsigned long long)image->size);
	if (!trampolines_order(image))
		return failure_set(failure, ENOMEM, "no memory for the order of its trampolines");
	entries_place(image);
	hooks_place(image);
	bytes_fill(image);
	header_finish(image, id);
	return 0;
}

int plan_write(struct plan *plan, const struct build_id *id, const char *path, struct failure *failure)
{
	struct image image = { .plan = plan };
	int code = image_make(&image, id);
	if (!code) {
		const struct file_part part = { image.bytes, image.size };
		code = file_replace(path, &part, 1, "plan", failure);
	}
	free(image.patches);
	free(image.order);
	free(image.bytes);
	return code;
}
