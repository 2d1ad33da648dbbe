/*
 * .eh_frame (LSB 5.0 core, "Exception Frames"): records of two kinds, each with its length in
 * front.
 *
 *   CIE  length | 0 | version | augmentation "zR…" | … | pointer encoding (for R)
 *   FDE  length | distance back to its CIE | first address | bytes covered | …
 *
 * A stripped program has it too, also without section headers: then PT_GNU_EH_FRAME leads to it.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "elf/unwind.h"

#define ENCODING_OMITTED 0xff
#define ENCODING_INDIRECT 0x80
#define ENCODING_FORMAT 0x0f
#define ENCODING_BASE 0x70
#define BASE_PCREL 0x10

struct unwind {
	const uint8_t *bytes;
	uint64_t size;
	uint64_t address; /* ELF virtual address of bytes[0] */
	uint64_t at;      /* the next byte to read */
	uint64_t limit;   /* end of the record at hand */
	bool broken;      /* a read met the limit */
	uint64_t cie;     /* offset of the CIE read last, and its pointer encoding */
	uint8_t encoding;
	uint8_t table_encoding; /* of the pointer to a function's exception table */
	bool signal;            /* it is of a signal frame (augmentation S) */
	bool cie_known;
	bool sized; /* FDEs say how long their augmentation is */
	unwind_take *take;
	void *context;
};

static uint64_t unsigned_read(struct unwind *unwind, unsigned size)
{
	uint64_t value = 0;
	if (unwind->limit - unwind->at < size) {
		unwind->broken = true;
		return 0;
	}
	memcpy(&value, unwind->bytes + unwind->at, size);
	unwind->at += size;
	return value;
}

static uint64_t leb_read(struct unwind *unwind, bool is_signed)
{
	uint64_t value = 0;
	unsigned shift = 0;
	uint8_t byte;
	do {
		byte = (uint8_t)unsigned_read(unwind, 1);
		if (shift < 64)
			value |= (uint64_t)(byte & 0x7f) << shift;
		shift += 7;
	} while (byte & 0x80 && !unwind->broken);
	if (is_signed && byte & 0x40 && shift < 64)
		value |= UINT64_MAX << shift;
	return value;
}

static uint64_t value_read(struct unwind *unwind, uint8_t format)
{
	switch (format) {
	case 0x1:
		return leb_read(unwind, false);
	case 0x9:
		return leb_read(unwind, true);
	case 0x2:
		return unsigned_read(unwind, 2);
	case 0xa:
		return (uint64_t)(int16_t)unsigned_read(unwind, 2);
	case 0x3:
		return unsigned_read(unwind, 4);
	case 0xb:
		return (uint64_t)(int32_t)unsigned_read(unwind, 4);
	case 0x0:
	case 0x4:
	case 0xc:
		return unsigned_read(unwind, 8);
	default:
		unwind->broken = true;
		return 0;
	}
}

/* Reads the augmentation's own data up to R; P holds a pointer in an encoding of its own. */
static uint8_t augmentation_encoding(struct unwind *unwind, const char *augmentation)
{
	uint8_t encoding = 0;
	leb_read(unwind, false); /* its length */
	for (const char *letter = augmentation + 1; *letter; letter++) {
		if (*letter == 'R')
			encoding = (uint8_t)unsigned_read(unwind, 1);
		else if (*letter == 'L')
			unwind->table_encoding = (uint8_t)unsigned_read(unwind, 1);
		else if (*letter == 'P')
			value_read(unwind, (uint8_t)unsigned_read(unwind, 1) & ENCODING_FORMAT);
		else if (*letter == 'S')
			unwind->signal = true;
		else if (*letter != 'B')
			break; /* unknown to us: whatever follows cannot be told apart */
	}
	return encoding;
}

static bool cie_read(struct unwind *unwind)
{
	uint8_t version = (uint8_t)unsigned_read(unwind, 1);
	const char *augmentation = (const char *)unwind->bytes + unwind->at;
	while (unsigned_read(unwind, 1) != 0 && !unwind->broken)
		;
	if (unwind->broken || (version != 1 && version != 3))
		return false;
	if (strcmp(augmentation, "eh") == 0)
		unsigned_read(unwind, 8);
	leb_read(unwind, false); /* code alignment */
	leb_read(unwind, true);  /* data alignment */
	if (version == 1)
		unsigned_read(unwind, 1); /* return address column */
	else
		leb_read(unwind, false);
	unwind->signal = false;
	unwind->table_encoding = ENCODING_OMITTED;
	unwind->sized = augmentation[0] == 'z';
	unwind->encoding = unwind->sized ? augmentation_encoding(unwind, augmentation) : 0;
	return !unwind->broken;
}

