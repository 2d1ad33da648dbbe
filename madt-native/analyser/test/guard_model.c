#include "guard_model.h"

#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------- made at random */

static unsigned short seed[3];

static unsigned chance(unsigned of)
{
	return (unsigned)nrand48(seed) % of;
}

struct making {
	struct madtcode_word *words;
	unsigned count;
};

static struct madtcode_word *step_add(struct making *making, unsigned step)
{
	struct madtcode_word *word = &making->words[making->count++];
	*word = (struct madtcode_word){ .kind = MADT_PAYLOAD_GUARD, .piece = (uint8_t)step };
	return word;
}

static void number_add(struct making *making, uint64_t value)
{
	struct madtcode_word *word = step_add(making, MADT_GUARD_CONSTANT);
	word->displacement[0] = (int32_t)value;
	word->displacement[1] = (int32_t)(value >> 32);
}

static uint64_t number(void)
{
	static const uint64_t odd[] = { 0, 1, UINT64_MAX, UINT64_C(1) << 63, 63, 64, 255 };
	return chance(3) ? odd[chance(7)] : (uint64_t)jrand48(seed) << 32 | (uint32_t)jrand48(seed);
}

/* Something of the target's. */
static void taken_add(struct making *making)
{
	static const uint8_t bases[] = { 0, 1, 2, 4, 7, 13 };
	const unsigned step = MADT_GUARD_REGISTER + chance(4);
	struct madtcode_word *word = step_add(making, step);
	const unsigned size = step == MADT_GUARD_POINTER ? 3 : chance(4);
	word->piece |= (uint8_t)(size << MADT_GUARD_SIZE | (chance(2) ? MADT_GUARD_SIGNED : 0));
	word->place = step == MADT_GUARD_REGISTER ? (uint8_t)chance(16) : bases[chance(6)];
	word->loads = (uint8_t)(1 + chance(3) / 2);
	word->displacement[0] = (int32_t)(8 * chance(4));
	word->displacement[1] = (int32_t)chance(9) - 4;
}

static void value_add(struct making *making, unsigned depth)
{
	const unsigned kind = depth ? chance(6) : chance(2);
	if (kind == 0) {
		number_add(making, number());
	} else if (kind == 1 || kind == 2) {
		taken_add(making);
	} else if (kind == 3) {
		value_add(making, depth - 1);
		step_add(making, MADT_GUARD_NEGATE + chance(3));
	} else if (kind == 4) {
		value_add(making, depth - 1);
		value_add(making, depth - 1);
		step_add(making, MADT_GUARD_MULTIPLY + chance(16))->piece |= chance(2) ? MADT_GUARD_UNSIGNED
																			   : 0;
	} else {
		value_add(making, depth - 1);
		step_add(making, MADT_GUARD_BOTH + chance(2));
		value_add(making, depth - 1);
		step_add(making, MADT_GUARD_END);
	}
}

unsigned guard_make(struct madtcode_word *words, unsigned number)
{
	struct making making = { words, 0 };
	struct madtcode_word *word;
	memcpy(seed, (unsigned short[]){ 33, 7, (unsigned short)number }, sizeof seed);
	step_add(&making, MADT_GUARD_SWITCH)->displacement[0] = 1;
	if (number % 4 != 3) {
		value_add(&making, 3);
		step_add(&making, MADT_GUARD_END)->displacement[0] = 1;
	}
	if (number % 4 == 2 || number % 4 == 3) {
		word = step_add(&making, MADT_GUARD_HITS);
		word->displacement[0] = 1 + (int32_t)(number / 8 % 2);
		word->displacement[1] = 1 + (int32_t)chance(3);
		word->displacement[2] = chance(2) ? 0 : 4 + (int32_t)chance(8);
	}
	if (number % 4 == 1 || number % 8 == 3) {
		word = step_add(&making, MADT_GUARD_EVERY);
		word->displacement[0] = GUARD_COUNT;
		word->displacement[1] = number % 8 == 1 ? 1000 : 1 + (int32_t)chance(3);
	}
	if (number % 8 == 7)
		step_add(&making, MADT_GUARD_TURN)->displacement[0] = 2;
	return making.count;
}

