#include "probe/probe.h"

#include <errno.h>

#include "base/failure.h"
#include "madt_plan.h"

/* Of 16, rsp among them: two or three are to work with, two hold the counter. */
#define REGISTERS_MAX 10

uint32_t probes_address(const struct insn *insn)
{
	return insn->address - (insn->trigger ? MADT_TRIGGER_JUMP : 0);
}

struct probe_list probes_of(const struct probes *probes, const struct insn *insn)
{
	struct probe_list list = { .count = 0 };
	const uint32_t address = probes_address(insn);
	size_t low = 0, high = insn->probed ? probes->count : 0;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (probes->items[middle].address < address)
			low = middle + 1;
		else
			high = middle;
	}
	list.items = probes->items + low;
	while (insn->probed && low + list.count < probes->count
			&& list.items[list.count].address == address)
		list.count++;
	return list;
}

/* A step of a guard takes something from a register, or from where one leads. */
static bool step_is_based(const struct madtcode_word *word)
{
	const unsigned step = word->piece & MADT_GUARD_STEP;
	return word->kind == MADT_PAYLOAD_GUARD && step >= MADT_GUARD_REGISTER
			&& step <= MADT_GUARD_POINTER;
}

static register_set word_registers(const struct madtcode_word *word)
{
	const bool based = word->kind == MADT_PAYLOAD_ADDRESS || word->kind == MADT_PAYLOAD_MEMORY
			|| word->kind == MADT_PAYLOAD_TEXT;
	return (based || word->kind == MADT_PAYLOAD_VALUE || step_is_based(word))
					&& word->place < MADT_VALUE_VECTOR
			? (register_set)(1u << word->place)
			: 0;
}

static register_set words_registers(const struct madtcode_word *words, uint32_t count)
{
	register_set set = 0;
	for (uint32_t i = 0; i < count; i++)
		set |= word_registers(&words[i]);
	return set;
}

register_set probe_registers(const struct probe *probe)
{
	return (register_set)(words_registers(probe->payload, probe->words)
			| words_registers(probe->guard, probe->guards));
}

/* Returns how many of the first words are of this kind. */
static uint16_t words_of(unsigned kind, const struct madtcode_word *words, uint32_t count)
{
	uint16_t first = 0;
	while (first < count && words[first].kind == kind)
		first++;
	return first;
}

uint16_t words_of_guard(const struct madtcode_word *words, uint32_t count)
{
	return words_of(MADT_PAYLOAD_GUARD, words, count);
}

uint16_t words_of_calls(const struct madtcode_word *words, uint32_t count)
{
	return words_of(MADT_PAYLOAD_FUNCTION, words, count);
}

bool probe_calls(const struct probe *probe)
{
	if (probe->calls)
		return true;
	for (unsigned i = 0; i < probe->words; i++)
		if (probe->payload[i].kind == MADT_PAYLOAD_ANSWER)
			return true;
	return false;
}

/* ---------------------------------------------------------------- what is chosen */

struct choice_cursor choice_cursor(const struct madtcode_choice *choice, unsigned kind, bool after)
{
	struct choice_cursor cursor = { choice->probes, choice->probes + choice->count };
	const struct madtcode_probe *end = cursor.end;
	while (cursor.at < end && (cursor.at->kind != kind || cursor.at->after != after))
		cursor.at++;
	cursor.end = cursor.at;
	while (cursor.end < end && cursor.end->kind == kind && cursor.end->after == after)
		cursor.end++;
	return cursor;
}

const struct madtcode_probe *choice_at(struct choice_cursor *cursor, uint32_t address)
{
	while (cursor->at < cursor->end && cursor->at->end <= address)
		cursor->at++;
	return cursor->at < cursor->end && cursor->at->start <= address ? cursor->at : NULL;
}

/* ---------------------------------------------------------------- whether it may be chosen */

/* Returns whether it is based on what there is at a probe; on FS, what is loaded is. */
static bool is_based(const struct madtcode_word *word)
{
	return word->place < MADT_VALUE_VECTOR || word->place == MADT_REGISTER_RIP
			|| (word->place == MADT_REGISTER_FS && word->loads);
}

static bool word_is_good(const struct madtcode_word *word, uint32_t kind, bool first)
{
	switch (word->kind) {
	case MADT_PAYLOAD_TIME:
		return first && word->place <= MADT_TIME_ORDERED;
	case MADT_PAYLOAD_VALUE:
		return word->place < MADT_VALUES;
	case MADT_PAYLOAD_ADDRESS:
		return is_based(word) && word->place != MADT_REGISTER_FS;
	case MADT_PAYLOAD_MEMORY:
		return is_based(word) && word->loads && word->loads <= MADT_PROBE_LOADS && word->piece <= 8
				&& !(word->piece & (word->piece - 1));
	case MADT_PAYLOAD_RETURN:
		return kind == MADT_PROBE_ENTER || kind == MADT_PROBE_LEAVE;
	case MADT_PAYLOAD_ANSWER:
		return word->place == MADT_CALL_CHAIN
				? word->displacement[0] > 0 && word->displacement[0] <= (int32_t)MADT_CHAIN_CALLS
				: word->place < MADT_CALL_LIBRARY;
	case MADT_PAYLOAD_FUNCTION:
		return kind == MADT_PROBE_INSTRUMENT && word->place >= MADT_CALL_LIBRARY
				&& word->place < MADT_CALLS
				&& (uint32_t)word->displacement[0] < MADT_LIBRARY_PLACES;
	case MADT_PAYLOAD_TEXT:
		return is_based(word) && word->loads < MADT_PROBE_LOADS && word->piece < MADT_TEXT_PIECES;
	case MADT_PAYLOAD_COUNTER:
		return word->place < MADT_PROBE_COUNTERS;
	case MADT_PAYLOAD_COUNT:
		return kind == MADT_PROBE_INSTRUMENT && (uint32_t)word->displacement[0] < MADT_COUNTS_MOST;
	case MADT_PAYLOAD_ROLE:
		return kind == MADT_PROBE_HOOK && first && madt_is_named((uint32_t)word->displacement[0]);
	default:
		return false;
	}
}

