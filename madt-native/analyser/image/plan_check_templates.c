/* What a plan records: its templates, their words, and the steps. */
#include <errno.h>
#include <inttypes.h>

#include "map/map_check.h"
#include "image/plan_view.h"

static bool word_is_good(const struct view *view, const struct madt_plan_word *word)
{
	return view_address_is_good(view, word->address) && word->size;
}

/* A template has accesses, or it has a probe and its payload. */
static bool word_belongs(const struct madt_plan_word *words, uint32_t number)
{
	const unsigned code = words[number].access;
	return madt_is_access(words->access) ? madt_is_access(code)
			: number                     ? madt_is_payload(code)
										 : madt_is_probe(code);
}

/* Words are derived from stored ones in front of them; what is said of their count is true. */
static bool template_is_derived(const struct madt_plan_templates *templates)
{
	uint32_t stored = 0;
	for (uint32_t i = 0; i < templates->now.words; i++) {
		const struct madt_plan_word *word = &templates->word[i];
		if (!madt_plan_word_is_derived(word))
			stored++;
		else if (word->from >= i || madt_plan_word_is_derived(&templates->word[word->from]))
			return false;
	}
	return templates->now.words <= MADT_PLAN_DERIVED_WORDS && templates->now.stored == stored
			&& stored < templates->now.words;
}

/* The one turned to. */
static bool template_is_good(const struct view *view, const struct madt_plan_templates *templates,
		uint8_t byte)
{
	const bool probes = !madt_is_access(templates->word[0].access);
	bool good = madt_plan_template_is_whole(byte) || probes == madt_plan_template_probes(byte);
	for (uint32_t i = 0; i < templates->now.words; i++)
		good &= word_is_good(view, &templates->word[i]) && word_belongs(templates->word, i);
	return good && (!madt_plan_template_derives(byte) || template_is_derived(templates));
}

/* Behind a template with derived words, and only there, comes its whole form. */
static bool forms_are_good(const uint8_t *bytes, uint32_t count)
{
	bool good = true;
	for (uint32_t i = 0; i < count; i++)
		good &= (i + 1 < count && madt_plan_template_is_whole(bytes[i + 1]))
				== madt_plan_template_derives(bytes[i]);
	return good && !(count && madt_plan_template_is_whole(bytes[0]));
}

int view_templates_check(const struct view *view)
{
	const struct madt_plan *header = view->header;
	struct madt_plan_templates templates = {
		.bytes = view_at(view, header->templates.offset),
		.index = view_at(view, header->words.offset),
		.count = header->templates.count,
	};
	uint32_t words = 0;
	if (!view_index_is_good(view, header->words.offset, templates.count)
			|| !forms_are_good(templates.bytes, templates.count))
		return failure_set(view->failure, EINVAL,
				"damaged: templates or the index of their words, at byte %" PRIu32 " or %" PRIu32,
				header->templates.offset, header->words.offset);
	while (madt_plan_templates_next(&templates)) {
		const uint8_t byte = templates.bytes[templates.next - 1];
		const bool ends = templates.next % MADT_PLAN_ROWS == 0 || templates.next == templates.count;
		words += madt_plan_template_is_whole(byte) ? 0 : templates.now.words;
		if (!template_is_good(view, &templates, byte)
				|| (ends
						&& templates.at
								!= madt_plan_block_at(templates.index,
										templates.index + madt_plan_blocks(templates.next) - 1)))
			return view_damaged(view, "templates", templates.next - 1,
					header->templates.offset + templates.next - 1);
	}
	return words == header->words.count
			? 0
			: failure_set(view->failure, EINVAL, "damaged: count of words (byte 116)");
}

int view_steps_check(const struct view *view)
{
	const struct madt_plan_step *steps = TABLE(view, steps, madt_plan_step);
	const struct madt_code_operand *operands = TABLE(view, operands, madt_code_operand);
	for (uint32_t i = 0; i < view->header->operands.count; i++)
		if (!map_operand_is_known(&operands[i]))
			return DAMAGED(view, operands, madt_code_operand, i);
	for (uint32_t i = 0; i < view->header->steps.count; i++) {
		const struct madt_plan_step *step = &steps[i];
		if (!view_address_is_good(view, step->address)
				|| step->number >= view->header->templates.count || !step->operands
				|| step->operands > view->header->operands.count
				|| step->first_operand > view->header->operands.count - step->operands)
			return DAMAGED(view, steps, madt_plan_step, i);
		unsigned words = 0;
		for (uint32_t k = 0; k < step->operands; k++)
			words += operands[step->first_operand + k].elements;
		if (words
				!= madt_plan_template_of(view_at(view, view->header->templates.offset),
						step->number)
						   .words)
			return DAMAGED(view, steps, madt_plan_step, i);
	}
	return 0;
}
