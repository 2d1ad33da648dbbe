/*
 * Puts the plan's file together: every offset in the emitted code becomes a place, every
 * displacement what it has to be.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/file_stream.h"
#include "image/plan_image.h"

#define PAD 0xcc

static int patch_compare(const void *a, const void *b)
{
	const struct patch *left = a;
	const struct patch *right = b;
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
	for (size_t i = 1; i < plan->patch_count; i++)
		ordered &= plan->patches[i - 1].address < plan->patches[i].address;
	if (!ordered)
		qsort(plan->patches, plan->patch_count, sizeof *plan->patches, patch_compare);
}

/* Drops the entries of patches that were given up. */
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

/* Counts the hooks that found room; their places are not known yet. */
static void hooks_count(struct image *image)
{
	const struct plan *plan = image->plan;
	for (uint32_t i = 0; i < PLAN_HOOKS; i++)
		if (plan->hooks[i].kept)
			image->hooks[image->hook_count++].function = plan->hooks[i].function;
}

static int springboard_compare(const void *a, const void *b)
{
	const struct madt_plan_springboard *left = a;
	const struct madt_plan_springboard *right = b;
	return (left->address > right->address) - (left->address < right->address);
}

/* False: no memory. */
static bool springboards_make(struct image *image)
{
	const struct plan *plan = image->plan;
	size_t capacity = 0;
	for (size_t i = 0; i < plan->patch_count; i++) {
		const struct patch *patch = &plan->patches[i];
		if (patch->tactic != MADT_TACTIC_NEAR)
			continue;
		if (!array_reserve(&image->springboards, &capacity, image->springboard_count,
					sizeof *image->springboards))
			return false;
		image->springboards[image->springboard_count++] = (struct madt_plan_springboard){
			patch_jump(patch), patch->address, image_jump(plan, patch)
		};
	}
	if (image->springboard_count)
		qsort(image->springboards, image->springboard_count, sizeof *image->springboards,
				springboard_compare);
	return true;
}

static void hooks_place(struct image *image)
{
	const struct trampoline *near = image->plan->trampolines;
	struct madt_plan_hook *hook = image->hooks;
	for (uint32_t i = 0; i < PLAN_HOOKS; i++) {
		if (!image->plan->hooks[i].kept)
			continue;
		hook->wrapper = image_place(image, image->plan->hooks[i].code, &near) + MADT_PLAN_HOOK_JUMP;
		hook->real = hook->wrapper + 8;
		hook++;
	}
}

/* ---------------------------------------------------------------- tables that are packed */

static void patches_write(struct image *image, struct file_stream *stream)
{
	struct packed_table table;
	packed_begin(&table, stream);
	for (size_t i = 0; i < image->plan->patch_count; i++) {
		const struct madt_plan_patch patch = image_patch_row(image->plan, &image->plan->patches[i]);
		packed_add(&table, madt_plan_patch_row(&patch));
	}
	packed_end(&table, &image->plan->header.patches);
}

static void entries_write(struct image *image, struct file_stream *stream)
{
	struct packed_table table;
	packed_begin(&table, stream);
	for (size_t i = 0; i < image->plan->entry_count; i++)
		packed_add(&table, madt_plan_entry_row(&image->plan->entries[i]));
	packed_end(&table, &image->plan->header.entries);
}

/* In the order of places, which within a trampoline is that of its code. */
static void relocations_write(struct image *image, struct file_stream *stream)
{
	const struct plan *plan = image->plan;
	struct packed_table table;
	packed_begin(&table, stream);
	for (size_t i = 0; i < plan->trampoline_count; i++) {
		const struct placed *placed = &image->order[i];
		const struct trampoline *trampoline = &plan->trampolines[placed->number];
		const size_t end = TRAMPOLINE_END(plan, placed->number, relocations,
				plan->emit.relocation_count);
		for (size_t k = trampoline->relocations; k < end; k++)
			packed_add(&table,
					(struct madt_plan_row){
							.key = plan->emit.relocations[k] + placed->place - trampoline->code });
	}
	packed_end(&table, &image->plan->header.relocations);
}

static void boundaries_write(struct image *image, struct file_stream *stream)
{
	const struct plan *plan = image->plan;
	struct packed_table table;
	packed_begin(&table, stream);
	for (size_t i = 0; i < plan->trampoline_count; i++) {
		const struct placed *placed = &image->order[i];
		const struct trampoline *trampoline = &plan->trampolines[placed->number];
		const uint8_t *at = plan->emit.boundaries.bytes + trampoline->boundaries;
		const uint8_t *end = plan->emit.boundaries.bytes
				+ TRAMPOLINE_END(plan, placed->number, boundaries, plan->emit.boundaries.size);
		struct madt_plan_row row = { .key = placed->place };
		while (at < end) {
			madt_plan_row_read(&at, end, &row);
			packed_add(&table, row);
		}
	}
	packed_end(&table, &image->plan->header.boundaries);
}

/* By place; there are few or none. */
static int load_compare(const void *a, const void *b)
{
	const struct emit_load *left = a;
	const struct emit_load *right = b;
	return (left->at > right->at) - (left->at < right->at);
}

