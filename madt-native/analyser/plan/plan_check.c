#include "plan/plan_check.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/crc32c.h"
#include "map/map_check.h"
#include "plan/plan_view.h"

#define PIECE (1u << 18) /* bytes of code that are read at once */

int view_damaged(const struct view *view, const char *table, uint32_t index, size_t offset)
{
	return failure_set(view->failure, EINVAL, "damaged: %s %" PRIu32 " at byte %zu", table, index,
			offset);
}

/* ---------------------------------------------------------------- reading */

static int bytes_read(const struct view *view, void *to, uint64_t size, uint64_t offset)
{
	uint8_t *at = to;
	while (size) {
		ssize_t got = pread(view->descriptor, at, size, (off_t)offset);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return failure_set(view->failure, got ? errno : EIO, "cannot read byte %" PRIu64 ": %s",
					offset, got ? strerror(errno) : "the file shrank");
		at += got;
		offset += (uint64_t)got;
		size -= (uint64_t)got;
	}
	return 0;
}

/* ---------------------------------------------------------------- header and tables */

static int header_check(const struct view *view)
{
	const struct madt_plan *header = view->header;
	if (header->magic != MADT_PLAN_MAGIC)
		return failure_set(view->failure, EINVAL, "not a splice plan (byte 0)");
	if (header->version != MADT_PLAN_VERSION)
		return failure_set(view->failure, EINVAL, "a splice plan of version %u (byte 8), not %u",
				header->version, MADT_PLAN_VERSION);
	if (header->header_size != sizeof *header || header->file_size != view->size
			|| view->size > INT32_MAX)
		return failure_set(view->failure, EINVAL,
				"damaged: %" PRIu64 " bytes; byte 16 says %" PRIu64, view->size, header->file_size);
	if (header->build_id_length > sizeof header->build_id || header->variant >= MADT_PLAN_VARIANTS
			|| header->flags & ~(uint32_t)MADT_PLAN_FLAGS)
		return failure_set(view->failure, EINVAL, "damaged: header (byte 28 or 64)");
	if (header->module_start >= header->module_end || header->module_end > MADT_PLAN_OPEN
			|| (header->module_start | header->module_end | (uint64_t)header->epoch_page)
					% MADT_PAGE)
		return failure_set(view->failure, EINVAL,
				"damaged: addresses of the module or the epoch page (byte 72)");
	if (header->first_run > MADT_RUN_RESERVED
			|| header->runs.count > MADT_RUN_RESERVED - header->first_run || header->reserved)
		return failure_set(view->failure, EINVAL, "damaged: its run numbers (byte 232)");
	return 0;
}

static bool table_fits(const struct view *view, const struct madt_plan_table *table,
		size_t item_size)
{
	return table->offset % 8 == 0 && table->offset >= sizeof *view->header
			&& table->offset <= view->size
			&& table->count <= (view->size - table->offset) / item_size;
}

/* Where the last table ends; 0: one reaches beyond the file. */
static uint64_t tables_end(const struct view *view)
{
	const struct madt_plan *header = view->header;
	const struct {
		const struct madt_plan_table *table;
		size_t item_size;
	} tables[] = {
		{ &header->areas, sizeof(struct madt_plan_area) },
		{ &header->patches, sizeof(struct madt_plan_patch) },
		{ &header->runs, sizeof(struct madt_plan_run) },
		{ &header->words, sizeof(struct madt_plan_word) },
		{ &header->relocations, sizeof(uint32_t) },
		{ &header->boundaries, sizeof(struct madt_plan_boundary) },
		{ &header->entries, sizeof(struct madt_plan_entry) },
		{ &header->steps, sizeof(struct madt_plan_step) },
		{ &header->operands, sizeof(struct madt_code_operand) },
		{ &header->hooks, sizeof(struct madt_plan_hook) },
		{ &header->doors, sizeof(struct madt_plan_door) },
	};
	uint64_t end = sizeof *header;
	for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
		if (!table_fits(view, tables[i].table, tables[i].item_size))
			return 0;
		uint64_t table_end = tables[i].table->offset
				+ tables[i].table->count * (uint64_t)tables[i].item_size;
		end = table_end > end ? table_end : end;
	}
	return end;
}

