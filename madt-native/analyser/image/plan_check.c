#include "image/plan_check.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/crc32c.h"
#include "image/plan_view.h"

#define PIECE (1u << 18) /* bytes of code that are read at once */

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
	if (header->module_start >= header->module_end || header->module_end > MADT_PLAN_ADDRESSES
			|| (header->module_start | header->module_end | (uint64_t)header->epoch_page)
					% MADT_PAGE)
		return failure_set(view->failure, EINVAL,
				"damaged: addresses of the module or the epoch page (byte 72)");
	if (header->first_template > MADT_TEMPLATE_RESERVED
			|| header->templates.count > MADT_TEMPLATE_RESERVED - header->first_template)
		return failure_set(view->failure, EINVAL, "damaged: its template numbers (byte 232)");
	if (header->tables % MADT_PAGE || header->tables < MADT_PAGE || header->tables > view->size)
		return failure_set(view->failure, EINVAL, "damaged: where its tables begin (byte 236)");
	return 0;
}

static bool table_fits(const struct view *view, const struct madt_plan_table *table, uint32_t count,
		size_t item_size)
{
	return table->offset % 8 == 0 && table->offset >= view->header->tables
			&& table->offset <= view->size && count <= (view->size - table->offset) / item_size;
}

static bool tables_fit(const struct view *view)
{
	const struct madt_plan *header = view->header;
	const struct {
		const struct madt_plan_table *table;
		size_t item_size; /* 0: packed */
	} tables[] = {
		{ &header->areas, sizeof(struct madt_plan_area) },
		{ &header->patches, 0 },
		{ &header->templates, 1 },
		{ &header->relocations, 0 },
		{ &header->boundaries, 0 },
		{ &header->entries, 0 },
		{ &header->loads, 0 },
		{ &header->steps, sizeof(struct madt_plan_step) },
		{ &header->operands, sizeof(struct madt_code_operand) },
		{ &header->hooks, sizeof(struct madt_plan_hook) },
		{ &header->springboards, sizeof(struct madt_plan_springboard) },
		{ &header->triggers, sizeof(struct madt_plan_trigger) },
		{ &header->outermost, sizeof(struct madt_plan_range) },
	};
	bool fit = table_fits(view, &header->words, madt_plan_blocks(header->templates.count),
			sizeof(struct madt_plan_block));
	for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
		fit &= tables[i].item_size
				? table_fits(view, tables[i].table, tables[i].table->count, tables[i].item_size)
				: table_fits(view, tables[i].table, madt_plan_blocks(tables[i].table->count),
						sizeof(struct madt_plan_block));
	return fit;
}

static int tables_read(struct view *view)
{
	const uint64_t size = view->size - view->header->tables;
	if (!tables_fit(view))
		return failure_set(view->failure, EINVAL,
				"damaged: a table reaches beyond the file's %" PRIu64
				" bytes (bytes 88 to 159, 216 to 231, 264 to 287)",
				view->size);
	uint8_t *bytes = malloc(size + 1);
	if (!bytes)
		return failure_set(view->failure, ENOMEM, "no memory for %" PRIu64 " bytes", size);
	view->bytes = bytes;
	return view_read(view, bytes, size, view->header->tables);
}

/* ---------------------------------------------------------------- packed tables */

/* Keys ascend, and the rows fill their blocks. */
static int rows_check(const struct view *view, const struct madt_plan_table *table,
		const char *name)
{
	const struct madt_plan_block *index = view_at(view, table->offset);
	struct madt_plan_rows rows = madt_plan_rows_from(index, table->count, 0);
	struct madt_plan_row last = { 0 };
	if (!view_index_is_good(view, table->offset, table->count))
		return failure_set(view->failure, EINVAL, "damaged: index of the %s, at byte %" PRIu32,
				name, table->offset);
	for (uint32_t i = 0; madt_plan_rows_next(&rows); i++) {
		bool first = i % MADT_PLAN_ROWS == 0;
		if ((first && rows.row.key != rows.block[-1].key) || (i && rows.row.key <= last.key)
				|| ((!rows.left_in_block || !rows.left)
						&& rows.at != madt_plan_block_at(index, rows.block)))
			return view_damaged(view, name, i,
					table->offset - (size_t)((const uint8_t *)index - rows.at));
		last = rows.row;
	}
	return 0;
}

