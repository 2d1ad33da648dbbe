/* What a plan records: its runs, their words, and the steps. */
#include <errno.h>
#include <inttypes.h>

#include "map/map_check.h"
#include "image/plan_view.h"

static bool word_is_good(const struct view *view, const struct madt_plan_word *word)
{
	return view_address_is_good(view, word->address) && word->size;
}

/* A run has accesses, or it has a probe and its payload. */
static bool word_belongs(const struct madt_plan_word *words, uint32_t number)
{
	const unsigned code = words[number].access;
	return madt_is_access(words->access) ? madt_is_access(code)
			: number                     ? madt_is_payload(code)
										 : madt_is_probe(code);
}

/* Words are derived from stored ones in front of them; what is said of their count is true. */
static bool run_is_derived(const struct madt_plan_runs *runs)
{
	uint32_t stored = 0;
	for (uint32_t i = 0; i < runs->run.words; i++) {
		const struct madt_plan_word *word = &runs->word[i];
		if (!madt_plan_word_is_derived(word))
			stored++;
		else if (word->from >= i || madt_plan_word_is_derived(&runs->word[word->from]))
			return false;
	}
	return runs->run.words <= MADT_PLAN_DERIVED_WORDS && runs->run.stored == stored
			&& stored < runs->run.words;
}

/* The one turned to. */
static bool run_is_good(const struct view *view, const struct madt_plan_runs *runs, uint8_t byte)
{
	const bool probes = !madt_is_access(runs->word[0].access);
	bool good = madt_plan_run_is_whole(byte) || probes == madt_plan_run_probes(byte);
	for (uint32_t i = 0; i < runs->run.words; i++)
		good &= word_is_good(view, &runs->word[i]) && word_belongs(runs->word, i);
	return good && (!madt_plan_run_derives(byte) || run_is_derived(runs));
}

/* Behind a run with derived words, and only there, comes its whole form. */
static bool forms_are_good(const uint8_t *bytes, uint32_t count)
{
	bool good = true;
	for (uint32_t i = 0; i < count; i++)
		good &= (i + 1 < count && madt_plan_run_is_whole(bytes[i + 1]))
				== madt_plan_run_derives(bytes[i]);
	return good && !(count && madt_plan_run_is_whole(bytes[0]));
}

int view_runs_check(const struct view *view)
{
	const struct madt_plan *header = view->header;
	struct madt_plan_runs runs = {
		.bytes = view_at(view, header->runs.offset),
		.index = view_at(view, header->words.offset),
		.count = header->runs.count,
	};
	uint32_t words = 0;
	if (!view_index_is_good(view, header->words.offset, runs.count)
			|| !forms_are_good(runs.bytes, runs.count))
		return failure_set(view->failure, EINVAL,
				"damaged: runs or the index of their words, at byte %" PRIu32 " or %" PRIu32,
				header->runs.offset, header->words.offset);
	while (madt_plan_runs_next(&runs)) {
		const uint8_t byte = runs.bytes[runs.next - 1];
		const bool ends = runs.next % MADT_PLAN_ROWS == 0 || runs.next == runs.count;
		words += madt_plan_run_is_whole(byte) ? 0 : runs.run.words;
		if (!run_is_good(view, &runs, byte)
				|| (ends
						&& runs.at
								!= madt_plan_block_at(runs.index,
										runs.index + madt_plan_blocks(runs.next) - 1)))
			return view_damaged(view, "runs", runs.next - 1, header->runs.offset + runs.next - 1);
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
		if (!view_address_is_good(view, step->address) || step->run >= view->header->runs.count
				|| !step->operands || step->operands > view->header->operands.count
				|| step->first_operand > view->header->operands.count - step->operands)
			return DAMAGED(view, steps, madt_plan_step, i);
		unsigned words = 0;
		for (uint32_t k = 0; k < step->operands; k++)
			words += operands[step->first_operand + k].elements;
		if (words != madt_plan_run_of(view_at(view, view->header->runs.offset), step->run).words)
			return DAMAGED(view, steps, madt_plan_step, i);
	}
	return 0;
}