/* ---------------------------------------------------------------- what comes of them */

static struct madt_switch switches[8];
static uint64_t every;

void guard_model_begin(void)
{
	memset(switches, 0, sizeof switches);
	every = 0;
}

struct run {
	const uint64_t *general;
	enum guard_memory (*read)(uint64_t address, size_t size, uint64_t *value);
	int64_t stack[MADT_GUARD_DEPTH + 1];
	unsigned depth;
	bool refused, *vague;
};

static int64_t extended(uint64_t value, const struct madtcode_word *word)
{
	const unsigned unused = 64 - (8u << (word->piece >> MADT_GUARD_SIZE & 3));
	return word->piece & MADT_GUARD_SIGNED ? (int64_t)(value << unused) >> unused
										   : (int64_t)(value << unused >> unused);
}

static uint64_t memory(struct run *run, const struct madtcode_word *word)
{
	uint64_t value = run->general[word->place];
	for (unsigned i = 0; i < word->loads; i++) {
		const bool last = i + 1u == word->loads;
		const size_t size = last ? 1u << (word->piece >> MADT_GUARD_SIZE & 3) : 8;
		const uint64_t at = value + (uint64_t)(int64_t)word->displacement[i];
		const enum guard_memory found = run->read(at, size, &value);
		*run->vague |= found == GUARD_MEMORY_VAGUE;
		run->refused |= found != GUARD_MEMORY_READ;
		if (run->refused)
			return 0;
	}
	return (uint64_t)extended(value, word);
}

static int64_t take(struct run *run, const struct madtcode_word *word)
{
	int64_t value;
	switch (word->piece & MADT_GUARD_STEP) {
	case MADT_GUARD_CONSTANT:
		return (int64_t)((uint32_t)word->displacement[0]
				| (uint64_t)(uint32_t)word->displacement[1] << 32);
	case MADT_GUARD_REGISTER:
		return extended(run->general[word->place], word);
	case MADT_GUARD_ADDRESS:
		return (int64_t)(run->general[word->place] + (uint64_t)(int64_t)word->displacement[0]);
	case MADT_GUARD_MEMORY:
		return (int64_t)memory(run, word);
	case MADT_GUARD_POINTER:
		value = (int64_t)memory(run, word);
		run->refused |= value == -1;
		return value;
	default:
		run->refused = true;
		return 0;
	}
}

static int64_t shifted(int64_t a, int64_t b, bool left)
{
	if (b < 0 || b > 63)
		return left || a >= 0 ? 0 : -1;
	return left ? (int64_t)((uint64_t)a << b) : a >> b;
}

static int64_t divided(struct run *run, int64_t a, int64_t b, bool remainder)
{
	run->refused |= !b;
	if (b == 0 || b == -1)
		return remainder ? 0 : (int64_t) - (uint64_t)a;
	return remainder ? a % b : a / b;
}

/* Applies an operator of integers without a sign; false: it is another operator. */
static bool joined_unsigned(struct run *run, unsigned step, uint64_t a, uint64_t b, int64_t *result)
{
	const bool none = (step == MADT_GUARD_DIVIDE || step == MADT_GUARD_REMAINDER) && !b;
	run->refused |= none;
	*result = (int64_t)(none                       ? 0
					: step == MADT_GUARD_DIVIDE    ? a / b
					: step == MADT_GUARD_REMAINDER ? a % b
					: step == MADT_GUARD_RIGHT     ? (b > 63 ? 0 : a >> b)
					: step == MADT_GUARD_LESS      ? a < b
					: step == MADT_GUARD_AT_MOST   ? a <= b
					: step == MADT_GUARD_MORE      ? a > b
												   : a >= b);
	return step == MADT_GUARD_DIVIDE || step == MADT_GUARD_REMAINDER || step == MADT_GUARD_RIGHT
			|| (step >= MADT_GUARD_LESS && step <= MADT_GUARD_AT_LEAST);
}

