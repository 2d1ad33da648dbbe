/*
 * Decodes a module. Known functions are decoded from their beginning; the bytes between them linearly, with a new start behind every byte that
 * is no instruction. A byte array says for each executable byte whether an instruction starts there, so that no instruction is taken twice.
 */
#include "codemap_build.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "operands.h"

#define LOCK_PREFIX 0xf0
#define PROLOGUE 8 /* instructions in which a function sets its frame pointer up */
#define REGISTER_RBP 5

enum mark { MARK_NONE = 0, MARK_BAD = 0x80 }; /* else the length of the instruction that starts here */

struct text {
	const struct elf_file *file;
	struct codemap_build *build;
	ZydisDecoder decoder;
	uint64_t address; /* of the first byte */
	uint64_t size;
	uint8_t *bytes;
	uint8_t *starts;  /* enum mark, or a length */
	uint8_t *covered; /* 1: part of an instruction of a known function, 2: of a gap */
};

static bool entries_grow(struct codemap_build *build)
{
	if (build->head.entries == build->entry_room) {
		size_t room = build->entry_room ? build->entry_room * 2 : 4096;
		void *more = realloc(build->entries, room * sizeof *build->entries);

		if (!more)
			return false;
		build->entries = more;
		build->entry_room = room;
	}
	if (build->head.operands + OPERANDS_MAX > build->operand_room) {
		size_t room = build->operand_room ? build->operand_room * 2 : 8192;
		void *more = realloc(build->operands, room * sizeof *build->operands);

		if (!more)
			return false;
		build->operands = more;
		build->operand_room = room;
	}
	return true;
}

static uint8_t entry_flags(const ZydisDecodedInstruction *decoded, bool gap)
{
	uint8_t flags = gap ? MADT_CODE_GAP : 0;

	if (decoded->meta.category == ZYDIS_CATEGORY_CALL)
		flags |= MADT_CODE_CALL;
	if (decoded->attributes & (ZYDIS_ATTRIB_HAS_REP | ZYDIS_ATTRIB_HAS_REPE | ZYDIS_ATTRIB_HAS_REPNE))
		flags |= MADT_CODE_REP;
	switch (decoded->mnemonic) {
	case ZYDIS_MNEMONIC_PUSHF:
	case ZYDIS_MNEMONIC_PUSHFD:
	case ZYDIS_MNEMONIC_PUSHFQ:
		return flags | MADT_CODE_PUSHF;
	case ZYDIS_MNEMONIC_POPF:
	case ZYDIS_MNEMONIC_POPFD:
	case ZYDIS_MNEMONIC_POPFQ:
		return flags | MADT_CODE_POPF;
	default:
		return flags;
	}
}

static void entry_target(const struct instruction *instruction, struct madt_code_entry *entry)
{
	const ZydisDecodedOperand *operand = &instruction->operands[0];

	if (!(entry->flags & MADT_CODE_CALL) || operand->type != ZYDIS_OPERAND_TYPE_IMMEDIATE)
		return;
	entry->flags |= MADT_CODE_CALL_DIRECT;
	entry->target = (uint32_t)(instruction->address + instruction->decoded.length +
		(uint64_t)operand->imm.value.s);
}

static int entry_add(struct text *text, const struct instruction *instruction, bool gap)
{
	struct codemap_build *build = text->build;
	struct madt_code_entry entry = { .offset = (uint32_t)instruction->address,
		.length = instruction->decoded.length,
		.flags = entry_flags(&instruction->decoded, gap) };
	unsigned words = 0;

	if (!entries_grow(build))
		return failure_set(text->file->failure, ENOMEM, "no memory for its code map");
	entry.first_operand = build->head.operands;
	entry.operands = (uint8_t)operands_describe(instruction, build->operands + build->head.operands);
	entry_target(instruction, &entry);
	if (!entry.operands && !(entry.flags & MADT_CODE_CALL))
		return 0;
	for (unsigned i = 0; i < entry.operands; i++)
		words += build->operands[entry.first_operand + i].elements;
	entry.words = (uint8_t)words;
	build->head.operands += entry.operands;
	build->entries[build->head.entries++] = entry;
	if (text->bytes[instruction->address - text->address] == LOCK_PREFIX) {
		/* glibc jumps over the prefix when the process has one thread: the same instruction, a byte later */
		if (!entries_grow(build))
			return failure_set(text->file->failure, ENOMEM, "no memory for its code map");
		entry.offset++;
		entry.length--;
		build->entries[build->head.entries++] = entry;
	}
	return 0;
}

