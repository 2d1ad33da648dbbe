/*
 * The code that records: it touches no flags and nothing below rsp. For a record of n words, r1 and
 * r2 being registers whose values the target does not need, or that are spilled around it:
 *
 *   before the first instruction             before each of them, for its words k = 0 …
 *     mov  r1, gs:[next]                       lea  r2, operand
 *     mov  qword [r1 + 8n], -1     touch       mov  [r1 - 8(n - k)], r2
 *     lea  r1, [r1 + 8(n + 1)]
 *     mov  gs:[next], r1
 *     mov  r2, epoch
 *     mov  [r1 - 8(n + 1)], r2     header
 *     mov  dword [r1 - 8(n + 1) + 4], 0x80000000 + template
 *
 * Derived words (plan_derive.c) are none of the n, and nothing is emitted for them. With n = 1 the
 * address itself is the touch, and is computed first. Only the touch can meet the
 * guard page, and it stands right behind the load of gs:[next]: see MADT_PLAN_RESTART. From one
 * instruction to the next r1 is kept in a register that is dead throughout; else in one that none
 * of the record's instructions up to the last uses, which is put back before the last (it is held,
 * see madt_plan.h, and so may be r2); else in gs:[record].
 */
#include "probe/plan.h"

#define SPILL_1 MADT_GS_SPILL
#define SPILL_2 (MADT_GS_SPILL + 8)

static void words_add(struct plan *plan, const struct insn *insn,
		const struct madt_code_operand *operand)
{
	for (unsigned i = 0; i < operand->elements; i++) {
		const struct madt_plan_word word = {
			.address = insn->address,
			.length = insn->length,
			.access = operand->access,
			.size = operand->size,
			.operand = operand->number,
			.from = MADT_PLAN_STORED,
		};
		word_add(&plan->templates, &word);
	}
}

static register_set address_registers(const struct madt_code_operand *operand)
{
	register_set set = 0;
	if (operand->base < 16)
		set |= (register_set)(1u << operand->base);
	if (operand->index < 16)
		set |= (register_set)(1u << operand->index);
	return set;
}

/* rsp too: no scratch register. */
register_set insn_address_registers(const struct plan *plan, const struct insn *insn)
{
	const struct madt_code_operand *operands;
	unsigned count = plan_operands(plan, insn, &operands);
	register_set set = 1u << REGISTER_RSP;
	for (unsigned i = 0; i < count; i++)
		if (plan_records(plan, &operands[i]))
			set |= address_registers(&operands[i]);
	return set;
}

register_set plan_dead(const struct plan *plan, const struct insn *insn)
{
	return (register_set)~plan->live[insn - plan->text.insns];
}

static unsigned lowest(register_set set)
{
	return set ? (unsigned)__builtin_ctz(set) : MADT_REGISTER_NONE;
}

static bool operand_is_register(const struct madt_code_operand *operand)
{
	return operand->shape == MADT_SHAPE_PLAIN && operand->segment == MADT_SEGMENT_NONE
			&& operand->base < 16 && operand->index == MADT_REGISTER_NONE
			&& operand->displacement == 0 && !(operand->flags & MADT_OPERAND_ADDRESS32);
}

/* Returns whether this word of the record at hand is derived. */
static bool word_is_derived(const struct plan *plan, unsigned number)
{
	return madt_plan_word_is_derived(&plan->templates.word[number]);
}

/*
 * Returns how many words of an instruction are stored, whose first is word `number` of the record
 * at hand; *computes: whether one of them is anything but what a register holds.
 */
static unsigned insn_stores(const struct plan *plan, const struct insn *insn, unsigned number,
		bool *computes)
{
	const struct madt_code_operand *operands;
	unsigned count = plan_operands(plan, insn, &operands), stored = 0;
	*computes = false;
	for (unsigned i = 0; i < count; i++) {
		if (!plan_records(plan, &operands[i]))
			continue;
		if (!word_is_derived(plan, number)) {
			stored += operands[i].elements;
			*computes |= !operand_is_register(&operands[i]);
		}
		number += operands[i].elements;
	}
	return stored;
}

/*
 * Registers that the record's instructions, the recording of the last one that stores words
 * included, have nothing to do with.
 */
static register_set record_unused(const struct plan *plan, const struct record *record,
		const struct insn *const *insns)
{
	register_set used = 1u << REGISTER_RSP;
	for (unsigned i = record->first; i <= record->last_stored; i++) {
		if (i < record->last_stored)
			used |= insns[i]->reads | insns[i]->writes;
		if (insns[i]->words)
			used |= insn_address_registers(plan, insns[i]);
	}
	return (register_set)~used;
}

