/*
 * The code of probes: what records a record of one, in front of its instruction's copy or behind
 * it.
 *
 *   mov  r1, gs:[next]                      rdtsc                    timed
 *   mov  [r1 + 8], rsp         touch        mov  r1, gs:[next]
 *   lea  r1, [r1 + 16]                      mov  [r1 + 16], eax      touch
 *   mov  gs:[next], r1                      lea  r1, [r1 + 24]
 *   header                                  mov  gs:[next], r1
 *                                           mov  [r1 - 4], edx
 *                                           mov  [r1 - 16], rsp
 *                                           header
 *
 * The other words of a payload follow these. They are stored before the counter is read, which
 * needs rax and rdx; the last one of them is the touch. The pointer is past the whole record right
 * behind the touch: what a thread still stores of a record in the midst of which recording begins
 * goes where nobody reads, and its next record is the first that counts (lead.c). What is no
 * register comes to a free one first:
 *
 *   lea  free, [base + distance]            an address
 *   mov  free, [base + distance]            memory: each load stands in the plan's table of loads,
 *   mov  free, [free + distance]            with the place behind the last, where a fault goes on
 *
 * A piece of a text lies at a multiple of 8, so that no load reads a page in which the text has
 * nothing. Flags and all general registers are the target's meanwhile:
 *
 *   lea  free, [base + distance]            memory, too, before that
 *   movups gs:[vector], xmm0; movq xmm0, free; psrlq xmm0, 3; psllq xmm0, 3; movq free, xmm0
 *   movups xmm0, gs:[vector]
 *   mov  free, [free + 8 * piece]
 *
 * Counts need no record:
 *
 *   mov  r1, gs:[counts]
 *   mov  r2, [r1 + 8 * count]               may fault, and is made again from the one before on
 *   lea  r2, [r2 + 1]
 *   mov  [r1 + 8 * count], r2
 */
#include "trampoline/plan_guard.h"

#define SPILL_1 MADT_GS_SPILL
#define SPILL_2 (MADT_GS_SPILL + 8)
#define SPILL_3 MADT_GS_RECORD /* no record is open at a probe */
#define SPILL_4 MADT_GS_CALLEE
#define REGISTER_RDX 2
#define WORD_BYTES 8
#define COUNTER_SET (1u << REGISTER_RAX | 1u << REGISTER_RDX)

static struct emit_address at(unsigned base, int64_t displacement)
{
	return (struct emit_address){ (uint8_t)base, MADT_REGISTER_NONE, 1, displacement };
}

/* ---------------------------------------------------------------- the words of the plan */

/* An enter says besides where the function may jump. */
static void leap_tell(const struct plan *plan, struct madt_plan_word *word)
{
	const struct leap *leap = leaps_of(&plan->leaps, word->address);
	word->operand = leap->kinds | (leap->targets ? MADT_LEAP_TARGETS : 0);
	word->size = leap->targets ? leap->targets : WORD_BYTES;
}

static void probe_word_add(struct plan *plan, const struct insn *insn, unsigned code,
		unsigned operand)
{
	struct madt_plan_word word = {
		.address = probes_address(insn),
		.length = insn->trigger ? MADT_TRIGGER_JUMP : insn->length,
		.access = (uint8_t)code,
		.size = WORD_BYTES,
		.operand = (uint8_t)operand,
		.from = MADT_PLAN_STORED,
	};
	if (code == MADT_PROBE_ENTER)
		leap_tell(plan, &word);
	word_add(&plan->templates, &word);
}

/* Returns where a value was, or else which word of the payload it is. */
static unsigned operand_of(const struct probe *probe, unsigned number)
{
	const unsigned kind = probe->payload[number].kind;
	return kind == MADT_PAYLOAD_VALUE   ? probe->payload[number].place
			: kind == MADT_PAYLOAD_TIME ? 0
										: number;
}

/* `number`: of instruments, which of those that stand there on the same side. */
static struct record record_of(struct plan *plan, const struct insn *insn,
		const struct probe *probe, unsigned number)
{
	const unsigned words = 1u + probe->words;
	const struct record record = {
		.words = words, .stored = words, .number = template_open(&plan->templates)
	};
	probe_word_add(plan, insn, probe->kind,
			probe->kind == MADT_PROBE_INSTRUMENT ? number << 1 | probe->after : 0);
	for (unsigned i = 0; i < probe->words; i++)
		probe_word_add(plan, insn, probe->payload[i].kind, operand_of(probe, i));
	template_close(&plan->templates, words);
	return record;
}

/* ---------------------------------------------------------------- what comes to a free register */