static int64_t joined(struct run *run, const struct madtcode_word *word, int64_t a, int64_t b)
{
	const unsigned step = word->piece & MADT_GUARD_STEP;
	int64_t result;
	if (word->piece & MADT_GUARD_UNSIGNED
			&& joined_unsigned(run, step, (uint64_t)a, (uint64_t)b, &result))
		return result;
	switch (step) {
	case MADT_GUARD_MULTIPLY:
		return (int64_t)((uint64_t)a * (uint64_t)b);
	case MADT_GUARD_DIVIDE:
	case MADT_GUARD_REMAINDER:
		return divided(run, a, b, step == MADT_GUARD_REMAINDER);
	case MADT_GUARD_ADD:
		return (int64_t)((uint64_t)a + (uint64_t)b);
	case MADT_GUARD_SUBTRACT:
		return (int64_t)((uint64_t)a - (uint64_t)b);
	case MADT_GUARD_LEFT:
	case MADT_GUARD_RIGHT:
		return shifted(a, b, step == MADT_GUARD_LEFT);
	case MADT_GUARD_AND:
		return a & b;
	case MADT_GUARD_XOR:
		return a ^ b;
	case MADT_GUARD_OR:
		return a | b;
	case MADT_GUARD_LESS:
		return a < b;
	case MADT_GUARD_AT_MOST:
		return a <= b;
	case MADT_GUARD_MORE:
		return a > b;
	case MADT_GUARD_AT_LEAST:
		return a >= b;
	case MADT_GUARD_EQUAL:
		return a == b;
	default:
		return a != b;
	}
}

/* The step behind the END that belongs to the fork in front of `at`. */
static unsigned behind_end(const struct madtcode_word *words, unsigned at)
{
	for (unsigned open = 1; open; at++) {
		const unsigned step = words[at].piece & MADT_GUARD_STEP;
		open += step == MADT_GUARD_BOTH || step == MADT_GUARD_EITHER;
		open -= step == MADT_GUARD_END && !words[at].displacement[0];
	}
	return at;
}

static void ask(struct run *run, unsigned step, const int32_t *values)
{
	struct madt_switch *one = &switches[values[0]];
	if (step == MADT_GUARD_SWITCH) {
		run->refused |= one->off != 0;
	} else if (step == MADT_GUARD_TURN) {
		one->off = values[1] != 0;
	} else if (step == MADT_GUARD_EVERY) {
		every = (every + 1) % (uint64_t)values[1];
		run->refused |= every != 0;
	} else {
		const int64_t hit = (int64_t)++one->hits;
		run->refused |= hit < values[1] || (values[2] && hit > values[2]);
		one->off |= hit == values[2];
	}
}

bool guard_takes(const struct madtcode_word *words, unsigned count, const uint64_t *general,
		enum guard_memory (*read)(uint64_t address, size_t size, uint64_t *value), bool *vague)
{
	struct run run = { .general = general, .read = read, .vague = vague };
	for (unsigned i = 0; i < count && !run.refused;) {
		const struct madtcode_word *word = &words[i++];
		const unsigned step = word->piece & MADT_GUARD_STEP;
		int64_t *top = &run.stack[run.depth - (run.depth > 0)];
		if (step < MADT_GUARD_CONSTANT) {
			ask(&run, step, word->displacement);
		} else if (step <= MADT_GUARD_NOWHERE) {
			run.stack[run.depth++] = take(&run, word);
		} else if (step <= MADT_GUARD_NOT) {
			*top = step == MADT_GUARD_NEGATE    ? (int64_t) - (uint64_t)*top
					: step == MADT_GUARD_INVERT ? ~*top
												: !*top;
		} else if (step <= MADT_GUARD_UNEQUAL) {
			top[-1] = joined(&run, word, top[-1], *top);
			run.depth--;
		} else if (step == MADT_GUARD_END) {
			run.refused = word->displacement[0] && !*top;
			*top = *top != 0;
			run.depth -= word->displacement[0] != 0;
		} else if ((*top != 0) == (step == MADT_GUARD_EITHER)) {
			*top = *top != 0;
			i = behind_end(words, i);
		} else {
			run.depth--;
		}
	}
	return !run.refused;
}