/* Returns how often the record would have to spill for r2. */
static unsigned record_spills(const struct plan *plan, const struct record *record,
		const struct insn *const *insns)
{
	unsigned spills = 0, number = 0;
	for (unsigned i = record->first; i <= record->last_stored; i++) {
		const struct insn *insn = insns[i];
		bool computes = false;
		if (insn->words)
			insn_stores(plan, insn, number, &computes);
		number += insn->words;
		spills += (computes || i == record->first)
				&& !(plan_dead(plan, insn) & ~insn_address_registers(plan, insn)
						& ~(1u << record->kept));
	}
	return spills;
}

static void record_hold(struct plan *plan, struct record *record, const struct insn *const *insns)
{
	register_set unused = record_unused(plan, record, insns);
	if (record->kept == MADT_REGISTER_NONE) {
		record->kept = lowest(unused);
		record->held[0] = (uint8_t)record->kept;
	}
	if (record->kept == MADT_REGISTER_NONE)
		return;
	unused &= (register_set) ~(1u << record->kept);
	if (record_spills(plan, record, insns) > 1)
		record->held[1] = (uint8_t)lowest(unused);
	for (unsigned i = 0; i < 2; i++)
		plan->header.spills += record->held[i] != MADT_REGISTER_NONE;
}

void record_begin(struct plan *plan, struct record *record, const struct insn *const *insns)
{
	register_set free = plan_dead(plan, insns[record->first]);
	record->held[0] = record->held[1] = MADT_REGISTER_NONE;
	record->number = template_open(&plan->templates);
	record->seen = record->written = 0;
	for (unsigned i = record->first; i <= record->last; i++) {
		const struct madt_code_operand *operands;
		unsigned count = insns[i]->words ? plan_operands(plan, insns[i], &operands) : 0;
		for (unsigned k = 0; k < count; k++)
			if (plan_records(plan, &operands[k]))
				words_add(plan, insns[i], &operands[k]);
	}
	record_derive(plan, record, insns);
	template_close(&plan->templates, record->stored);
	for (unsigned i = record->first; i < record->last_stored; i++)
		free &= (register_set) ~(insns[i]->reads | insns[i]->writes);
	record->kept = lowest(free);
	if (record->first < record->last_stored)
		record_hold(plan, record, insns);
}

struct scratch scratch_take(struct plan *plan, register_set dead, register_set avoid, unsigned slot)
{
	register_set wanted = dead & (register_set)~avoid;
	if (wanted)
		return (struct scratch){ lowest(wanted), false };
	struct scratch scratch = { lowest((register_set)~avoid), true };
	emit_gs_store(&plan->emit, scratch.number, slot);
	plan->header.spills++;
	return scratch;
}

void scratch_give(struct plan *plan, struct scratch scratch, unsigned slot)
{
	if (scratch.spilled)
		emit_gs_load(&plan->emit, scratch.number, slot);
}

static struct emit_address at(unsigned base, int64_t displacement)
{
	return (struct emit_address){ (uint8_t)base, MADT_REGISTER_NONE, 1, displacement };
}

/*
 * Brings the address of an operand relative to FS into `to`: the base of FS, then what the
 * instruction adds, one register at a time, since flags must stay. An operand of another form has a
 * step (plan_patch.c).
 */
static unsigned thread_address_emit(struct plan *plan, const struct madt_code_operand *operand,
		unsigned to)
{
	struct emit_address sum = { (uint8_t)to, operand->base, 1, operand->displacement };
	emit_fs_base(&plan->emit, to, plan->options.kept);
	if (operand->base == REGISTER_RSP) /* which can be no index */
		sum = (struct emit_address){ REGISTER_RSP, (uint8_t)to, 1, operand->displacement };
	if (operand->index != MADT_REGISTER_NONE)
		emit_lea(&plan->emit, to,
				(struct emit_address){ (uint8_t)to, operand->index, operand->scale, 0 }, false);
	emit_lea(&plan->emit, to, sum, false);
	return to;
}

/* Brings the operand's address into `to`, or says in which register it already is. */
static unsigned address_emit(struct plan *plan, const struct madt_code_operand *operand,
		unsigned to)
{
	struct emit_address address = { operand->base, operand->index, operand->scale,
		operand->displacement };
	if (operand->segment == MADT_SEGMENT_FS)
		return thread_address_emit(plan, operand, to);
	if (operand_is_register(operand))
		return operand->base;
	if (operand->base == MADT_REGISTER_NONE && operand->index == MADT_REGISTER_NONE) {
		emit_move_constant(&plan->emit, to,
				operand->flags & MADT_OPERAND_ADDRESS32 ? (uint32_t)operand->displacement
														: (uint64_t)operand->displacement);
		return to;
	}
	if (operand->shape == MADT_SHAPE_XLAT) {
		emit_move_al(&plan->emit, to);
		address.index = (uint8_t)to;
	}
	emit_lea(&plan->emit, to, address, operand->flags & MADT_OPERAND_ADDRESS32);
	return to;
}