/* The length field of the record at `at`; sets its limit. False: it reaches beyond the section. */
static bool record_enter(struct unwind *unwind, bool *last)
{
	unwind->limit = unwind->size;
	unwind->broken = false;
	uint64_t length = unsigned_read(unwind, 4);
	if (length == 0xffffffff)
		length = unsigned_read(unwind, 8);
	*last = length == 0;
	if (unwind->broken || length > unwind->size - unwind->at)
		return false;
	unwind->limit = unwind->at + length;
	return true;
}

/* Reads the CIE that an FDE names, unless it is the one read last. */
static bool cie_enter(struct unwind *unwind, uint64_t cie)
{
	if (unwind->cie_known && unwind->cie == cie)
		return true;
	struct unwind outer = *unwind;
	bool last;
	unwind->at = cie;
	bool good = record_enter(unwind, &last) && !last && unsigned_read(unwind, 4) == 0
			&& cie_read(unwind);
	outer.encoding = unwind->encoding;
	outer.signal = unwind->signal;
	outer.sized = unwind->sized;
	outer.table_encoding = unwind->table_encoding;
	outer.cie = cie;
	outer.cie_known = good;
	*unwind = outer;
	return good;
}

/*
 * Behind the range: the augmentation's length, then the table's address, 0 if the function has
 * none.
 */
static uint64_t table_read(struct unwind *unwind)
{
	uint8_t encoding = unwind->table_encoding;
	uint8_t base = encoding & ENCODING_BASE;
	if (encoding == ENCODING_OMITTED || encoding & ENCODING_INDIRECT
			|| (base != 0 && base != BASE_PCREL))
		return 0;
	leb_read(unwind, false);
	uint64_t place = unwind->address + unwind->at;
	uint64_t table = value_read(unwind, encoding & ENCODING_FORMAT);
	if (unwind->broken || !table)
		return 0;
	return base == BASE_PCREL ? table + place : table;
}

/*
 * DWARF 5, 6.4.2. What is said before the first advance holds at the first instruction. The rest of
 * a function that a compiler put elsewhere says how much is on the stack already; behind a call it
 * is the return address alone, as CIEs say. Where a new thread begins (in glibc's clone and clone3)
 * there is none.
 */
enum {
	CFA_NOP = 0,
	CFA_UNDEFINED = 7,
	CFA_DEF_CFA = 12,
	CFA_DEF_CFA_OFFSET = 14,
	CFA_ADVANCES = 0x40,
	CFA_OFFSETS = 0x80
};

static bool fde_follows_call(struct unwind *unwind)
{
	enum { RSP = 7, RETURN_ADDRESS = 8, RETURN_COLUMN = 16 };
	if (unwind->sized)
		for (uint64_t left = leb_read(unwind, false); left && !unwind->broken; left--)
			unsigned_read(unwind, 1);
	while (unwind->at < unwind->limit && !unwind->broken) {
		uint8_t operation = (uint8_t)unsigned_read(unwind, 1);
		if (operation == CFA_NOP)
			continue;
		if (operation == CFA_UNDEFINED && leb_read(unwind, false) == RETURN_COLUMN)
			return false;
		if (operation == CFA_UNDEFINED)
			continue;
		if (operation == CFA_DEF_CFA_OFFSET)
			return leb_read(unwind, false) == RETURN_ADDRESS;
		else if (operation == CFA_DEF_CFA)
			return leb_read(unwind, false) == RSP && leb_read(unwind, false) == RETURN_ADDRESS;
		else
			return operation < 5 || (operation >= CFA_ADVANCES && operation < CFA_OFFSETS);
	}
	return !unwind->broken;
}

/* Reads what is told behind the range; that it is damaged does not make the range wrong. */
static void rest_read(struct unwind *unwind, struct unwind_range *range)
{
	const uint64_t behind = unwind->at;
	range->signal = unwind->signal;
	range->table = table_read(unwind);
	unwind->at = behind;
	unwind->broken = false;
	range->called = fde_follows_call(unwind);
}

