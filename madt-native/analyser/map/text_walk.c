#include "map/text_walk.h"

#include <errno.h>

#include "decode/decoder.h"
#include "decode/state_mask.h"
#include "map/frame_pointer.h"
#include "map/inner_starts.h"

struct walk {
	struct decoder decoder;
	struct state_mask state;
	struct inner_starts inner;
	const struct text_area *area;
	struct code_map *map;
	struct instruction instruction; /* decoded last */
	uint8_t flags;                  /* for every entry: MADT_CODE_GAP or nothing */
	bool full;                      /* no memory for another entry */
};

static bool instruction_decode(struct walk *walk, uint64_t at, uint64_t limit)
{
	const uint8_t *bytes = walk->area->bytes + (at - walk->area->start);
	if (!decoder_read(&walk->decoder, bytes, limit - at, at, &walk->instruction))
		return false;
	state_mask_follow(&walk->state, bytes, &walk->instruction);
	return true;
}

/* Notes the instruction just decoded, at an offset that has none yet. */
static void instruction_add(struct walk *walk)
{
	struct instruction *instruction = &walk->instruction;
	walk->area->starts[instruction->insn.address - walk->area->start] = instruction->insn.length;
	if (!walk->flags)
		inner_starts_note(&walk->inner, instruction);
	if (!instruction->listed)
		return;
	instruction->site.entry.flags |= walk->flags;
	walk->full |= !code_map_add(walk->map, &instruction->site);
}

/*
 * glibc's single-threaded fast paths jump over the lock prefix: the rest of such an instruction is
 * one as well.
 */
static void unlocked_add(struct walk *walk, uint64_t at, uint64_t limit)
{
	const uint64_t offset = at - walk->area->start;
	if (walk->area->bytes[offset] == 0xf0 && walk->instruction.locked
			&& !walk->area->starts[offset + 1] && instruction_decode(walk, at + 1, limit))
		instruction_add(walk);
}

/* One instruction, or one byte that starts none. Returns the bytes to go on by. */
static unsigned step(struct walk *walk, uint64_t at, uint64_t limit, struct frame_pointer *frame)
{
	uint8_t *start = &walk->area->starts[at - walk->area->start];
	if (*start)
		/* of a range that overlaps this one, or of an unlocked entry */
		return *start & TEXT_LENGTH;
	if (!instruction_decode(walk, at, limit)) {
		*start = TEXT_BAD;
		walk->map->header.bad_bytes++;
		return 1;
	}
	unsigned length = walk->instruction.insn.length;
	walk->map->header.instructions++;
	instruction_add(walk);
	if (frame)
		frame_pointer_follow(frame, walk->instruction.frame, walk->map);
	unlocked_add(walk, at, limit);
	return length;
}

/*
 * A function's last instruction may reach beyond its symbol's size; it ends with the area at the
 * latest.
 */
static void function_walk(struct walk *walk, uint64_t start, uint64_t end)
{
	struct frame_pointer frame = { .seen = 0 };
	walk->flags = 0;
	for (uint64_t at = start; at < end && !walk->full;)
		at += step(walk, at, walk->area->end, &frame);
	frame_pointer_apply(&frame, walk->map);
	walk->full |= !code_map_share(walk->map);
}

/* Returns what a function's last instruction took of the gap behind it. */
static uint64_t gap_begin(const struct text_area *area, uint64_t start, uint64_t end)
{
	uint64_t begin = start;
	for (unsigned back = 1; back < ZYDIS_MAX_INSTRUCTION_LENGTH && start - area->start >= back;
			back++) {
		uint64_t reach = start - back + (area->starts[start - back - area->start] & TEXT_LENGTH);
		if (reach > begin)
			begin = reach;
	}
	return begin < end ? begin : end;
}

static void gap_walk(struct walk *walk, uint64_t start, uint64_t end)
{
	if (start >= end)
		return;
	walk->flags = MADT_CODE_GAP;
	walk->map->header.gap_bytes += end - start;
	for (uint64_t at = gap_begin(walk->area, start, end); at < end && !walk->full;)
		at += step(walk, at, end, NULL);
}

static uint64_t smaller(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* Returns whether it is a stub. What the PLT holds is told by its unwind range, if it has one. */
static bool is_stub(const struct madt_code_function *function)
{
	return function->kinds & MADT_FUNCTION_STUB;
}

static void functions_walk(struct walk *walk, const struct text *text,
		const struct functions *functions)
{
	for (size_t i = 0; i < functions->count && !walk->full; i++) {
		const struct madt_code_function *function = &functions->items[i];
		walk->area = text_area_at(text, function->start);
		if (walk->area && !is_stub(function))
			function_walk(walk, function->start, smaller(function->end, walk->area->end));
	}
}

/*
 * The parts of one area outside all ranges; an empty range is a place to synchronise at. Goes on
 * from range *next.
 */
static void gaps_walk(struct walk *walk, const struct functions *functions, size_t *next)
{
	uint64_t known = walk->area->start; /* everything below is dealt with */
	for (; *next < functions->count && functions->items[*next].start < walk->area->end; ++*next) {
		const struct madt_code_function *range = &functions->items[*next];
		if (is_stub(range))
			continue;
		if (range->start < walk->area->start)
			continue; /* it lies in no area: function_walk did not see it either */
		gap_walk(walk, known, range->start);
		if (range->start > known)
			known = range->start;
		if (range->end > known)
			known = smaller(range->end, walk->area->end);
	}
	gap_walk(walk, known, walk->area->end);
}

/*
 * Up to what is known, or what is no instruction: a byte that starts none is known from then on, so
 * that it is not found anew.
 */
static void path_walk(struct walk *walk, uint64_t start)
{
	walk->area = text_area_at(walk->inner.text, start);
	uint8_t *starts = walk->area->starts;
	for (uint64_t at = start; at < walk->area->end && !walk->full;
			at += walk->instruction.insn.length) {
		if (starts[at - walk->area->start])
			break;
		if (!instruction_decode(walk, at, walk->area->end)) {
			starts[at - walk->area->start] = TEXT_BAD;
			break;
		}
		instruction_add(walk);
		if (walk->instruction.insn.flags & INSN_ENDS)
			break;
	}
	walk->full |= !code_map_share(walk->map);
}

/* Walks over what lies in the midst of instructions, which may lead to more of its kind. */
static int inner_walk(struct walk *walk, const struct elf_file *file)
{
	uint64_t start;
	int code;
	walk->flags = 0;
	while (inner_starts_find(&walk->inner, file, &code) && !walk->full)
		while (!walk->full && inner_starts_take(&walk->inner, &start))
			path_walk(walk, start);
	walk->full |= walk->inner.full;
	return code;
}

int text_walk(const struct text *text, const struct functions *functions, struct code_map *map,
		const struct elf_file *file)
{
	struct walk walk = { .map = map, .inner.text = text };
	if (!decoder_make(&walk.decoder)) {
		decoder_free(&walk.decoder);
		return failure_set(file->failure, ENOSYS, "Zydis cannot decode 64-bit code");
	}
	map->header.text_bytes = text->bytes;
	map->header.text_sum = madt_sum_end(&text->sum);
	functions_walk(&walk, text, functions);
	size_t next = 0;
	for (uint32_t i = 0; i < text->count && !walk.full; i++) {
		walk.area = &text->areas[i];
		gaps_walk(&walk, functions, &next);
	}
	int code = inner_walk(&walk, file);
	inner_starts_free(&walk.inner);
	decoder_free(&walk.decoder);
	if (walk.full)
		return failure_set(file->failure, ENOMEM, "no memory for its %zu code map entries",
				map->entry_count);
	return code;
}