/* What is seen of a function's frame pointer while it is decoded. */
struct frame {
	unsigned instructions;
	bool pushed, set, lost;
};

static bool is_register(const ZydisDecodedOperand *operand, ZydisRegister which)
{
	return operand->type == ZYDIS_OPERAND_TYPE_REGISTER && operand->reg.value == which;
}

static void frame_see(struct frame *frame, const struct instruction *instruction)
{
	ZydisMnemonic mnemonic = instruction->decoded.mnemonic;
	const ZydisDecodedOperand *first = &instruction->operands[0];
	bool early = frame->instructions++ < PROLOGUE;

	if (early && mnemonic == ZYDIS_MNEMONIC_PUSH && is_register(first, ZYDIS_REGISTER_RBP)) {
		frame->pushed = true;
		return;
	}
	if (early && frame->pushed && mnemonic == ZYDIS_MNEMONIC_MOV && is_register(first, ZYDIS_REGISTER_RBP) &&
			is_register(&instruction->operands[1], ZYDIS_REGISTER_RSP)) {
		frame->set = true;
		return;
	}
	if (mnemonic == ZYDIS_MNEMONIC_LEAVE || (mnemonic == ZYDIS_MNEMONIC_POP && is_register(first, ZYDIS_REGISTER_RBP)))
		return;
	for (unsigned i = 0; i < instruction->decoded.operand_count; i++)
		if (instruction->operands[i].type == ZYDIS_OPERAND_TYPE_REGISTER &&
				(instruction->operands[i].actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) &&
				ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64,
					instruction->operands[i].reg.value) == ZYDIS_REGISTER_RBP)
			frame->lost = true;
}

/* Decodes one instruction and marks its bytes; its length, 0 where there is none, below 0 on failure. */
static int text_decode(struct text *text, uint64_t at, uint64_t limit, bool gap, struct frame *frame)
{
	struct instruction instruction = { .address = text->address + at };
	int code;

	if (!ZYAN_SUCCESS(ZydisDecoderDecodeFull(&text->decoder, text->bytes + at, limit - at, &instruction.decoded,
			instruction.operands))) {
		text->starts[at] = MARK_BAD;
		text->build->head.bad_bytes++;
		return 0;
	}
	text->starts[at] = instruction.decoded.length;
	memset(text->covered + at, gap ? 2 : 1, instruction.decoded.length);
	text->build->head.instructions++;
	frame_see(frame, &instruction);
	code = entry_add(text, &instruction, gap);
	return code ? -code : instruction.decoded.length;
}

static int function_decode(struct text *text, uint64_t start, uint64_t end)
{
	struct frame frame = { 0 };
	uint32_t first = text->build->head.operands;

	for (uint64_t at = start; at < end;) {
		int length = text->starts[at];

		if (length == MARK_NONE)
			length = text_decode(text, at, text->size, false, &frame);
		if (length < 0)
			return -length;
		at += length && length != MARK_BAD ? (uint64_t)length : 1;
	}
	for (uint32_t i = first; frame.set && !frame.lost && i < text->build->head.operands; i++)
		if (text->build->operands[i].base == REGISTER_RBP)
			text->build->operands[i].flags |= MADT_OPERAND_STACK;
	return 0;
}

/* Between functions: no instruction may reach into one. */
static int gap_decode(struct text *text, uint64_t start, uint64_t end)
{
	struct frame frame = { 0 };

	for (uint64_t at = start; at < end;) {
		int length = text_decode(text, at, end, true, &frame);

		if (length < 0)
			return -length;
		at += length ? (uint64_t)length : 1;
	}
	return 0;
}

static int gaps_decode(struct text *text, uint64_t start, uint64_t end)
{
	for (uint64_t at = start; at < end;) {
		uint64_t gap = at;
		int code;

		while (at < end && !text->covered[at] && text->starts[at] != MARK_BAD)
			at++;
		code = gap < at ? gap_decode(text, gap, at) : 0;
		if (code)
			return code;
		text->build->head.gap_bytes += at - gap;
		while (at < end && (text->covered[at] || text->starts[at] == MARK_BAD))
			at++;
	}
	return 0;
}