/* `record`: where it begins, in the section. */
static bool fde_show(struct unwind *unwind, uint64_t record, bool *memory)
{
	uint64_t field = unwind->at;
	uint64_t distance = unsigned_read(unwind, 4);
	if (unwind->broken)
		return false;
	if (distance == 0)
		return true; /* a CIE: read when an FDE names it */
	if (distance > field || !cie_enter(unwind, field - distance))
		return false;
	uint8_t encoding = unwind->encoding;
	if (encoding == ENCODING_OMITTED || encoding & ENCODING_INDIRECT)
		return true;
	uint8_t base = encoding & ENCODING_BASE;
	uint64_t place = unwind->address + unwind->at;
	struct unwind_range range = { .record = unwind->address + record };
	range.start = value_read(unwind, encoding & ENCODING_FORMAT);
	range.covered = value_read(unwind, encoding & ENCODING_FORMAT & 0x7);
	if (unwind->broken)
		return false;
	if (base == BASE_PCREL)
		range.start += place;
	else if (base != 0)
		return true; /* relative to text or data: no x86-64 linker writes it */
	rest_read(unwind, &range);
	*memory = unwind->take(unwind->context, &range);
	return true;
}

/*
 * `exact`: the section's end is known, so that a broken record is damage and not just what follows
 * .eh_frame.
 */
static int records_show(const struct elf_file *file, struct unwind *unwind, bool exact,
		uint64_t offset)
{
	bool last = false;
	bool memory = true;
	while (unwind->size - unwind->at >= 4) {
		uint64_t record = unwind->at;
		bool good = record_enter(unwind, &last);
		if (last && exact)
			continue; /* crtend.o's terminator; a linker may put more behind it */
		if (last)
			return 0;
		if (good)
			good = fde_show(unwind, record, &memory);
		if (!memory)
			return failure_set(file->failure, ENOMEM, "no memory for its .eh_frame");
		if (!good)
			return exact ? failure_set(file->failure, EINVAL,
						   "damaged: .eh_frame record at byte %" PRIu64, offset + record)
						 : 0;
		unwind->at = unwind->limit;
	}
	return 0;
}

struct region {
	uint64_t offset;
	uint64_t size;
	uint64_t address;
	bool exact;
};

static int region_show(const struct elf_file *file, const struct region *region, unwind_take *take,
		void *context)
{
	int code = 0;
	uint8_t *bytes = elf_file_read(file, region->offset, region->size, ".eh_frame", &code);
	if (!bytes)
		return code;
	struct unwind unwind = { .bytes = bytes,
		.size = region->size,
		.address = region->address,
		.take = take,
		.context = context };
	code = records_show(file, &unwind, region->exact, region->offset);
	free(bytes);
	return code;
}

/* .eh_frame_hdr: version 1, three encodings, then the address of .eh_frame in the first of them. */
static int header_follow(const struct elf_file *file, const Elf64_Phdr *header, unwind_take *take,
		void *context)
{
	int code = 0;
	uint64_t size = header->p_filesz < 12 ? header->p_filesz : 12;
	uint8_t *bytes = elf_file_read(file, header->p_offset, size, ".eh_frame_hdr", &code);
	if (!bytes)
		return code;
	struct unwind reader = {
		.bytes = bytes, .size = size, .limit = size, .address = header->p_vaddr
	};
	uint64_t version = unsigned_read(&reader, 1);
	uint8_t encoding = (uint8_t)unsigned_read(&reader, 1);
	unsigned_read(&reader, 2);
	uint64_t start = value_read(&reader, encoding & ENCODING_FORMAT);
	if ((encoding & ENCODING_BASE) == BASE_PCREL)
		start += header->p_vaddr + 4;
	free(bytes);
	if (reader.broken || version != 1)
		return failure_set(file->failure, EINVAL, "damaged: .eh_frame_hdr at byte %" PRIu64,
				header->p_offset);
	const Elf64_Phdr *segment = elf_file_segment_at(file, start);
	if (encoding == ENCODING_OMITTED || !segment)
		return 0;
	uint64_t skipped = start - segment->p_vaddr;
	const struct region region = { segment->p_offset + skipped, segment->p_filesz - skipped, start,
		false };
	return region_show(file, &region, take, context);
}

int unwind_each(const struct elf_file *file, unwind_take *take, void *context)
{
	for (uint32_t i = 0; i < file->section_count; i++) {
		const Elf64_Shdr *section = &file->sections[i];
		const struct region region = { section->sh_offset, section->sh_size, section->sh_addr,
			true };
		if (section->sh_type != SHT_NOBITS && section->sh_flags & SHF_ALLOC
				&& strcmp(elf_file_section_name(file, section), ".eh_frame") == 0)
			return region_show(file, &region, take, context);
	}
	for (uint32_t i = 0; i < file->segment_count; i++)
		if (file->segments[i].p_type == PT_GNU_EH_FRAME)
			return header_follow(file, &file->segments[i], take, context);
	return 0;
}