static void memory_load(struct plan *plan, const struct madtcode_word *word, unsigned free)
{
	const size_t first = plan->emit.load_count;
	unsigned from = word->place;
	for (unsigned i = 0; i + 1u < word->loads; i++, from = free)
		emit_load_safe(&plan->emit, free, at(from, word->displacement[i]), WORD_BYTES);
	emit_load_safe(&plan->emit, free, at(from, word->displacement[word->loads - 1]),
			word->piece ? word->piece : WORD_BYTES);
	emit_loads_resume(&plan->emit, first);
}

static void vector_move(struct plan *plan, bool store)
{
	const uint8_t move[] = { 0x65, 0x0f, store ? 0x11 : 0x10, 0x04, 0x25, MADT_GS_VECTOR, 0, 0,
		MADT_GS_AT >> 24 };
	emit_bytes(&plan->emit, move, sizeof move);
}

/* To a multiple of 8, without flags. */
static void align_down(struct plan *plan, unsigned number)
{
	const uint8_t rex = 0x48 | number >> 3, low = 0xc0 | (number & 7);
	const uint8_t shift[] = { 0x66, rex, 0x0f, 0x6e, low, 0x66, 0x0f, 0x73, 0xd0, 3, 0x66, 0x0f,
		0x73, 0xf0, 3, 0x66, rex, 0x0f, 0x7e, low };
	vector_move(plan, true);
	emit_bytes(&plan->emit, shift, sizeof shift);
	vector_move(plan, false);
}

static void text_load(struct plan *plan, const struct madtcode_word *word, unsigned free)
{
	const size_t first = plan->emit.load_count;
	unsigned from = word->place;
	for (unsigned i = 0; i < word->loads; i++, from = free)
		emit_load_safe(&plan->emit, free, at(from, word->displacement[i]), WORD_BYTES);
	emit_lea(&plan->emit, free, at(from, word->displacement[word->loads]), false);
	align_down(plan, free);
	emit_load_safe(&plan->emit, free, at(free, MADT_TEXT_PIECE * word->piece), WORD_BYTES);
	emit_loads_resume(&plan->emit, first);
}

static void counter_add(struct plan *plan, unsigned counter, unsigned free)
{
	const unsigned slot = MADT_GS_COUNTERS + WORD_BYTES * counter;
	emit_gs_load(&plan->emit, free, slot);
	emit_lea(&plan->emit, free, at(free, 1), false);
	emit_gs_store(&plan->emit, free, slot);
}

static bool needs_free(const struct madtcode_word *word)
{
	return word->kind != MADT_PAYLOAD_TIME
			&& !(word->kind == MADT_PAYLOAD_VALUE
					&& (word->place < MADT_VALUE_VECTOR || madt_value_vector(word->place) >= 0));
}

static void word_fetch(struct plan *plan, const struct madtcode_word *word, unsigned free)
{
	switch (word->kind) {
	case MADT_PAYLOAD_VALUE:
		if (needs_free(word))
			emit_load64(&plan->emit, free,
					at(REGISTER_RSP, WORD_BYTES * (word->place - MADT_VALUE_STACK + 1)));
		break;
	case MADT_PAYLOAD_ADDRESS:
		emit_lea(&plan->emit, free, at(word->place, word->displacement[0]), false);
		break;
	case MADT_PAYLOAD_MEMORY:
		memory_load(plan, word, free);
		break;
	case MADT_PAYLOAD_TEXT:
		text_load(plan, word, free);
		break;
	case MADT_PAYLOAD_RETURN:
		emit_load64(&plan->emit, free, at(REGISTER_RSP, 0));
		break;
	case MADT_PAYLOAD_ANSWER:
		emit_gs_load(&plan->emit, free, MADT_GS_MASK);
		break;
	case MADT_PAYLOAD_COUNTER:
		counter_add(plan, word->place, free);
		break;
	}
}

/* ---------------------------------------------------------------- what is stored */

static void word_store(struct plan *plan, const struct madtcode_word *word, struct emit_address to,
		unsigned free)
{
	if (needs_free(word))
		emit_store64(&plan->emit, free, to);
	else if (word->place < MADT_VALUE_VECTOR)
		emit_store64(&plan->emit, word->place, to);
	else
		emit_store_vector(&plan->emit, (unsigned)madt_value_vector(word->place), to);
}

static bool is_timed(const struct probe *probe)
{
	return probe->words && probe->payload->kind == MADT_PAYLOAD_TIME;
}

/* The place of a word of the record that r1 leads behind; 0 is the stack pointer. */
static struct emit_address place_of(const struct record *record, unsigned r1, unsigned word)
{
	return at(r1, WORD_BYTES * ((int64_t)word - record->stored));
}