/* A step's own numbers. */
static bool step_is_good(const struct madtcode_word *word)
{
	const int32_t *values = word->displacement;
	switch (word->piece & MADT_GUARD_STEP) {
	case MADT_GUARD_SWITCH:
	case MADT_GUARD_TURN:
		return (uint32_t)values[0] < MADT_SWITCHES_MOST;
	case MADT_GUARD_EVERY:
		return (uint32_t)values[0] < MADT_COUNTS_MOST && values[1] > 0;
	case MADT_GUARD_HITS:
		return (uint32_t)values[0] < MADT_SWITCHES_MOST && values[1] > 0
				&& (!values[2] || values[2] >= values[1]);
	case MADT_GUARD_REGISTER:
		return word->place < MADT_VALUE_VECTOR;
	case MADT_GUARD_ADDRESS:
		return is_based(word) && word->place != MADT_REGISTER_FS;
	case MADT_GUARD_MEMORY:
	case MADT_GUARD_POINTER:
		return is_based(word) && word->loads && word->loads <= MADT_PROBE_LOADS;
	default:
		return true;
	}
}

/* Follows its stack, and what has an END. */
static bool guard_is_good(const struct madtcode_word *words, uint32_t count)
{
	unsigned depth = 0, open = 0;
	for (uint32_t i = 0; i < count; i++) {
		const unsigned step = words[i].piece & MADT_GUARD_STEP;
		const bool takes = step >= MADT_GUARD_CONSTANT && step <= MADT_GUARD_NOWHERE;
		const bool joins = step >= MADT_GUARD_MULTIPLY && step <= MADT_GUARD_UNEQUAL;
		const bool forks = step == MADT_GUARD_BOTH || step == MADT_GUARD_EITHER;
		const bool ends = step == MADT_GUARD_END && !words[i].displacement[0];
		const bool demands = step == MADT_GUARD_END && !ends;
		const unsigned needs = joins ? 2 : step < MADT_GUARD_NEGATE ? 0 : 1;
		if (!step_is_good(&words[i]) || depth < needs || (ends && !open)
				|| (takes && depth == MADT_GUARD_DEPTH) || (forks && open == MADT_GUARD_DEPTH))
			return false;
		depth += takes;
		depth -= joins + forks + demands;
		open += forks;
		open -= ends;
	}
	return !depth && !open && count <= MADT_GUARD_STEPS;
}

static bool payload_is_good(const struct madtcode_choice *choice,
		const struct madtcode_probe *probe)
{
	const struct madtcode_word *words = madtcode_words(choice) + probe->word;
	if (probe->word > choice->words || probe->words > choice->words - probe->word)
		return false;
	const uint32_t guards = words_of_guard(words, probe->words);
	const uint32_t calls = words_of_calls(words + guards, probe->words - guards);
	const uint32_t first = guards + calls;
	if (probe->words - guards >= MADT_PROBE_WORDS
			|| (guards && (probe->kind != MADT_PROBE_INSTRUMENT || !guard_is_good(words, guards))))
		return false;
	for (uint32_t i = guards; i < probe->words; i++)
		if (!word_is_good(&words[i], probe->kind, i == first)
				|| (i >= first && words[i].kind == MADT_PAYLOAD_FUNCTION)
				|| (i > first && words[i - 1].kind == MADT_PAYLOAD_COUNT
						&& words[i].kind != MADT_PAYLOAD_COUNT))
			return false;
	return __builtin_popcount(words_registers(words + first, probe->words - first))
			<= REGISTERS_MAX;
}

static bool kind_is_good(const struct madtcode_probe *probe)
{
	const bool may_be_behind = probe->kind == MADT_PROBE_INSTRUCTION
			|| probe->kind == MADT_PROBE_INSTRUMENT;
	if (probe->kind == MADT_PROBE_HOOK)
		return probe->words == 1 && !probe->after && probe->end == probe->start + 1;
	if (probe->kind == MADT_PROBE_ACCESS)
		return !probe->words && !probe->after;
	return madt_is_probe(probe->kind) && probe->after <= may_be_behind;
}

/* Of instruments, several may stand in the same places. */
static bool ascends(const struct madtcode_probe *before, const struct madtcode_probe *probe)
{
	if (before->kind != probe->kind)
		return before->kind < probe->kind;
	if (before->after != probe->after)
		return before->after < probe->after;
	return before->end <= probe->start
			|| (probe->kind == MADT_PROBE_INSTRUMENT && before->start == probe->start
					&& before->end == probe->end);
}

int choice_check(const struct madtcode_choice *choice, struct failure *failure)
{
	if (choice->variant >= MADT_PLAN_VARIANTS || choice->flags & ~(unsigned)MADT_PLAN_FLAGS)
		return failure_set(failure, EINVAL, "no plan of variant %u with flags 0x%x",
				choice->variant, choice->flags);
	for (uint32_t i = 0; i < choice->count; i++) {
		const struct madtcode_probe *probe = &choice->probes[i];
		if (!kind_is_good(probe) || probe->start >= probe->end || !payload_is_good(choice, probe)
				|| (i && !ascends(probe - 1, probe)))
			return failure_set(failure, EINVAL,
					"no plan with probe %u: kind %u from 0x%x to 0x%x, with %u words", i,
					probe->kind, probe->start, probe->end, probe->words);
	}
	return 0;
}
