#include "plan/plan_check.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/crc32c.h"
#include "madt_plan.h"
#include "map/map_check.h"
#include "plan/plan.h"

#define JUMP_LENGTH 5
#define JUMP_MAX 40 /* bytes of a window */
#define INT3 0xcc

struct view {
	const uint8_t *bytes;
	uint64_t size;
	const struct madt_plan *header;
	struct failure *failure;
};

#define TABLE(view, name, type) ((const struct type *)((view)->bytes + (view)->header->name.offset))

static int damaged(const struct view *view, const char *table, uint32_t index, size_t offset)
{
	return failure_set(view->failure, EINVAL, "damaged: %s %" PRIu32 " at byte %zu", table, index, offset);
}

#define DAMAGED(view, name, type, index) \
	damaged(view, #name, index, (view)->header->name.offset + (size_t)(index) * sizeof(struct type))

/* ---------------------------------------------------------------- header and tables */

static int header_check(const struct view *view)
{
	const struct madt_plan *header = view->header;
	if (header->magic != MADT_PLAN_MAGIC)
		return failure_set(view->failure, EINVAL, "not a splice plan (byte 0)");
	if (header->version != MADT_PLAN_VERSION)
		return failure_set(view->failure, EINVAL, "a splice plan of version %u (byte 8), not %u", header->version,
				MADT_PLAN_VERSION);
	if (header->header_size != sizeof *header || header->file_size != view->size || view->size > INT32_MAX)
		return failure_set(view->failure, EINVAL, "damaged: %" PRIu64 " bytes; byte 16 says %" PRIu64, view->size,
				header->file_size);
	if (header->build_id_length > sizeof header->build_id || header->variant >= MADT_PLAN_VARIANTS
			|| header->flags & ~(uint32_t)(MADT_PLAN_STACK | MADT_PLAN_HOOKS) || header->reserved)
		return failure_set(view->failure, EINVAL, "damaged: header (byte 28, 64 or 224)");
	if (header->module_start >= header->module_end || header->module_end > MADT_PLAN_OPEN
			|| (header->module_start | header->module_end | (uint64_t)header->epoch_page) % MADT_PAGE)
		return failure_set(view->failure, EINVAL, "damaged: addresses of the module or the epoch page (byte 72)");
	return 0;
}

static bool table_fits(const struct view *view, const struct madt_plan_table *table, size_t item_size)
{
	return table->offset % 8 == 0 && table->offset >= sizeof *view->header && table->offset <= view->size
			&& table->count <= (view->size - table->offset) / item_size;
}

static int tables_check(const struct view *view)
{
	const struct madt_plan *header = view->header;
	if (table_fits(view, &header->areas, sizeof(struct madt_plan_area))
			&& table_fits(view, &header->patches, sizeof(struct madt_plan_patch))
			&& table_fits(view, &header->runs, sizeof(struct madt_plan_run))
			&& table_fits(view, &header->words, sizeof(struct madt_plan_word))
			&& table_fits(view, &header->relocations, sizeof(uint32_t))
			&& table_fits(view, &header->boundaries, sizeof(struct madt_plan_boundary))
			&& table_fits(view, &header->entries, sizeof(struct madt_plan_entry))
			&& table_fits(view, &header->steps, sizeof(struct madt_plan_step))
			&& table_fits(view, &header->operands, sizeof(struct madt_code_operand))
			&& table_fits(view, &header->hooks, sizeof(struct madt_plan_hook)))
		return 0;
	return failure_set(view->failure, EINVAL, "damaged: a table reaches beyond the file's %" PRIu64 " bytes (bytes 88 to 159, 216)",
			view->size);
}

/* ---------------------------------------------------------------- areas and places */

static bool overlap(int64_t start, int64_t end, int64_t other_start, int64_t other_end)
{
	return start < other_end && other_start < end;
}

static int areas_check(const struct view *view)
{
	const struct madt_plan *header = view->header;
	const struct madt_plan_area *areas = TABLE(view, areas, madt_plan_area);
	for (uint32_t i = 0; i < header->areas.count; i++) {
		const struct madt_plan_area *area = &areas[i];
		int64_t end = area->address + area->size;
		bool good = area->address % MADT_PAGE == 0 && area->offset % MADT_PAGE == 0 && area->size % MADT_PAGE == 0
				&& area->size && area->offset <= view->size && area->size <= view->size - area->offset
				&& llabs(area->address) < INT64_C(1) << 33
				&& !overlap(area->address, end, header->module_start, header->module_end)
				&& !overlap(area->address, end, header->epoch_page, header->epoch_page + MADT_PAGE)
				&& (i == 0 || (area[-1].address + area[-1].size <= area->address
				&& area[-1].offset + area[-1].size == area->offset));
		if (!good)
			return DAMAGED(view, areas, madt_plan_area, i);
	}
	return 0;
}

/* Places are those of areas alone: areas fill the file's end without holes. */
static bool place_is_good(const struct view *view, uint32_t place, uint32_t bytes)
{
	const struct madt_plan_area *areas = TABLE(view, areas, madt_plan_area);
	return view->header->areas.count && place >= areas[0].offset && place <= view->size && bytes <= view->size - place;
}

static bool address_is_good(const struct view *view, uint32_t address)
{
	return address >= view->header->module_start && address < view->header->module_end;
}

static bool address_is_in_area(const struct view *view, int64_t address)
{
	const struct madt_plan_area *areas = TABLE(view, areas, madt_plan_area);
	for (uint32_t i = 0; i < view->header->areas.count; i++)
		if (address >= areas[i].address && address < areas[i].address + areas[i].size)
			return true;
	return false;
}

/* ---------------------------------------------------------------- patches and entries */

static int patches_check(const struct view *view)
{
	const struct madt_plan_patch *patches = TABLE(view, patches, madt_plan_patch);
	for (uint32_t i = 0; i < view->header->patches.count; i++) {
		const struct madt_plan_patch *patch = &patches[i];
		bool jump = patch->length >= JUMP_LENGTH && patch->length <= JUMP_MAX && patch->tactic < MADT_TACTIC_INT3
				&& address_is_in_area(view, (int64_t)patch->address + JUMP_LENGTH + patch->relative);
		bool trap = patch->length == 1 && patch->tactic >= MADT_TACTIC_INT3 && patch->relative == 0;
		if (!(jump || trap) || patch->tactic >= MADT_TACTICS || patch->reserved || !address_is_good(view, patch->address)
				|| (i && patch[-1].address + patch[-1].length > patch->address))
			return DAMAGED(view, patches, madt_plan_patch, i);
	}
	return 0;
}

/* Whether a jump to this byte of the patch traps. */
static bool patch_traps(const struct madt_plan_patch *patch, uint32_t offset)
{
	if (patch->length == 1 || offset >= JUMP_LENGTH)
		return true;
	if (offset == 0)
		return false;
	uint8_t byte = (uint8_t)((uint32_t)patch->relative >> 8 * (offset - 1));
	return offset == JUMP_LENGTH - 1 ? plan_top_traps(byte) : byte == INT3;
}

/* Each entry lies in a patch, at a byte that traps. Each patch of one byte has one. */
static int entries_check(const struct view *view)
{
	const struct madt_plan_entry *entries = TABLE(view, entries, madt_plan_entry);
	const struct madt_plan_patch *patch = TABLE(view, patches, madt_plan_patch);
	const struct madt_plan_patch *end = patch + view->header->patches.count;
	uint32_t singles = 0;
	for (uint32_t i = 0; i < view->header->entries.count; i++) {
		const struct madt_plan_entry *entry = &entries[i];
		while (patch < end && patch->address + patch->length <= entry->address)
			singles -= patch++->length == 1;
		bool good = patch < end && patch->address <= entry->address && patch_traps(patch, entry->address - patch->address)
				&& place_is_good(view, entry->place, 1) && (i == 0 || entry[-1].address < entry->address)
				&& (entry->step < view->header->steps.count) == (patch->tactic == MADT_TACTIC_STEP);
		if (!good)
			return DAMAGED(view, entries, madt_plan_entry, i);
		singles += patch->length == 1;
	}
	while (patch < end)
		singles -= patch++->length == 1;
	return singles ? failure_set(view->failure, EINVAL, "damaged: patches of one byte without entry") : 0;
}

static bool held_is_good(uint8_t number)
{
	return number == MADT_REGISTER_NONE || (number < 16);
}

static int boundaries_check(const struct view *view)
{
	const struct madt_plan_boundary *boundaries = TABLE(view, boundaries, madt_plan_boundary);
	for (uint32_t i = 0; i < view->header->boundaries.count; i++) {
		uint32_t address = boundaries[i].state & ~MADT_PLAN_OPEN;
		if (!place_is_good(view, boundaries[i].place, 1) || (i && boundaries[i - 1].place >= boundaries[i].place)
				|| (!address_is_good(view, address) && address != view->header->module_end)
				|| !held_is_good(boundaries[i].held[0]) || !held_is_good(boundaries[i].held[1]))
			return DAMAGED(view, boundaries, madt_plan_boundary, i);
	}
	return 0;
}

static int hooks_check(const struct view *view)
{
	static const uint8_t jump[MADT_PLAN_HOOK_JUMP] = { 0xff, 0x25 };
	const struct madt_plan_hook *hooks = TABLE(view, hooks, madt_plan_hook);
	for (uint32_t i = 0; i < view->header->hooks.count; i++) {
		const struct madt_plan_hook *hook = &hooks[i];
		if (hook->function >= MADT_HOOKS || (i && hook[-1].function >= hook->function) || hook->wrapper < sizeof jump
				|| !place_is_good(view, hook->wrapper - (uint32_t)sizeof jump, sizeof jump + 9)
				|| hook->real != hook->wrapper + 8
				|| memcmp(view->bytes + hook->wrapper - sizeof jump, jump, sizeof jump) != 0)
			return DAMAGED(view, hooks, madt_plan_hook, i);
	}
	return 0;
}

/* ---------------------------------------------------------------- runs */

static int relocations_check(const struct view *view)
{
	const uint32_t *relocations = (const uint32_t *)(view->bytes + view->header->relocations.offset);
	for (uint32_t i = 0; i < view->header->relocations.count; i++) {
		uint32_t value = 0;
		if (place_is_good(view, relocations[i], 4))
			memcpy(&value, view->bytes + relocations[i], sizeof value);
		if (!(value & 0x80000000u) || (value & 0x7fffffffu) >= view->header->runs.count
				|| (i && relocations[i - 1] + 4 > relocations[i]))
			return damaged(view, "relocations", i, view->header->relocations.offset + 4ul * i);
	}
	return 0;
}

static bool word_is_good(const struct view *view, const struct madt_plan_word *word)
{
	return address_is_good(view, word->address) && word->length >= 1 && word->length <= 15
			&& word->access >= MADT_LOAD && word->access <= MADT_MODIFY && word->size && word->element < 64
			&& !word->reserved;
}

static int runs_check(const struct view *view)
{
	const struct madt_plan_run *runs = TABLE(view, runs, madt_plan_run);
	const struct madt_plan_word *words = TABLE(view, words, madt_plan_word);
	for (uint32_t i = 0; i < view->header->runs.count; i++)
		if (runs[i].words < 1 || runs[i].words > 64 || runs[i].words > view->header->words.count
				|| runs[i].first_word > view->header->words.count - runs[i].words)
			return DAMAGED(view, runs, madt_plan_run, i);
	for (uint32_t i = 0; i < view->header->words.count; i++)
		if (!word_is_good(view, &words[i]))
			return DAMAGED(view, words, madt_plan_word, i);
	return 0;
}

static int steps_check(const struct view *view)
{
	const struct madt_plan_step *steps = TABLE(view, steps, madt_plan_step);
	const struct madt_code_operand *operands = TABLE(view, operands, madt_code_operand);
	for (uint32_t i = 0; i < view->header->operands.count; i++)
		if (!map_operand_is_known(&operands[i]))
			return DAMAGED(view, operands, madt_code_operand, i);
	for (uint32_t i = 0; i < view->header->steps.count; i++) {
		const struct madt_plan_step *step = &steps[i];
		if (!address_is_good(view, step->address) || step->run >= view->header->runs.count || !step->operands
				|| step->operands > view->header->operands.count
				|| step->first_operand > view->header->operands.count - step->operands)
			return DAMAGED(view, steps, madt_plan_step, i);
		unsigned words = 0;
		for (uint32_t k = 0; k < step->operands; k++)
			words += operands[step->first_operand + k].elements;
		if (words != TABLE(view, runs, madt_plan_run)[step->run].words)
			return DAMAGED(view, steps, madt_plan_step, i);
	}
	return 0;
}

/* ---------------------------------------------------------------- all */

static int sums_check(const struct view *view, const uint8_t *build_id, uint32_t build_id_length)
{
	const struct madt_plan *header = view->header;
	if (build_id_length && (build_id_length != header->build_id_length
			|| memcmp(build_id, header->build_id, build_id_length) != 0))
		return failure_set(view->failure, ESTALE, "of another file: its build-id differs (byte 32)");
	uint32_t sum = crc32c_add(0, view->bytes + sizeof *header, view->size - sizeof *header);
	if (sum != header->checksum)
		return failure_set(view->failure, EINVAL, "damaged: checksum %08x from byte %zu on, %08x at byte 24", sum,
				sizeof *header, header->checksum);
	return 0;
}

int plan_check(const uint8_t *bytes, uint64_t size, const uint8_t *build_id, uint32_t build_id_length,
		struct failure *failure)
{
	static int (*const checks[])(const struct view *) = { tables_check, areas_check, patches_check, steps_check,
		entries_check, boundaries_check, hooks_check, runs_check, relocations_check };
	struct view view = { bytes, size, (const void *)bytes, failure };
	if (size < sizeof *view.header)
		return failure_set(failure, EINVAL, "damaged: %" PRIu64 " bytes are no splice plan (%zu at least)", size,
				sizeof *view.header);
	int code = header_check(&view);
	if (!code)
		code = sums_check(&view, build_id, build_id_length);
	for (size_t i = 0; i < sizeof checks / sizeof *checks && !code; i++)
		code = checks[i](&view);
	return code;
}