static int tables_read(struct view *view)
{
	view->kept = tables_end(view);
	if (!view->kept)
		return failure_set(view->failure, EINVAL,
				"damaged: a table reaches beyond the file's %" PRIu64
				" bytes (bytes 88 to 159, 216 to 231)",
				view->size);
	uint8_t *bytes = malloc(view->kept);
	if (!bytes)
		return failure_set(view->failure, ENOMEM, "no memory for %" PRIu64 " bytes", view->kept);
	view->bytes = bytes;
	return bytes_read(view, bytes, view->kept, 0);
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
		bool good = area->address % MADT_PAGE == 0 && area->offset % MADT_PAGE == 0
				&& area->size % MADT_PAGE == 0 && area->size && area->offset <= view->size
				&& area->size <= view->size - area->offset
				&& llabs(area->address) < INT64_C(1) << 33
				&& !overlap(area->address, end, header->module_start, header->module_end)
				&& !overlap(area->address, end, header->epoch_page, header->epoch_page + MADT_PAGE)
				&& (i == 0
						|| (area[-1].address + area[-1].size <= area->address
								&& area[-1].offset + area[-1].size == area->offset));
		if (!good)
			return DAMAGED(view, areas, madt_plan_area, i);
	}
	return 0;
}

/* Places are those of areas alone: areas fill the file's end without holes, behind all tables. */
bool view_place_is_good(const struct view *view, uint32_t place, uint32_t bytes)
{
	const struct madt_plan_area *areas = TABLE(view, areas, madt_plan_area);
	return view->header->areas.count && place >= areas[0].offset && place >= view->kept
			&& place <= view->size && bytes <= view->size - place;
}

bool view_address_is_good(const struct view *view, uint32_t address)
{
	return address >= view->header->module_start && address < view->header->module_end;
}

bool view_address_is_in_area(const struct view *view, int64_t address)
{
	const struct madt_plan_area *areas = TABLE(view, areas, madt_plan_area);
	for (uint32_t i = 0; i < view->header->areas.count; i++)
		if (address >= areas[i].address && address < areas[i].address + areas[i].size)
			return true;
	return false;
}

/* ---------------------------------------------------------------- boundaries and hooks */

static bool held_is_good(uint8_t number)
{
	return number == MADT_REGISTER_NONE || (number < 16);
}

