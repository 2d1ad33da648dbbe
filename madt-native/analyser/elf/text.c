#include "elf/text.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>

static bool segment_is_code(const Elf64_Phdr *segment)
{
	return segment->p_type == PT_LOAD && segment->p_flags & PF_X && segment->p_filesz;
}

static int area_add(struct text *text, const struct elf_file *file, uint64_t start, uint64_t end,
		const uint8_t *bytes)
{
	if (start >= end)
		return 0;
	if (text->count == text->capacity) {
		uint32_t capacity = text->capacity ? 2 * text->capacity : 16;
		struct text_area *areas = realloc(text->areas, capacity * sizeof *areas);
		if (!areas)
			return failure_set(file->failure, ENOMEM, "no memory for its sections");
		text->areas = areas;
		text->capacity = capacity;
	}
	text->areas[text->count++] = (struct text_area){ start, end, bytes, NULL };
	text->bytes += end - start;
	return 0;
}

/* The executable sections within a segment, cut to what the file holds of it. */
static int sections_add(struct text *text, const struct elf_file *file, const Elf64_Phdr *segment,
		const uint8_t *bytes)
{
	uint64_t limit = segment->p_vaddr + segment->p_filesz;
	for (uint32_t i = 0; i < file->section_count; i++) {
		const Elf64_Shdr *section = &file->sections[i];
		const uint64_t wanted = SHF_ALLOC | SHF_EXECINSTR;
		if ((section->sh_flags & wanted) != wanted || section->sh_type == SHT_NOBITS
				|| section->sh_addr < segment->p_vaddr || section->sh_addr >= limit)
			continue;
		uint64_t room = limit - section->sh_addr;
		uint64_t size = section->sh_size < room ? section->sh_size : room;
		int code = area_add(text, file, section->sh_addr, section->sh_addr + size,
				bytes + (section->sh_addr - segment->p_vaddr));
		if (code)
			return code;
	}
	return 0;
}

static int segment_add(struct text *text, const struct elf_file *file, const Elf64_Phdr *segment,
		uint64_t *left)
{
	if (segment->p_vaddr > UINT32_MAX || segment->p_filesz > UINT32_MAX - segment->p_vaddr)
		return failure_set(file->failure, EFBIG,
				"code at address 0x%" PRIx64 " (%" PRIu64 " bytes): a code map holds "
				"addresses below 4 GiB",
				segment->p_vaddr, segment->p_filesz);
	if (segment->p_filesz > *left)
		return failure_set(file->failure, EINVAL,
				"damaged: executable segments longer than the file (%" PRIu64 " bytes)",
				file->size);
	*left -= segment->p_filesz;
	int code = 0;
	uint8_t *bytes = elf_file_read(file, segment->p_offset, segment->p_filesz, "executable segment",
			&code);
	if (!bytes)
		return code;
	text->blocks[text->block_count++] = bytes;
	if (madt_segment_stays(segment->p_flags)) {
		madt_sum_number(&text->sum, segment->p_filesz);
		madt_sum_add(&text->sum, bytes, segment->p_filesz);
	}
	uint32_t before = text->count;
	code = sections_add(text, file, segment, bytes);
	if (code || text->count != before)
		return code;
	return area_add(text, file, segment->p_vaddr, segment->p_vaddr + segment->p_filesz, bytes);
}

static int area_compare(const void *a, const void *b)
{
	const struct text_area *left = a;
	const struct text_area *right = b;
	return (left->start > right->start) - (left->start < right->start);
}

static int areas_finish(struct text *text, const struct elf_file *file)
{
	if (text->count)
		qsort(text->areas, text->count, sizeof *text->areas, area_compare);
	for (uint32_t i = 0; i < text->count; i++) {
		struct text_area *area = &text->areas[i];
		if (i && area[-1].end > area->start)
			return failure_set(file->failure, EINVAL,
					"damaged: executable parts at addresses 0x%" PRIx64 " and 0x%" PRIx64
					" overlap",
					area[-1].start, area->start);
		area->starts = calloc(area->end - area->start, 1);
		if (!area->starts)
			return failure_set(file->failure, ENOMEM, "no memory for its code (%" PRIu64 " bytes)",
					text->bytes);
	}
	return 0;
}

int text_read(struct text *text, const struct elf_file *file)
{
	*text = (struct text){ .blocks = calloc(file->segment_count, sizeof *text->blocks),
		.sum = madt_sum_begin(MADT_SUM_TEXT_KEY) };
	if (!text->blocks)
		return failure_set(file->failure, ENOMEM, "no memory for %u program headers",
				file->segment_count);
	uint64_t left = file->size;
	int code = 0;
	for (uint32_t i = 0; i < file->segment_count && !code; i++)
		if (segment_is_code(&file->segments[i]))
			code = segment_add(text, file, &file->segments[i], &left);
	return code ? code : areas_finish(text, file);
}

void text_free(struct text *text)
{
	for (uint32_t i = 0; i < text->count; i++)
		free(text->areas[i].starts);
	for (uint32_t i = 0; i < text->block_count; i++)
		free(text->blocks[i]);
	free(text->areas);
	free(text->blocks);
}

const struct text_area *text_area_at(const struct text *text, uint64_t address)
{
	uint32_t low = 0;
	uint32_t high = text->count;
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		if (text->areas[middle].end <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low < text->count && text->areas[low].start <= address ? &text->areas[low] : NULL;
}
