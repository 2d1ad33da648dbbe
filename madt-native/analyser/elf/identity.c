#include "elf/identity.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PIECE ((uint64_t)8192 * MADT_SUM_BLOCK)

/* Parts of the file, which may overlap. */
struct extent {
	uint64_t start, end;
};

struct extents {
	struct extent *items;
	size_t count;
};

/*
 * Adds the part of a range that the file has: what reaches beyond its end is not there for anybody.
 */
static void extent_add(const struct elf_file *file, struct extents *extents, uint64_t offset,
		uint64_t size)
{
	if (offset >= file->size || !size)
		return;
	extents->items[extents->count++] = (struct extent){ offset,
		size < file->size - offset ? offset + size : file->size };
}

static bool section_counts(const Elf64_Shdr *section)
{
	return section->sh_type != SHT_NOBITS && section->sh_type != SHT_NULL
			&& (section->sh_type != SHT_PROGBITS || section->sh_flags & SHF_ALLOC);
}

static int extent_compare(const void *a, const void *b)
{
	const struct extent *left = a, *right = b;
	return (left->start > right->start) - (left->start < right->start);
}

/* In order, without overlaps. */
static void extents_join(struct extents *extents)
{
	size_t kept = 0;
	qsort(extents->items, extents->count, sizeof *extents->items, extent_compare);
	for (size_t i = 1; i < extents->count; i++) {
		struct extent *last = &extents->items[kept], *next = &extents->items[i];
		if (next->start > last->end)
			extents->items[++kept] = *next;
		else if (next->end > last->end)
			last->end = next->end;
	}
	extents->count = kept + 1;
}

static bool extents_find(const struct elf_file *file, struct extents *extents)
{
	const Elf64_Ehdr *header = &file->header;
	*extents = (struct extents){ .items = calloc(3 + (size_t)file->segment_count
												 + file->section_count,
										 sizeof *extents->items) };
	if (!extents->items)
		return false;
	extent_add(file, extents, 0, sizeof *header);
	extent_add(file, extents, header->e_phoff, file->segment_count * sizeof(Elf64_Phdr));
	extent_add(file, extents, header->e_shoff, file->section_count * sizeof(Elf64_Shdr));
	for (uint32_t i = 0; i < file->segment_count; i++)
		extent_add(file, extents, file->segments[i].p_offset, file->segments[i].p_filesz);
	for (uint32_t i = 0; i < file->section_count; i++)
		if (section_counts(&file->sections[i]))
			extent_add(file, extents, file->sections[i].sh_offset, file->sections[i].sh_size);
	extents_join(extents);
	return true;
}

static int piece_add(const struct elf_file *file, struct madt_sum *sum, uint8_t *piece,
		uint64_t offset, uint64_t size)
{
	int code = elf_file_read_into(file, piece, offset, size, "contents");
	if (!code)
		madt_sum_add(sum, piece, size);
	return code;
}

int identity_read(const struct elf_file *file, struct madt_sum_key key, uint64_t *identity)
{
	struct madt_sum sum = madt_sum_begin(key);
	struct extents extents;
	uint8_t *piece = malloc(PIECE);
	int code = piece && extents_find(file, &extents)
			? 0
			: failure_set(file->failure, ENOMEM, "no memory to read it");
	madt_sum_number(&sum, file->size);
	for (size_t i = 0; !code && i < extents.count; i++) {
		struct extent at = extents.items[i];
		madt_sum_number(&sum, at.start);
		madt_sum_number(&sum, at.end);
		for (; !code && at.start < at.end; at.start += PIECE)
			code = piece_add(file, &sum, piece, at.start,
					at.end - at.start < PIECE ? at.end - at.start : PIECE);
	}
	*identity = madt_sum_end(&sum);
	if (piece)
		free(extents.items);
	free(piece);
	return code;
}