/* From the last one, which is the touch, to the first; all but the time. */
static void words_store(struct plan *plan, const struct probe *probe, const struct record *record,
		unsigned r1, unsigned free)
{
	for (unsigned i = probe->words; i-- > is_timed(probe);) {
		const bool touch = i + 1 == probe->words;
		word_fetch(plan, &probe->payload[i], free);
		if (touch)
			emit_gs_load(&plan->emit, r1, MADT_GS_NEXT);
		word_store(plan, &probe->payload[i],
				touch ? at(r1, WORD_BYTES * (i + 2)) : place_of(record, r1, i + 1), free);
		if (touch)
			record_end_emit(plan, record, r1);
	}
}

/* LFENCE lets no instruction begin before those in front of it have ended (SDM 2A, AMD APM 3). */
static void counter_read(struct plan *plan, const struct probe *probe)
{
	static const uint8_t lfence[] = { 0x0f, 0xae, 0xe8 }, rdtsc[] = { 0x0f, 0x31 };
	if (probe->payload->place == MADT_TIME_ORDERED)
		emit_bytes(&plan->emit, lfence, sizeof lfence);
	emit_bytes(&plan->emit, rdtsc, sizeof rdtsc);
}

static void time_store(struct plan *plan, const struct record *record, unsigned r1)
{
	struct emit_address low = place_of(record, r1, 1), high = low;
	high.displacement += 4;
	if (record->stored == 2) { /* the time is the touch */
		emit_gs_load(&plan->emit, r1, MADT_GS_NEXT);
		emit_store32(&plan->emit, REGISTER_RAX, at(r1, 2 * WORD_BYTES));
		record_end_emit(plan, record, r1);
	} else {
		emit_store32(&plan->emit, REGISTER_RAX, low);
	}
	emit_store32(&plan->emit, REGISTER_RDX, high);
}

/* ---------------------------------------------------------------- one probe */

static register_set registers_kept(const struct probe *probe)
{
	return probe_registers(probe) | 1u << REGISTER_RSP;
}

static void plain_emit(struct plan *plan, const struct probe *probe, const struct record *record,
		register_set dead)
{
	const register_set avoid = registers_kept(probe);
	struct scratch r1 = scratch_take(plan, dead, avoid, SPILL_1);
	struct scratch r2 = scratch_take(plan, dead, avoid | (register_set)(1u << r1.number), SPILL_2);
	if (probe->words) {
		words_store(plan, probe, record, r1.number, r2.number);
		emit_store64(&plan->emit, REGISTER_RSP, place_of(record, r1.number, 0));
	} else {
		emit_gs_load(&plan->emit, r1.number, MADT_GS_NEXT);
		emit_store64(&plan->emit, REGISTER_RSP, at(r1.number, WORD_BYTES));
		record_end_emit(plan, record, r1.number);
	}
	record_header_emit(plan, record, r1.number, r2.number);
	scratch_give(plan, r2, SPILL_2);
	scratch_give(plan, r1, SPILL_1);
}

static struct scratch fixed_take(struct plan *plan, register_set dead, unsigned number,
		unsigned slot)
{
	return scratch_take(plan, dead, (register_set) ~(1u << number), slot);
}

/* rax, whose value is spilled, unless a word is made of it. */
static struct scratch free_take(struct plan *plan, const struct probe *probe, register_set dead,
		unsigned r1)
{
	const register_set avoid = registers_kept(probe) | COUNTER_SET | (register_set)(1u << r1);
	bool needed = false;
	for (unsigned i = 0; i < probe->words; i++)
		needed |= needs_free(&probe->payload[i]);
	return needed && registers_kept(probe) & 1u << REGISTER_RAX
			? scratch_take(plan, dead, avoid, SPILL_4)
			: (struct scratch){ REGISTER_RAX, false };
}

static void timed_emit(struct plan *plan, const struct probe *probe, const struct record *record,
		register_set dead)
{
	const register_set avoid = registers_kept(probe) | COUNTER_SET;
	struct scratch rax = fixed_take(plan, dead, REGISTER_RAX, SPILL_2);
	struct scratch rdx = fixed_take(plan, dead, REGISTER_RDX, SPILL_3);
	struct scratch r1 = scratch_take(plan, dead, avoid, SPILL_1);
	if (probe->words > 1) {
		struct scratch free = free_take(plan, probe, dead, r1.number);
		words_store(plan, probe, record, r1.number, free.number);
		scratch_give(plan, free, SPILL_4);
	}
	counter_read(plan, probe);
	time_store(plan, record, r1.number);
	emit_store64(&plan->emit, REGISTER_RSP, place_of(record, r1.number, 0));
	record_header_emit(plan, record, r1.number, REGISTER_RAX);
	scratch_give(plan, r1, SPILL_1);
	scratch_give(plan, rdx, SPILL_3);
	scratch_give(plan, rax, SPILL_2);
}

