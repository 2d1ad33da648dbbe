#include "plan/plan_text.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define SPAN_MAX (UINT32_C(1) << 28) /* shifted areas of a larger module would run into each other */

static int arrays_make(struct plan_text *text, const struct text *source)
{
	uint64_t span = source->areas[source->count - 1].end - source->areas[0].start;
	if (span > SPAN_MAX)
		return failure_set(text->failure, EFBIG, "code over %" PRIu64 " bytes: at most %" PRIu32 " can be planned", span,
				SPAN_MAX);
	text->start = (uint32_t)source->areas[0].start;
	text->size = (uint32_t)span;
	text->bytes = calloc(span, 1);
	text->marks = calloc(span, 1);
	text->numbers = calloc(span, sizeof *text->numbers);
	if (!text->bytes || !text->marks || !text->numbers)
		return failure_set(text->failure, ENOMEM, "no memory for its code (%" PRIu64 " bytes)", span);
	return 0;
}

static int areas_join(struct plan_text *text, const struct text *source)
{
	if (!source->count)
		return 0;
	int code = arrays_make(text, source);
	for (uint32_t i = 0; i < source->count && !code; i++) {
		const struct text_area *area = &source->areas[i];
		memcpy(text->bytes + (area->start - text->start), area->bytes, area->end - area->start);
		plan_text_mark(text, area->start, area->end - area->start, MARK_CODE);
	}
	text->text_bytes = source->bytes;
	return code;
}

/* Both sorted. */
static int ranges_read(const struct elf_file *file, struct code_ranges *ranges, struct code_ranges *starts)
{
	int code = unwind_ranges_add(file, ranges);
	if (!code)
		code = symbol_ranges_add(file, starts);
	if (!code)
		code = dynamic_starts_add(file, starts);
	code_ranges_sort(ranges);
	code_ranges_sort(starts);
	return code;
}

static int source_read(struct plan_text *text, const struct elf_file *file)
{
	struct text source;
	int code = text_read(&source, file);
	if (!code)
		code = areas_join(text, &source);
	text_free(&source);
	return code;
}

int plan_text_read(struct plan_text *text, const struct elf_file *file)
{
	struct code_ranges ranges = { .count = 0 };
	struct code_ranges starts = { .count = 0 };
	*text = (struct plan_text){ .failure = file->failure };
	int code = source_read(text, file);
	if (!code)
		code = ranges_read(file, &ranges, &starts);
	if (!code)
		code = rseq_mark(text, file);
	if (!code)
		code = landing_pads_mark(text, file);
	if (!code)
		code = plan_walk(text, &ranges, &starts);
	if (!code)
		code = tables_mark(text, file);
	free(ranges.items);
	free(starts.items);
	return code;
}

void plan_text_free(struct plan_text *text)
{
	free(text->bytes);
	free(text->marks);
	free(text->numbers);
	free(text->insns);
	free(text->landings);
	free(text->tables);
	code_map_free(&text->map);
}

struct insn *plan_text_insn(const struct plan_text *text, uint64_t address)
{
	if (!plan_text_holds(text, address) || !text->numbers[address - text->start])
		return NULL;
	return &text->insns[text->numbers[address - text->start] - 1];
}

void plan_text_mark(struct plan_text *text, uint64_t address, uint64_t size, enum text_mark mark)
{
	for (uint64_t i = 0; i < size && plan_text_holds(text, address + i); i++)
		text->marks[address + i - text->start] |= (uint8_t)mark;
}

bool plan_text_has(const struct plan_text *text, uint64_t address, uint64_t size, unsigned marks)
{
	for (uint64_t i = 0; i < size; i++)
		if (!plan_text_holds(text, address + i) || text->marks[address + i - text->start] & marks)
			return true;
	return false;
}
