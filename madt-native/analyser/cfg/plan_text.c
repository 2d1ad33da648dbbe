#include "cfg/plan_text.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* shifted areas of a larger module would run into each other */
#define SPAN_MAX (UINT32_C(1) << 28)
/* bytes before an instruction whose marks are still wanted: those of its springboard */
#define TEXT_BACK 256

static int arrays_make(struct plan_text *text, const struct text *source)
{
	uint64_t span = source->areas[source->count - 1].end - source->areas[0].start;
	if (span > SPAN_MAX)
		return failure_set(text->failure, EFBIG,
				"code over %" PRIu64 " bytes: at most %" PRIu32 " can be planned", span, SPAN_MAX);
	text->start = (uint32_t)source->areas[0].start;
	text->size = (uint32_t)span;
	text->bytes = calloc(span, 1);
	text->marks = calloc(span, 1);
	text->starts = calloc(span / 64 + 1, sizeof *text->starts);
	text->ranks = calloc(span / 64 + 1, sizeof *text->ranks);
	if (!text->bytes || !text->marks || !text->starts || !text->ranks)
		return failure_set(text->failure, ENOMEM, "no memory for its code (%" PRIu64 " bytes)",
				span);
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

static int source_read(struct plan_text *text, const struct elf_file *file)
{
	struct text source;
	int code = text_read(&source, file);
	if (!code)
		code = areas_join(text, &source);
	text->text_sum = madt_sum_end(&source.sum);
	text_free(&source);
	return code;
}

/* Finds the targets of tables of what lies in the midst of instructions, too. */
static int targets_find(struct plan_text *text, const struct elf_file *file)
{
	int code = 0;
	for (bool more = true; more && !code;) {
		code = tables_mark(text, file);
		if (!code)
			code = switches_find(text, file);
		if (!code)
			code = plan_walk_inner(text, &more);
	}
	return code;
}

int plan_text_read(struct plan_text *text, const struct elf_file *file, bool stack, bool tls)
{
	*text = (struct plan_text){ .failure = file->failure, .stack = stack, .tls = tls };
	int code = source_read(text, file);
	if (!code)
		code = functions_read(file, &text->functions);
	if (!code)
		code = rseq_mark(text, file);
	if (!code)
		code = landing_pads_mark(text, file);
	if (!code)
		code = plan_walk(text);
	if (!code)
		code = targets_find(text, file);
	if (!code)
		rseq_signatures_mark(text);
	return code;
}

/* Frees all but what is counted. */
void plan_text_free(struct plan_text *text)
{
	free(text->bytes);
	free(text->marks);
	free(text->starts);
	free(text->ranks);
	free(text->insns);
	free(text->landings);
	free(text->tables);
	free(text->jumps);
	free(text->cases);
	code_map_free(&text->map);
	free(text->functions.items);
	text->bytes = text->marks = NULL;
	text->starts = NULL;
	text->ranks = NULL;
	text->insns = NULL;
	text->landings = NULL;
	text->tables = NULL;
	text->jumps = NULL;
	text->cases = NULL;
	text->jump_count = text->case_count = 0;
	text->map = (struct code_map){ .entry_count = 0 };
	text->functions = (struct functions){ .count = 0 };
}

void pages_forget(void *array, size_t size)
{
	uintptr_t start = ((uintptr_t)array + MADT_PAGE - 1) / MADT_PAGE * MADT_PAGE;
	uintptr_t end = ((uintptr_t)array + size) / MADT_PAGE * MADT_PAGE;
	if (array && start < end)
		madvise((void *)start, end - start, MADV_DONTNEED);
}

/* Sites of functions are in order: they come before those that were found outside of functions. */
void plan_text_forget(struct plan_text *text, const struct insn *insn)
{
	const uint32_t before = insn->address - text->start;
	pages_forget(text->bytes, before);
	pages_forget(text->marks, before > TEXT_BACK ? before - TEXT_BACK : 0);
	if (!(insn->flags & INSN_GAP) && insn->site != INSN_NO_SITE)
		pages_forget(text->map.entries, insn->site * sizeof *text->map.entries);
	pages_forget(text->insns, (size_t)(insn - text->insns) * sizeof *insn);
}
