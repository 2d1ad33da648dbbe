/* What a plan records: its runs, their words, and the steps. */
#include "map/map_check.h"
#include "plan/plan_view.h"

static bool word_is_good(const struct view *view, const struct madt_plan_word *word)
{
	unsigned last = view->header->flags & MADT_PLAN_CALLS ? MADT_VALUE : MADT_MODIFY;
	return view_address_is_good(view, word->address) && word->length >= 1 && word->length <= 15
			&& word->access >= MADT_LOAD && word->access <= last && word->size
			&& (madt_plan_word_is_derived(word) || (word->element < 64 && !word->distance));
}

/* Words are derived from stored ones in front of them; what is said of their count is true. */
static bool run_derives(const struct madt_plan_run *run, const struct madt_plan_word *words)
{
	uint32_t stored = 0;
	for (uint32_t i = 0; i < run->words; i++) {
		const uint32_t from = words[i].element & ~MADT_PLAN_DERIVED;
		if (!madt_plan_word_is_derived(&words[i]))
			stored++;
		else if (from >= i || madt_plan_word_is_derived(&words[from]))
			return false;
	}
	return run->stored == stored;
}

/* Behind a run with derived words comes its whole form. */
static bool run_is_good(const struct madt_plan_run *run, const struct madt_plan_run *end,
		const struct madt_plan_word *words, uint32_t word_count)
{
	if (run->words < 1 || run->words > 64 || run->words > word_count
			|| run->first_word > word_count - run->words)
		return false;
	if (run->stored == run->words)
		return true;
	return run->words <= MADT_PLAN_DERIVED_WORDS && run + 1 < end
			&& run[1].first_word == run->first_word && run[1].words == run->words
			&& run[1].stored == run->words && run_derives(run, words + run->first_word);
}

int view_runs_check(const struct view *view)
{
	const struct madt_plan_run *runs = TABLE(view, runs, madt_plan_run);
	const struct madt_plan_word *words = TABLE(view, words, madt_plan_word);
	for (uint32_t i = 0; i < view->header->runs.count; i++)
		if (!run_is_good(&runs[i], runs + view->header->runs.count, words,
					view->header->words.count))
			return DAMAGED(view, runs, madt_plan_run, i);
	for (uint32_t i = 0; i < view->header->words.count; i++)
		if (!word_is_good(view, &words[i]))
			return DAMAGED(view, words, madt_plan_word, i);
	return 0;
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
		if (words != TABLE(view, runs, madt_plan_run)[step->run].words)
			return DAMAGED(view, steps, madt_plan_step, i);
	}
	return 0;
}
