/*
 * Whether words count: what is known of addresses, whoever accesses them, and of each place in a
 * record the ranges in which its last words lay.
 */
#include "encode_records.h"
#include "madt_layout.h"

#include <errno.h>
#include <stdlib.h>

#define FIRST_ANSWERS 16u
#define MOST_ANSWERS 4096u

/* Returns how many answers begin at or in front of an address. */
static uint32_t answers_up_to(const struct answers *answers, uint64_t address)
{
	uint32_t first = 0, count = answers->count;

	while (count) {
		uint32_t half = count / 2;
		bool behind = answers->answer[first + half].range.start <= address;
		first = behind ? first + half + 1 : first;
		count = behind ? count - half - 1 : half;
	}
	return first;
}

static const struct answer *answer_at(const struct answers *answers, uint64_t address)
{
	uint32_t behind = answers_up_to(answers, address);
	const struct answer *answer;

	if (!behind)
		return NULL;
	answer = &answers->answer[behind - 1];
	return address - answer->range.start < answer->range.length ? answer : NULL;
}

enum verdict context_judge(const struct encoder *encoder, struct context *context, uint32_t word,
		uint64_t address)
{
	const struct answer *answer;

	if (address == UINT64_MAX || !context->checked
			|| address - context->passed[word].start < context->passed[word].length)
		return PASSES;
	answer = answer_at(&encoder->answers, address);
	if (!answer)
		return ASKED;
	if (!answer->counts) {
		context->passed[word] = answer->range;
		return PASSES;
	}
	context->sites[word].start = answer->range.start;
	context->sites[word].length = answer->range.length;
	return COUNTS;
}

static enum verdict shown_at(const struct encoder *encoder, uint64_t address)
{
	const struct answer *answer = answer_at(&encoder->shown, address);

	return !answer ? ASKED : answer->counts ? COUNTS : PASSES;
}

enum verdict block_judge(const struct encoder *encoder, uint32_t slot, const uint64_t *words)
{
	enum verdict verdict = shown_at(encoder, words[1]);

	return slot == MADT_TEMPLATE_COPY && verdict == PASSES ? shown_at(encoder, words[2]) : verdict;
}

void context_forget_ranges(struct context *context)
{
	for (uint32_t i = 0; i < context->count; i++) {
		bool always = !context->checked || context->kinds[i] & MADT_ENCODER_ALWAYS;
		bool never = context->kinds[i] & MADT_ENCODER_NEVER;
		context->sites[i].start = 0;
		context->sites[i].length = always ? UINT64_MAX : 0;
		context->passed[i] = (struct range){ 0, never ? UINT64_MAX : 0 };
	}
}

static int answer_keep(struct answers *answers, struct answer answer)
{
	uint32_t place = answers_up_to(answers, answer.range.start);

	if (place && answers->answer[place - 1].range.start == answer.range.start)
		return 0;
	if (answers->count == MOST_ANSWERS)
		answers->count = place = 0;
	if (answers->count == answers->room) {
		uint32_t room = answers->room ? 2 * answers->room : FIRST_ANSWERS;
		struct answer *larger = realloc(answers->answer, room * sizeof *larger);
		if (!larger)
			return ENOMEM;
		answers->answer = larger;
		answers->room = room;
	}
	memmove(answers->answer + place + 1, answers->answer + place,
			(answers->count++ - place) * sizeof answer);
	answers->answer[place] = answer;
	return 0;
}

int madt_encoder_shows(struct encoder *encoder, uint64_t start, uint64_t length, int shown)
{
	return answer_keep(&encoder->shown, (struct answer){ { start, length }, shown });
}

int madt_encoder_counts(struct encoder *encoder, uint64_t start, uint64_t length)
{
	return answer_keep(&encoder->answers, (struct answer){ { start, length }, true });
}

int madt_encoder_passes(struct encoder *encoder, uint64_t start, uint64_t length)
{
	return answer_keep(&encoder->answers, (struct answer){ { start, length }, false });
}