static int boundaries_check(const struct view *view)
{
	const struct madt_plan_boundary *boundaries = TABLE(view, boundaries, madt_plan_boundary);
	for (uint32_t i = 0; i < view->header->boundaries.count; i++) {
		uint32_t address = boundaries[i].state & ~MADT_PLAN_OPEN;
		if (!view_place_is_good(view, boundaries[i].place, 1)
				|| (i && boundaries[i - 1].place >= boundaries[i].place)
				|| (!view_address_is_good(view, address) && address != view->header->module_end)
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
		uint8_t code[sizeof jump] = { 0 };
		if (hook->wrapper >= sizeof jump
				&& view_place_is_good(view, hook->wrapper - (uint32_t)sizeof jump, sizeof jump + 9)
				&& bytes_read(view, code, sizeof code, hook->wrapper - sizeof jump))
			return EIO;
		if (hook->function >= MADT_HOOKS || (i && hook[-1].function >= hook->function)
				|| hook->wrapper < sizeof jump
				|| !view_place_is_good(view, hook->wrapper - (uint32_t)sizeof jump, sizeof jump + 9)
				|| hook->real != hook->wrapper + 8 || memcmp(code, jump, sizeof jump) != 0)
			return DAMAGED(view, hooks, madt_plan_hook, i);
	}
	return 0;
}

/* ---------------------------------------------------------------- runs */

static const uint32_t *relocations_of(const struct view *view)
{
	return (const uint32_t *)(view->bytes + view->header->relocations.offset);
}

/* Their order and their places; code_read has looked at what is there. */
static int relocations_check(const struct view *view)
{
	const uint32_t *relocations = relocations_of(view);
	for (uint32_t i = 0; i < view->header->relocations.count; i++)
		if (!view_place_is_good(view, relocations[i], 4)
				|| (i && relocations[i - 1] + 4 > relocations[i]))
			return view_damaged(view, "relocations", i, view->header->relocations.offset + 4ul * i);
	return 0;
}

/*
 * The first relocation from *next on that is wrong among those that end in this piece of the file,
 * or none.
 */
static uint32_t run_numbers_check(const struct view *view, const uint8_t *bytes, uint64_t start,
		uint64_t end, uint32_t *next)
{
	const uint32_t *relocations = relocations_of(view);
	for (; *next < view->header->relocations.count && relocations[*next] + UINT64_C(4) <= end;
			++*next) {
		uint32_t value = 0;
		if (relocations[*next] >= start)
			memcpy(&value, bytes + (relocations[*next] - start), sizeof value);
		if (!(value & 0x80000000u)
				|| (value & 0x7fffffffu) - view->header->first_run >= view->header->runs.count)
			return *next;
	}
	return MADT_PLAN_NONE;
}

/* The sum of all bytes behind the header, and the first relocation that names no run. */
static int code_read(const struct view *view, uint32_t *sum, uint32_t *wrong)
{
	enum { BEFORE = 4 }; /* a number may begin in the piece before */
	uint8_t *piece = calloc(1, BEFORE + PIECE);
	uint32_t next = 0;
	int code = piece ? 0 : failure_set(view->failure, ENOMEM, "no memory for %u bytes", PIECE);
	*sum = crc32c_add(0, view->bytes + sizeof *view->header, view->kept - sizeof *view->header);
	*wrong = MADT_PLAN_NONE;
	for (uint64_t at = view->kept; at < view->size && !code; at += PIECE) {
		uint64_t size = view->size - at < PIECE ? view->size - at : PIECE;
		memcpy(piece, piece + PIECE, BEFORE);
		code = bytes_read(view, piece + BEFORE, size, at);
		*sum = crc32c_add(*sum, piece + BEFORE, code ? 0 : size);
		if (!code && *wrong == MADT_PLAN_NONE)
			*wrong = run_numbers_check(view, piece, at - BEFORE, at + size, &next);
	}
	free(piece);
	return code;
}

static bool word_is_good(const struct view *view, const struct madt_plan_word *word)
{
	unsigned last = view->header->flags & MADT_PLAN_CALLS ? MADT_VALUE : MADT_MODIFY;
	return view_address_is_good(view, word->address) && word->length >= 1 && word->length <= 15
			&& word->access >= MADT_LOAD && word->access <= last && word->size && word->element < 64
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
		if (!view_address_is_good(view, step->address) || step->run >= view->header->runs.count
				|| !step->operands || step->operands > view->header->operands.count
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
	uint32_t sum, wrong;
	if (build_id_length
			&& (build_id_length != header->build_id_length
					|| memcmp(build_id, header->build_id, build_id_length) != 0))
		return failure_set(view->failure, ESTALE,
				"of another file: its build-id differs (byte 32)");
	int code = code_read(view, &sum, &wrong);
	if (code)
		return code;
	if (sum != header->checksum)
		return failure_set(view->failure, EINVAL,
				"damaged: checksum %08x from byte %zu on, %08x at byte 24", sum, sizeof *header,
				header->checksum);
	return wrong == MADT_PLAN_NONE
			? 0
			: view_damaged(view, "relocations", wrong, header->relocations.offset + 4ul * wrong);
}

static int size_read(struct view *view)
{
	struct stat status;
	if (fstat(view->descriptor, &status) != 0)
		return failure_set(view->failure, errno, "cannot read: %s", strerror(errno));
	if (!S_ISREG(status.st_mode))
		return failure_set(view->failure, EINVAL, "not a regular file");
	view->size = (uint64_t)status.st_size;
	if (view->size < sizeof *view->header)
		return failure_set(view->failure, EINVAL,
				"damaged: %" PRIu64 " bytes are no splice plan (%zu at least)", view->size,
				sizeof *view->header);
	return 0;
}

int plan_check(int descriptor, const uint8_t *build_id, uint32_t build_id_length,
		struct failure *failure)
{
	static int (*const checks[])(const struct view *) = { areas_check, view_patches_check,
		steps_check, view_doors_check, view_entries_check, boundaries_check, hooks_check,
		runs_check, relocations_check };
	struct madt_plan header;
	struct view view = { .descriptor = descriptor, .header = &header, .failure = failure };
	int code = size_read(&view);
	if (!code)
		code = bytes_read(&view, &header, sizeof header, 0);
	if (!code)
		code = header_check(&view);
	if (!code)
		code = tables_read(&view);
	if (!code)
		code = sums_check(&view, build_id, build_id_length);
	for (size_t i = 0; i < sizeof checks / sizeof *checks && !code; i++)
		code = checks[i](&view);
	free((void *)view.bytes);
	return code;
}
