/*
 * Which words of a record need not be stored. An operand at the registers of an earlier one of the
 * record, none of which has been written in between, lies at a fixed distance from it: the
 * difference of their displacements. Both RIP-relative or both at fixed addresses are such a pair,
 * too. What pushes, pops and their like add to rsp is known.
 */
#include "decode/stack_move.h"
#include "probe/plan.h"

/* What a stored word of the record was made of. */
struct origin {
	uint8_t base;
	uint8_t index;
	uint8_t scale;
	uint8_t segment;
	uint8_t word; /* its number in the record */
	int64_t displacement;
};

struct origins {
	struct origin items[TEMPLATE_WORDS];
	unsigned count;
};

/*
 * The address is base + index * scale + displacement, in 64 bits, from the base of a segment. What
 * changes that base is no part of a record: INSN_ODD.
 */
static bool operand_is_sum(const struct madt_code_operand *operand)
{
	return operand->shape == MADT_SHAPE_PLAIN && operand->elements == 1
			&& !(operand->flags & MADT_OPERAND_ADDRESS32);
}

static const struct origin *origin_find(const struct origins *origins,
		const struct madt_code_operand *operand)
{
	for (unsigned i = 0; i < origins->count; i++) {
		const struct origin *origin = &origins->items[i];
		int64_t distance = operand->displacement - origin->displacement;
		if (origin->segment == operand->segment && origin->base == operand->base
				&& origin->index == operand->index
				&& (origin->scale == operand->scale || origin->index == MADT_REGISTER_NONE)
				&& distance == (int16_t)distance)
			return origin;
	}
	return NULL;
}

static register_set origin_registers(const struct origin *origin)
{
	unsigned base = origin->base < 16 ? 1u << origin->base : 0;
	unsigned index = origin->index < 16 ? 1u << origin->index : 0;
	return (register_set)(base | index);
}

/* Addresses that are made of these registers are others from here on. */
static void origins_lose(struct origins *origins, register_set written)
{
	unsigned kept = 0;
	for (unsigned i = 0; i < origins->count; i++)
		if (!(origin_registers(&origins->items[i]) & written))
			origins->items[kept++] = origins->items[i];
	origins->count = kept;
}

/* The same addresses, from rsp as it is behind a move. */
static void origins_shift(struct origins *origins, int64_t by)
{
	for (unsigned i = 0; i < origins->count; i++)
		if (origins->items[i].base == REGISTER_RSP)
			origins->items[i].displacement -= by;
}

/* On to the next instruction. */
static void origins_follow(const struct plan *plan, struct origins *origins,
		const struct insn *insn)
{
	const uint8_t *bytes = plan->text.bytes + (insn->address - plan->text.start);
	register_set written = insn->writes;
	int64_t by = 0;
	if (written & 1u << REGISTER_RSP && stack_moves(bytes, insn->length, &by)) {
		written &= (register_set) ~(1u << REGISTER_RSP);
		origins_shift(origins, by);
	}
	origins_lose(origins, written);
}

/* Returns whether the word is derived. */
static bool word_derive(struct origins *origins, const struct madt_code_operand *operand,
		struct madt_plan_word *word, unsigned number)
{
	if (!operand_is_sum(operand))
		return false;
	const struct origin *origin = origin_find(origins, operand);
	if (origin) {
		word->from = origin->word;
		word->distance = (int16_t)(operand->displacement - origin->displacement);
		return true;
	}
	origins->items[origins->count++] = (struct origin){ operand->base, operand->index,
		operand->scale, operand->segment, (uint8_t)number, operand->displacement };
	return false;
}

/* All operands of an instruction are computed from the registers as they are in front of it. */
static void insn_derive(const struct plan *plan, struct record *record, const struct insn *insn,
		struct origins *origins, struct madt_plan_word *words, unsigned *number)
{
	const struct madt_code_operand *operands;
	unsigned count = plan_operands(plan, insn, &operands);
	for (unsigned i = 0; i < count; i++) {
		if (!plan_records(plan, &operands[i]))
			continue;
		if (word_derive(origins, &operands[i], &words[*number], *number))
			record->stored--;
		*number += operands[i].elements;
	}
}

void record_derive(struct plan *plan, struct record *record, const struct insn *const *insns)
{
	struct origins origins = { .count = 0 };
	unsigned number = 0;
	record->stored = record->words;
	record->last_stored = record->last;
	if (record->words > TEMPLATE_WORDS || insns[record->first]->step
			|| insns[record->first]->flags & (INSN_REP | INSN_ALONE))
		return;
	for (unsigned i = record->first; i <= record->last; i++) {
		const unsigned before = record->stored + number;
		if (insns[i]->words)
			insn_derive(plan, record, insns[i], &origins, plan->templates.word, &number);
		if (record->stored + number > before)
			record->last_stored = i;
		origins_follow(plan, &origins, insns[i]);
	}
}