/* Behind the instruction those registers are dead that are in front of the next one. */
static register_set dead_at(const struct plan *plan, const struct insn *insn, bool after)
{
	const struct insn *next = after ? plan_next(plan, insn) : insn;
	return next ? plan_dead(plan, next) : 0;
}

/* While all registers are the target's. */
static void call_emit(struct plan *plan, const struct insn *insn, const struct probe *probe,
		const struct madtcode_word *word)
{
	enum { GS_BYTES = 9, MOVE_BYTES = 10, JUMP_BYTES = 8 };
	static const uint8_t lea_behind[] = { 0x48, 0x8d, 0x05, GS_BYTES + MOVE_BYTES + JUMP_BYTES, 0,
		0, 0 };
	static const uint8_t jump[JUMP_BYTES] = { 0x65, 0xff, 0x24, 0x25, MADT_GS_OUT & 0xff,
		MADT_GS_OUT >> 8, 0, MADT_GS_AT >> 24 };
	const uint64_t argument = word->place
			| (uint64_t)(uint32_t)word->displacement[0] << MADT_CALL_BITS;
	const uint32_t code = probes_address(insn) + (probe->after ? insn->length : 0u);
	emit_gs_store(&plan->emit, REGISTER_RAX, SPILL_1);
	emit_lea(&plan->emit, REGISTER_RAX, at(MADT_REGISTER_RIP, code), false);
	emit_gs_store(&plan->emit, REGISTER_RAX, MADT_GS_MASK);
	emit_bytes(&plan->emit, lea_behind, sizeof lea_behind);
	emit_gs_store(&plan->emit, REGISTER_RAX, MADT_GS_CALLEE);
	emit_move_constant(&plan->emit, REGISTER_RAX, argument);
	emit_bytes(&plan->emit, jump, sizeof jump);
}

/* Functions without an answer. */
static void calls_emit(struct plan *plan, const struct insn *insn, const struct probe *probe)
{
	for (unsigned i = 0; i < probe->calls; i++)
		call_emit(plan, insn, probe, &probe->guard[probe->guards + i]);
}

/* One call a probe. */
static void answer_emit(struct plan *plan, const struct insn *insn, const struct probe *probe)
{
	for (unsigned i = 0; i < probe->words; i++)
		if (probe->payload[i].kind == MADT_PAYLOAD_ANSWER) {
			call_emit(plan, insn, probe, &probe->payload[i]);
			return;
		}
}

static void counts_add(struct plan *plan, const struct probe *probe, register_set dead)
{
	const register_set avoid = registers_kept(probe);
	struct scratch r1 = scratch_take(plan, dead, avoid, SPILL_1);
	struct scratch r2 = scratch_take(plan, dead, avoid | (register_set)(1u << r1.number), SPILL_2);
	emit_gs_load(&plan->emit, r1.number, MADT_GS_COUNTS);
	for (unsigned i = 0; i < probe->counts; i++) {
		const int32_t count = probe->payload[probe->words + i].displacement[0];
		const struct emit_address there = at(r1.number, WORD_BYTES * (int64_t)count);
		emit_load64(&plan->emit, r2.number, there);
		emit_lea(&plan->emit, r2.number, at(r2.number, 1), false);
		emit_store64(&plan->emit, r2.number, there);
	}
	scratch_give(plan, r2, SPILL_2);
	scratch_give(plan, r1, SPILL_1);
}

/* Emits what a hit does that is taken. */
static void hit_emit(struct plan *plan, const struct insn *insn, const struct probe *probe,
		unsigned number)
{
	const register_set dead = dead_at(plan, insn, probe->after);
	if (probe->counts)
		counts_add(plan, probe, dead);
	calls_emit(plan, insn, probe);
	if (!probe->words && probe->counts + probe->guards + probe->calls)
		return;
	const struct record record = record_of(plan, insn, probe, number);
	answer_emit(plan, insn, probe);
	if (is_timed(probe))
		timed_emit(plan, probe, &record, dead);
	else
		plain_emit(plan, probe, &record, dead);
}

void plan_probes_emit(struct plan *plan, const struct insn *insn, bool after)
{
	const struct probe_list list = probes_of(&plan->probes, insn);
	unsigned instruments = 0;
	struct guard guard;
	for (size_t i = 0; i < list.count; i++) {
		const struct probe *probe = &list.items[i];
		if (probe->after != after)
			continue;
		if (probe->guards)
			plan_guard_begin(plan, probe, dead_at(plan, insn, after), &guard);
		hit_emit(plan, insn, probe, instruments);
		if (probe->guards)
			plan_guard_end(plan, &guard);
		instruments += probe->kind == MADT_PROBE_INSTRUMENT;
	}
}
