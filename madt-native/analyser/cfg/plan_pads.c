/*
 * Landing pads: where C++ exceptions come in. A function's table (.gcc_except_table, written by
 * gcc's and clang's except.c, read by libsupc++'s unwind-pe.h):
 *
 *   pad base encoding, [pad base] |
 *   type encoding, [uleb distance] |
 *   call-site encoding, uleb length | call sites
 *
 *   call site: start, length, pad (0: none), each relative to the function or the pad base;
 *              uleb action
 *
 * A pad that is missed as a target costs time only: control that comes to it within a patch traps.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/pack.h"
#include "elf/unwind.h"
#include "cfg/plan_text.h"

#define OMITTED 0xff

struct reader {
	const uint8_t *at;
	const uint8_t *end;
	bool broken;
};

static uint64_t fixed_read(struct reader *reader, unsigned size)
{
	uint64_t value = 0;
	if ((size_t)(reader->end - reader->at) < size) {
		reader->broken = true;
		return 0;
	}
	memcpy(&value, reader->at, size);
	reader->at += size;
	return value;
}

static uint64_t uleb_read(struct reader *reader)
{
	uint64_t value = 0;
	for (unsigned shift = 0; !reader->broken; shift += 7) {
		uint64_t byte = fixed_read(reader, 1);
		value |= shift < 64 ? (byte & 0x7f) << shift : 0;
		if (!(byte & 0x80))
			break;
	}
	return value;
}

static uint64_t encoded_read(struct reader *reader, uint8_t encoding)
{
	switch (encoding & 0x0f) {
	case 0x1:
		return uleb_read(reader);
	case 0x2:
		return fixed_read(reader, 2);
	case 0x3:
	case 0xb:
		return fixed_read(reader, 4);
	case 0x0:
	case 0x4:
	case 0xc:
		return fixed_read(reader, 8);
	default:
		reader->broken = true;
		return 0;
	}
}

/* False: no memory. */
static bool landing_add(struct plan_text *text, uint64_t start, uint64_t length, uint64_t pad)
{
	if (!plan_text_holds(text, start) || !plan_text_holds(text, pad) || length > text->size)
		return true;
	if (!array_reserve(&text->landings, &text->landing_capacity, text->landing_count,
				sizeof *text->landings))
		return false;
	plan_text_mark(text, pad, 1, MARK_TARGET);
	text->landings[text->landing_count++] = (struct landing){ (uint32_t)start,
		(uint32_t)(start + length), (uint32_t)pad };
	return true;
}

static bool table_read(struct plan_text *text, uint64_t function, struct reader *reader)
{
	if (fixed_read(reader, 1) != OMITTED)
		/* pads relative to something else than the function: no compiler writes it */
		return true;
	if (fixed_read(reader, 1) != OMITTED)
		uleb_read(reader);
	uint8_t encoding = (uint8_t)fixed_read(reader, 1);
	uint64_t length = uleb_read(reader);
	if (reader->broken || length > (size_t)(reader->end - reader->at))
		return true;
	reader->end = reader->at + length;
	while (reader->at < reader->end && !reader->broken) {
		uint64_t start = encoded_read(reader, encoding);
		uint64_t covered = encoded_read(reader, encoding);
		uint64_t pad = encoded_read(reader, encoding);
		uleb_read(reader);
		if (pad && !reader->broken && !landing_add(text, function + start, covered, function + pad))
			return false;
	}
	return true;
}

static bool table_take(void *context, const struct unwind_range *range)
{
	return !range->table || functions_add(context, range->start, 0, 0, range->table);
}

int landing_pads_mark(struct plan_text *text, const struct elf_file *file)
{
	struct functions tables = { .count = 0 };
	const Elf64_Phdr *held = NULL;
	uint8_t *bytes = NULL;
	int code = unwind_each(file, table_take, &tables);
	for (size_t i = 0; i < tables.count && !code; i++) {
		const Elf64_Phdr *segment = elf_file_segment_at(file, tables.items[i].where);
		if (segment && segment != held) {
			free(bytes);
			bytes = elf_file_read(file, segment->p_offset, segment->p_filesz,
					"segment with exception tables", &code);
			held = bytes ? segment : NULL;
		}
		if (!segment || !bytes)
			continue;
		struct reader reader = { bytes + (tables.items[i].where - segment->p_vaddr),
			bytes + segment->p_filesz, false };
		if (!table_read(text, tables.items[i].start, &reader))
			code = failure_set(file->failure, ENOMEM, "no memory for its landing pads");
	}
	free(bytes);
	free(tables.items);
	return code;
}
