/*
 * Where instruments may stand: all proven instructions of a module, with what they are to its
 * functions and blocks.
 *
 *   struct madtcode_places | struct madtcode_place, by address
 */
#include "probe/plan.h"

#include <errno.h>

#include "base/file_stream.h"
#include "madtcode.h"

static enum madtcode_hindrance hindrance(const struct plan *plan, const struct insn *insn)
{
	const struct plan_text *text = &plan->text;
	if (plan_text_has(text, insn->address, insn->length, MARK_DATA))
		return MADTCODE_DATA;
	if (plan_text_has(text, insn->address, insn->length, MARK_FROZEN))
		return MADTCODE_FROZEN;
	if (plan_is_endbr(text, insn->address))
		return MADTCODE_LANDS;
	return plan_copies(plan, insn) ? MADTCODE_FREE : MADTCODE_ODD;
}

static struct madtcode_place place_of(const struct plan *plan, const struct insn *insn)
{
	return (struct madtcode_place){ insn->address, insn->length,
		(uint8_t)plan_place_roles(plan, insn), (uint8_t)hindrance(plan, insn), 0 };
}

static int places_write(const struct plan *plan, const char *path, struct failure *failure)
{
	const struct plan_text *text = &plan->text;
	struct madtcode_places head = { MADTCODE_PLACES_MAGIC, (uint32_t)text->count, 0 };
	struct file_stream stream;
	file_stream_begin(&stream, path, "places of instructions",
			sizeof head + text->count * sizeof(struct madtcode_place), failure);
	file_stream_add(&stream, &head, sizeof head);
	for (size_t i = 0; i < text->count; i++) {
		const struct madtcode_place place = place_of(plan, &text->insns[i]);
		file_stream_add(&stream, &place, sizeof place);
	}
	return file_stream_end(&stream, &head, sizeof head);
}

int madtcode_places(const char *elf_path, const char *out_path, char *error, size_t error_size)
{
	static const struct madtcode_choice nothing = { .count = 0 };
	struct failure failure = { elf_path, error, error_size };
	struct plan plan = { .options = { .choice = &nothing } };
	struct elf_file file;
	int code = elf_file_open(&file, elf_path, &failure);
	if (!code)
		code = plan_text_read(&plan.text, &file, false, false);
	if (!code) {
		plan_entries_mark(&plan);
		code = places_write(&plan, out_path, &failure);
	}
	elf_file_close(&file);
	plan_text_free(&plan.text);
	return code;
}