static void loads_write(struct image *image, struct file_stream *stream)
{
	struct emit *emit = &image->plan->emit;
	const struct trampoline *near = image->plan->trampolines;
	struct packed_table table;
	for (size_t i = 0; i < emit->load_count; i++) {
		struct emit_load *load = &emit->loads[i];
		const uint32_t place = image_place(image, load->at, &near);
		load->resume = place + (load->resume - load->at);
		load->at = place;
	}
	if (emit->load_count)
		qsort(emit->loads, emit->load_count, sizeof *emit->loads, load_compare);
	packed_begin(&table, stream);
	for (size_t i = 0; i < emit->load_count; i++) {
		const struct emit_load *load = &emit->loads[i];
		packed_add(&table,
				madt_plan_load_row(&(struct madt_plan_load){ load->at, load->resume, load->to }));
	}
	packed_end(&table, &image->plan->header.loads);
}

/* ---------------------------------------------------------------- the file */

/* Decides where the code will be. */
static void layout_make(struct image *image)
{
	uint64_t at = MADT_PAGE;
	image->plan->header.patched_text.offset = (uint32_t)at;
	at += image->plan->header.patched_text.size;
	for (uint32_t i = 0; i < image->area_count; i++) {
		image->areas[i].offset = (uint32_t)at;
		at += image->areas[i].size;
	}
	image->size = at;
}

static void table_write(struct file_stream *stream, struct madt_plan_table *table,
		const void *items, size_t count, size_t item_size)
{
	file_stream_pad(stream, 0, (8 - stream->at % 8) % 8);
	*table = (struct madt_plan_table){ (uint32_t)stream->at, (uint32_t)count };
	file_stream_add(stream, items, count * item_size);
}

static void tables_write(struct image *image, struct file_stream *stream)
{
	struct plan *plan = image->plan;
	struct madt_plan *header = &plan->header;
	header->tables = (uint32_t)stream->at;
	table_write(stream, &header->areas, image->areas, image->area_count, sizeof *image->areas);
	table_write(stream, &header->steps, plan->steps, plan->step_count, sizeof *plan->steps);
	table_write(stream, &header->operands, plan->operands, plan->operand_count,
			sizeof *plan->operands);
	table_write(stream, &header->hooks, image->hooks, image->hook_count, sizeof *image->hooks);
	table_write(stream, &header->springboards, image->springboards, image->springboard_count,
			sizeof *image->springboards);
	table_write(stream, &header->triggers, plan->triggers, plan->trigger_count,
			sizeof *plan->triggers);
	table_write(stream, &header->outermost, plan->outermost, plan->outermost_count,
			sizeof *plan->outermost);
	file_stream_pad(stream, 0, (8 - stream->at % 8) % 8);
	templates_write(&plan->templates, stream, header);
	patches_write(image, stream);
	relocations_write(image, stream);
	boundaries_write(image, stream);
	entries_write(image, stream);
	loads_write(image, stream);
}

/* Without holes. */
static void areas_write(const struct image *image, struct file_stream *stream)
{
	const struct plan *plan = image->plan;
	for (size_t i = 0; i < plan->trampoline_count; i++) {
		const struct trampoline *trampoline = &plan->trampolines[image->order[i].number];
		file_stream_pad(stream, PAD, image->order[i].place - stream->at);
		file_stream_add(stream, plan->emit.bytes + trampoline->code, trampoline->size);
	}
	file_stream_pad(stream, PAD, image->size - stream->at);
}

static void header_finish(struct image *image, const struct build_id *id)
{
	struct plan *plan = image->plan;
	struct madt_plan *header = &plan->header;
	header->magic = MADT_PLAN_MAGIC;
	header->version = MADT_PLAN_VERSION;
	header->header_size = sizeof *header;
	header->build_id_length = id->length;
	memcpy(header->build_id, id->bytes, id->length);
	header->variant = plan->options.choice->variant;
	header->flags = plan_options_flags(&plan->options);
	header->module_start = plan->module_start;
	header->module_end = plan->module_end;
	header->epoch_page = plan->epoch - (int64_t)MADT_PLAN_EPOCH;
	header->text_bytes = plan->text.text_bytes;
	header->text_sum = plan->text.text_sum;
	header->proven_bytes = plan->text.proven_bytes;
	header->sites_unproven = plan->text.unproven_sites;
	header->sites_likely = plan->text.likely_sites;
}

static int image_make(struct image *image, const struct elf_file *file)
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
	if (!springboards_make(image))
		return failure_set(failure, ENOMEM, "no memory for its springboards");
	image_patched_text_find(image, file);
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

static int image_write(struct image *image, const struct elf_file *file, const struct build_id *id,
		const char *path)
{
	struct file_stream stream;
	struct madt_plan *header = &image->plan->header;
	file_stream_begin(&stream, path, "plan", image->size, file->failure);
	file_stream_add(&stream, header, sizeof *header);
	file_stream_flush(&stream);
	stream.sum = 0;
	file_stream_pad(&stream, 0, MADT_PAGE - stream.at);
	image_patched_text_write(image, file, &stream);
	areas_write(image, &stream);
	tables_write(image, &stream);
	file_stream_flush(&stream);
	header_finish(image, id);
	header->file_size = stream.size = stream.at;
	header->checksum = stream.sum;
	if (stream.at > INT32_MAX && !stream.code)
		stream.code = EFBIG;
	return file_stream_end(&stream, header, sizeof *header);
}

int plan_write(struct plan *plan, const struct elf_file *file, const struct build_id *id,
		const char *path)
{
	struct image image = { .plan = plan };
	int code = image_make(&image, file);
	if (!code)
		code = image_write(&image, file, id, path);
	free(image.order);
	free(image.springboards);
	free(image.singles);
	return code;
}