static uint64_t clamp(uint64_t value, uint64_t low, uint64_t high)
{
	return value < low ? low : value > high ? high : value;
}

/* Where section headers exist only sections of code count: between them are padding and, in old files, data. */
static int sections_decode(struct text *text)
{
	bool any = false;

	for (uint32_t i = 0; i < text->file->section_count; i++) {
		const Elf64_Shdr *section = &text->file->sections[i];
		uint64_t last = text->address + text->size, start, end;
		int code;

		if (!(section->sh_flags & SHF_EXECINSTR) || section->sh_type == SHT_NOBITS ||
				section->sh_size > UINT64_MAX - section->sh_addr)
			continue;
		any = true;
		start = clamp(section->sh_addr, text->address, last) - text->address;
		end = clamp(section->sh_addr + section->sh_size, text->address, last) - text->address;
		code = gaps_decode(text, start, end);
		if (code)
			return code;
	}
	return any ? 0 : gaps_decode(text, 0, text->size);
}

static int text_work(struct text *text, const struct code_ranges *ranges)
{
	uint64_t last = text->address + text->size;

	ZydisDecoderInit(&text->decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
	text->build->head.text_bytes += text->size;
	for (size_t i = 0; i < ranges->count; i++) {
		uint64_t start = clamp(ranges->items[i].start, text->address, last);
		uint64_t end = clamp(ranges->items[i].end, text->address, last);
		int code = function_decode(text, start - text->address, end - text->address);

		if (code)
			return code;
	}
	return sections_decode(text);
}

static int segment_decode(const struct elf_file *file, const Elf64_Phdr *segment, const struct code_ranges *ranges,
		struct codemap_build *build)
{
	struct text text = { .file = file, .build = build, .address = segment->p_vaddr, .size = segment->p_filesz };
	int code = 0;

	if (segment->p_vaddr + segment->p_filesz > UINT32_MAX)
		return failure_set(file->failure, EFBIG, "its code at address 0x%" PRIx64 " lies beyond 4 GiB",
			segment->p_vaddr);
	text.bytes = elf_file_read(file, segment->p_offset, segment->p_filesz, "code", &code);
	if (!text.bytes)
		return code;
	text.starts = calloc(text.size + 1, 1);
	text.covered = calloc(text.size + 1, 1);
	code = text.starts && text.covered ? text_work(&text, ranges)
					   : failure_set(file->failure, ENOMEM, "no memory for its code map");
	free(text.bytes);
	free(text.starts);
	free(text.covered);
	return code;
}

static int entry_compare(const void *a, const void *b)
{
	const struct madt_code_entry *left = a, *right = b;

	if (left->offset != right->offset)
		return left->offset < right->offset ? -1 : 1;
	/* known code before a gap's, the longer first: a total order, since qsort keeps none */
	if ((left->flags ^ right->flags) & MADT_CODE_GAP)
		return left->flags & MADT_CODE_GAP ? 1 : -1;
	return left->length != right->length ? right->length - left->length : (left->first_operand < right->first_operand ? -1 : 1);
}

static void entries_sort(struct codemap_build *build)
{
	uint32_t kept = 0;

	if (build->head.entries)
		qsort(build->entries, build->head.entries, sizeof *build->entries, entry_compare);
	for (uint32_t i = 0; i < build->head.entries; i++)
		if (!kept || build->entries[kept - 1].offset != build->entries[i].offset)
			build->entries[kept++] = build->entries[i];
	build->head.entries = kept;
}

int codemap_build(const struct elf_file *file, const struct code_ranges *ranges, struct codemap_build *build)
{
	memset(build, 0, sizeof *build);
	for (uint32_t i = 0; i < file->segment_count; i++) {
		const Elf64_Phdr *segment = &file->segments[i];
		int code = 0;

		if (segment->p_type == PT_LOAD && (segment->p_flags & PF_X) && segment->p_filesz)
			code = segment_decode(file, segment, ranges, build);
		if (code)
			return code;
	}
	entries_sort(build);
	return 0;
}

void codemap_build_free(struct codemap_build *build)
{
	free(build->entries);
	free(build->operands);
}