static int packed_check(const struct view *view)
{
	const struct madt_plan *header = view->header;
	int code = rows_check(view, &header->patches, "patches");
	if (!code)
		code = rows_check(view, &header->relocations, "relocations");
	if (!code)
		code = rows_check(view, &header->boundaries, "boundaries");
	if (!code)
		code = rows_check(view, &header->entries, "entries");
	return code ? code : rows_check(view, &header->loads, "loads");
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
				&& area->size % MADT_PAGE == 0 && area->size
				&& area->offset
						== (i ? area[-1].offset + area[-1].size
							  : MADT_PAGE + header->patched_text.size)
				&& area->offset <= header->tables && area->size <= header->tables - area->offset
				&& llabs(area->address) < INT64_C(1) << 33
				&& !overlap(area->address, end, header->module_start, header->module_end)
				&& !overlap(area->address, end, header->epoch_page, header->epoch_page + MADT_PAGE)
				&& (i == 0 || area[-1].address + area[-1].size <= area->address);
		if (!good)
			return DAMAGED(view, areas, madt_plan_area, i);
	}
	return 0;
}

/* ---------------------------------------------------------------- boundaries and hooks */

static bool held_is_good(uint8_t number)
{
	return number == MADT_REGISTER_NONE || (number < 16);
}

static int boundaries_check(const struct view *view)
{
	struct madt_plan_rows rows = ROWS(view, boundaries);
	while (madt_plan_rows_next(&rows)) {
		const struct madt_plan_boundary boundary = madt_plan_boundary_of(rows.row);
		if (!view_place_is_good(view, boundary.place, 1)
				|| (!view_address_is_good(view, boundary.address)
						&& boundary.address != view->header->module_end)
				|| !held_is_good(boundary.held[0]) || !held_is_good(boundary.held[1])
				|| rows.row.extra != madt_plan_boundary_row(&boundary).extra)
			return DAMAGED_ROW(view, boundaries, &rows);
	}
	return 0;
}

static int loads_check(const struct view *view)
{
	struct madt_plan_rows rows = ROWS(view, loads);
	while (madt_plan_rows_next(&rows)) {
		const struct madt_plan_load load = madt_plan_load_of(rows.row);
		if (!view_place_is_good(view, load.place, 1) || !view_place_is_good(view, load.resume, 1)
				|| load.resume <= load.place || rows.row.extra >= 16)
			return DAMAGED_ROW(view, loads, &rows);
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
				&& view_read(view, code, sizeof code, hook->wrapper - sizeof jump))
			return EIO;
		const bool named = madt_is_named(hook->function);
		if ((!named && (hook->function >= MADT_HOOKS || (i && hook[-1].function >= hook->function)))
				|| hook->wrapper < sizeof jump
				|| !view_place_is_good(view, hook->wrapper - (uint32_t)sizeof jump, sizeof jump + 9)
				|| hook->real != hook->wrapper + 8 || memcmp(code, jump, sizeof jump) != 0)
			return DAMAGED(view, hooks, madt_plan_hook, i);
	}
	return 0;
}

/* They ascend, and do not overlap. */
static int outermost_check(const struct view *view)
{
	const struct madt_plan_range *outermost = TABLE(view, outermost, madt_plan_range);
	for (uint32_t i = 0; i < view->header->outermost.count; i++)
		if (outermost[i].end <= outermost[i].start || outermost[i].end > view->header->module_end
				|| outermost[i].start < (i ? outermost[i - 1].end : view->header->module_start))
			return DAMAGED(view, outermost, madt_plan_range, i);
	return 0;
}

/* ---------------------------------------------------------------- templates */