void record_end_emit(struct plan *plan, const struct record *record, unsigned r1)
{
	emit_lea(&plan->emit, r1, at(r1, 8 * (record->stored + 1)), false);
	emit_gs_store(&plan->emit, r1, MADT_GS_NEXT);
}

void record_header_emit(struct plan *plan, const struct record *record, unsigned r1, unsigned r2)
{
	const int64_t size = 8 * (record->stored + 1);
	struct emit *emit = &plan->emit;
	emit_load32(emit, r2,
			(struct emit_address){ MADT_REGISTER_RIP, MADT_REGISTER_NONE, 1, EMIT_EPOCH });
	emit_store32(emit, r2, at(r1, -size));
	emit_store_template(emit, record->number, at(r1, 4 - size));
}

/* A record of one word: its address, which is the touch, then the header. */
static void single_emit(struct plan *plan, struct record *record,
		const struct madt_code_operand *operand, unsigned r1, unsigned r2)
{
	unsigned address = address_emit(plan, operand, r2);
	emit_gs_load(&plan->emit, r1, MADT_GS_NEXT);
	emit_store64(&plan->emit, address, at(r1, 8));
	record_end_emit(plan, record, r1);
	record_header_emit(plan, record, r1, r2);
	record->written = 1;
}

static void start_emit(struct plan *plan, struct record *record, unsigned r1, unsigned r2,
		bool later)
{
	emit_gs_load(&plan->emit, r1, MADT_GS_NEXT);
	emit_store_ones(&plan->emit, at(r1, 8 * (int64_t)record->stored));
	record_end_emit(plan, record, r1);
	record_header_emit(plan, record, r1, r2);
	if (later && record->kept == MADT_REGISTER_NONE)
		emit_gs_store(&plan->emit, r1, MADT_GS_RECORD);
}

static void words_emit(struct plan *plan, struct record *record, const struct insn *insn,
		unsigned r1, unsigned r2)
{
	const struct madt_code_operand *operands;
	unsigned count = plan_operands(plan, insn, &operands);
	for (unsigned i = 0; i < count; i++) {
		if (!plan_records(plan, &operands[i]))
			continue;
		bool derived = word_is_derived(plan, record->seen);
		record->seen += operands[i].elements;
		if (derived)
			continue;
		if (record->stored == 1 && !plan_masks(&operands[i])) {
			single_emit(plan, record, &operands[i], r1, r2);
			continue;
		}
		unsigned address = address_emit(plan, &operands[i], r2);
		int32_t place = 8 * ((int32_t)record->written - (int32_t)record->stored);
		if (plan_masks(&operands[i]))
			emit_masked(&plan->emit, &operands[i], r1, place, address);
		else
			emit_store64(&plan->emit, address, at(r1, place));
		record->written += operands[i].elements;
	}
}

static void held_store(struct plan *plan, const struct record *record)
{
	for (unsigned i = 0; i < 2; i++)
		if (record->held[i] != MADT_REGISTER_NONE)
			emit_gs_store(&plan->emit, record->held[i], MADT_GS_SPILL + 8 * i);
}

static void held_load(struct plan *plan, const struct record *record)
{
	for (unsigned i = 0; i < 2; i++)
		if (record->held[i] != MADT_REGISTER_NONE)
			emit_gs_load(&plan->emit, record->held[i], MADT_GS_SPILL + 8 * i);
}

void record_emit(struct plan *plan, struct record *record, const struct insn *insn)
{
	bool computes;
	const unsigned stored = insn_stores(plan, insn, record->seen, &computes);
	if (!stored) {
		record->seen += insn->words;
		return;
	}
	register_set dead = plan_dead(plan, insn)
			& (register_set) ~(insn->flags & INSN_REP ? insn->writes : 0);
	register_set avoid = insn_address_registers(plan, insn);
	bool first = record->written == 0;
	struct scratch r1 = { record->kept, false };
	if (record->kept == MADT_REGISTER_NONE || insn->flags & INSN_REP)
		r1 = scratch_take(plan, dead, avoid, SPILL_1);
	struct scratch r2 = { record->held[1], false };
	if (first)
		held_store(plan, record);
	if ((first || computes) && record->held[1] == MADT_REGISTER_NONE)
		r2 = scratch_take(plan, dead, avoid | (register_set)(1u << r1.number), SPILL_2);
	if (first && (record->stored > 1 || insn->flags & INSN_ALONE))
		start_emit(plan, record, r1.number, r2.number, stored < record->stored);
	else if (!first && record->kept == MADT_REGISTER_NONE)
		emit_gs_load(&plan->emit, r1.number, MADT_GS_RECORD);
	words_emit(plan, record, insn, r1.number, r2.number);
	scratch_give(plan, r2, SPILL_2);
	scratch_give(plan, r1, SPILL_1);
	if (record->written == record->stored)
		held_load(plan, record);
}