/* Their order and their places; code_read has looked at what is there. */
static int relocations_check(const struct view *view)
{
	struct madt_plan_rows rows = ROWS(view, relocations);
	uint64_t end = 0;
	while (madt_plan_rows_next(&rows)) {
		if (!view_place_is_good(view, rows.row.key, 4) || rows.row.key < end || rows.row.value
				|| rows.row.extra)
			return DAMAGED_ROW(view, relocations, &rows);
		end = rows.row.key + UINT64_C(4);
	}
	return 0;
}

/*
 * Returns whether the relocations that end in this piece of the file name templates. *rows: the
 * next of them is turned to; or there is none, and `*more` is false.
 */
static bool template_numbers_check(const struct view *view, const uint8_t *bytes, uint64_t start,
		uint64_t end, struct madt_plan_rows *rows, bool *more)
{
	for (; *more && rows->row.key + UINT64_C(4) <= end; *more = madt_plan_rows_next(rows)) {
		uint32_t value = 0;
		if (rows->row.key >= start)
			memcpy(&value, bytes + (rows->row.key - start), sizeof value);
		if (!(value & 0x80000000u)
				|| (value & 0x7fffffffu) - view->header->first_template
						>= view->header->templates.count)
			return false;
	}
	return true;
}

/*
 * Looks at the code: the sum of all bytes behind the header, and whether relocations name
 * templates.
 */
static int code_read(const struct view *view, uint32_t *sum, bool *good)
{
	enum { BEFORE = 4 }; /* a number may begin in the piece before */
	uint8_t *piece = calloc(1, BEFORE + PIECE);
	struct madt_plan_rows rows = ROWS(view, relocations);
	bool more = madt_plan_rows_next(&rows);
	int code = piece ? 0 : failure_set(view->failure, ENOMEM, "no memory for %u bytes", PIECE);
	*sum = 0;
	*good = true;
	for (uint64_t at = sizeof *view->header; at < view->header->tables && !code; at += PIECE) {
		uint64_t size = view->header->tables - at < PIECE ? view->header->tables - at : PIECE;
		memcpy(piece, piece + PIECE, BEFORE);
		code = view_read(view, piece + BEFORE, size, at);
		*sum = crc32c_add(*sum, piece + BEFORE, code ? 0 : size);
		*good = *good && template_numbers_check(view, piece, at - BEFORE, at + size, &rows, &more);
	}
	*sum = crc32c_add(*sum, view->bytes, view->size - view->header->tables);
	free(piece);
	return code;
}

/* ---------------------------------------------------------------- all */

static int sums_check(const struct view *view, const uint8_t *build_id, uint32_t build_id_length)
{
	const struct madt_plan *header = view->header;
	uint32_t sum;
	bool good;
	if (build_id_length
			&& (build_id_length != header->build_id_length
					|| memcmp(build_id, header->build_id, build_id_length) != 0))
		return failure_set(view->failure, ESTALE,
				"of another file: its build-id differs (byte 32)");
	int code = code_read(view, &sum, &good);
	if (code)
		return code;
	if (sum != header->checksum)
		return failure_set(view->failure, EINVAL,
				"damaged: checksum %08x from byte %zu on, %08x at byte 24", sum, sizeof *header,
				header->checksum);
	return good ? 0
				: failure_set(view->failure, EINVAL,
						"damaged: a relocation of byte %" PRIu32 " names no template",
						header->relocations.offset);
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
	static int (*const checks[])(const struct view *) = { areas_check, view_templates_check,
		view_patches_check, view_steps_check, view_springboards_check, view_triggers_check,
		view_entries_check, view_patched_text_check, boundaries_check, loads_check, hooks_check,
		outermost_check, relocations_check };
	struct madt_plan header;
	struct view view = { .descriptor = descriptor, .header = &header, .failure = failure };
	int code = size_read(&view);
	if (!code)
		code = view_read(&view, &header, sizeof header, 0);
	if (!code)
		code = header_check(&view);
	if (!code)
		code = tables_read(&view);
	if (!code)
		code = packed_check(&view);
	if (!code)
		code = sums_check(&view, build_id, build_id_length);
	for (size_t i = 0; i < sizeof checks / sizeof *checks && !code; i++)
		code = checks[i](&view);
	free((void *)view.bytes);
	return code;
}
