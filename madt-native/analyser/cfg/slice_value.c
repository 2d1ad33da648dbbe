/*
 * What a register holds in front of an instruction: the instructions that may have written it last
 * are looked up backwards, on all ways, and have to agree. Ways that nobody is known to come, and
 * those that lead round a loop, do not count.
 */
#include "cfg/slice.h"

#define DEPTH_MAX 24
#define JOINS_MAX 128

static struct value unknown(void)
{
	return (struct value){ .kind = VALUE_UNKNOWN };
}

static struct value constant(uint64_t number)
{
	return (struct value){ .kind = VALUE_CONSTANT, .number = number };
}

/* Places where ways join that were looked at already. */
struct joins {
	uint32_t places[JOINS_MAX];
	unsigned count;
};

struct question {
	struct slice *slice;
	struct joins joins;
	unsigned number; /* of the register */
	unsigned depth;
};

static struct value written_by(struct slice *slice, const struct insn *insn, unsigned number,
		unsigned depth);

/* False: it was there, or there is no room. */
static bool join_add(struct joins *joins, uint32_t place)
{
	for (unsigned i = 0; i < joins->count; i++)
		if (joins->places[i] == place)
			return false;
	if (joins->count == JOINS_MAX)
		return false;
	joins->places[joins->count++] = place;
	return true;
}

static struct value values_join(struct value a, struct value b)
{
	if (a.kind == VALUE_NONE)
		return b;
	if (b.kind == VALUE_NONE)
		return a;
	const bool same = a.kind == b.kind && a.number == b.number && a.base == b.base;
	return same ? a : unknown();
}

static struct value held_before(struct question *question, const struct insn *insn);

/*
 * Returns what an instruction writes. Nobody reads what a call leaves in a register other than that
 * of its result: such a call does not return.
 */
static struct value written(const struct question *question, const struct insn *insn)
{
	const bool calls = insn->kind == INSN_CALL || insn->kind == INSN_CALL_INDIRECT;
	if (calls && question->number != REGISTER_RAX)
		return (struct value){ .kind = VALUE_NONE };
	return written_by(question->slice, insn, question->number, question->depth);
}

static struct value held_behind(struct question *question, const struct insn *insn)
{
	return slice_writes(insn, question->number) ? written(question, insn)
												: held_before(question, insn);
}

/* Asks on all ways, where several lead to an instruction, or a branch. */
static struct value joined_before(struct question *question, const struct insn *insn,
		const struct insn *before, const struct flow *flow)
{
	struct value value = { .kind = VALUE_NONE };
	if (!join_add(&question->joins, insn->address))
		return value;
	if (before)
		value = held_behind(question, before);
	for (; flow && value.kind != VALUE_UNKNOWN; flow = slice_next(question->slice, flow))
		value = values_join(value,
				held_behind(question, plan_text_insn(question->slice->text, flow->source)));
	return value;
}

static struct value held_before(struct question *question, const struct insn *insn)
{
	struct slice *slice = question->slice;
	for (;;) {
		const struct flow *flow = slice_branches(slice, insn);
		const struct insn *before = slice_previous(slice, insn);
		if (!slice->steps)
			return unknown();
		slice->steps--;
		if (insn->address == slice->start)
			return unknown();
		if (flow)
			return joined_before(question, insn, before, flow);
		if (!before)
			return (struct value){ .kind = VALUE_NONE };
		if (slice_writes(before, question->number))
			return written(question, before);
		insn = before;
	}
}

static struct value register_before(struct slice *slice, const struct insn *insn, unsigned number,
		unsigned depth)
{
	struct question question = { .slice = slice, .number = number, .depth = depth + 1 };
	if (number >= SLICE_NO_REGISTER || depth >= DEPTH_MAX)
		return unknown();
	return held_before(&question, insn);
}

/* ---------------------------------------------------------------- addresses */

static struct value pointer(uint64_t number, unsigned index, unsigned unit, const struct insn *insn)
{
	return (struct value){ .kind = VALUE_POINTER,
		.number = number,
		.at = insn->address,
		.index = (uint8_t)index,
		.unit = (uint8_t)unit };
}

/* A table's address, or a guess. */
static struct value table_base(const struct slice *slice, struct value value)
{
	return value.kind == VALUE_UNKNOWN && slice->assumed ? constant(slice->assumed) : value;
}

/* The sum of what two registers hold, of which one may be an index. */
static struct value registers_add(struct slice *slice, const struct insn *insn, unsigned a,
		unsigned b, unsigned depth)
{
	struct value left = register_before(slice, insn, a, depth);
	struct value right = register_before(slice, insn, b, depth);
	if (left.kind == VALUE_DISTANCE)
		right = table_base(slice, right);
	else if (right.kind == VALUE_DISTANCE)
		left = table_base(slice, left);
	if (left.kind == VALUE_CONSTANT && right.kind == VALUE_CONSTANT)
		return constant(left.number + right.number);
	for (unsigned i = 0; i < 2; i++) {
		const struct value *base = i ? &right : &left;
		struct value other = i ? left : right;
		if (base->kind != VALUE_CONSTANT)
			continue;
		if (other.kind == VALUE_DISTANCE) {
			other.kind = VALUE_TARGET;
			other.base = base->number;
			return other;
		}
		return pointer(base->number, i ? a : b, 1, insn);
	}
	return left.kind == VALUE_NONE || right.kind == VALUE_NONE
			? (struct value){ .kind = VALUE_NONE }
			: unknown();
}

static struct value number_add(struct value value, uint64_t number)
{
	if (value.kind == VALUE_TARGET) {
		value.base += number;
	} else if (value.kind == VALUE_DISTANCE && number) {
		value.kind = VALUE_TARGET;
		value.base = number;
	} else if (value.kind == VALUE_LABEL && number) {
		value.kind = VALUE_UNKNOWN;
	} else {
		value.number += number;
	}
	return value;
}

/* Finds what the address of a memory operand is made of. */
static struct value address_of(struct slice *slice, const struct insn *insn,
		const ZydisDecodedOperand *operand, unsigned depth)
{
	const uint64_t displacement = (uint64_t)operand->mem.disp.value;
	const unsigned index = slice_register(operand->mem.index);
	const unsigned base = slice_register(operand->mem.base);
	struct value value;
	if (operand->mem.segment == ZYDIS_REGISTER_FS || operand->mem.segment == ZYDIS_REGISTER_GS)
		return unknown();
	if (operand->mem.base == ZYDIS_REGISTER_RIP)
		return constant(insn->address + insn->length + displacement);
	if (operand->mem.base == ZYDIS_REGISTER_NONE)
		return operand->mem.index == ZYDIS_REGISTER_NONE
				? constant(displacement)
				: pointer(displacement, index, operand->mem.scale, insn);
	if (operand->mem.index == ZYDIS_REGISTER_NONE)
		value = register_before(slice, insn, base, depth);
	else if (operand->mem.scale == 1)
		value = registers_add(slice, insn, base, index, depth);
	else {
		value = table_base(slice, register_before(slice, insn, base, depth));
		if (value.kind == VALUE_CONSTANT)
			value = pointer(value.number, index, operand->mem.scale, insn);
		else if (value.kind != VALUE_NONE)
			return unknown();
	}
	return number_add(value, displacement);
}

/* Returns what is loaded from a table. */
static struct value loaded(struct slice *slice, const struct insn *insn,
		const ZydisDecodedOperand *operand, unsigned depth)
{
	struct value value = address_of(slice, insn, operand, depth);
	if (value.kind == VALUE_NONE)
		return value;
	if (value.kind != VALUE_POINTER || (operand->size != 32 && operand->size != 64))
		return unknown();
	value.kind = operand->size == 32 ? VALUE_DISTANCE : VALUE_LABEL;
	return value;
}

/* ---------------------------------------------------------------- instructions */

/* mov [rsp+8], rax or mov [rbp-8], rax: the register, if it is the same place as `home`. */
static unsigned stored_from(const struct slice *slice, const struct insn *insn,
		const ZydisDecodedOperand *home)
{
	const uint8_t *bytes = slice->text->bytes + (insn->address - slice->text->start);
	struct decoded decoded;
	if (insn->length < 3 || (bytes[0] & 0xf8) != 0x48 || bytes[1] != 0x89
			|| !slice_decode(slice, insn, &decoded))
		return SLICE_NO_REGISTER;
	const ZydisDecodedOperand *target = &decoded.operands[0];
	return target->type == ZYDIS_OPERAND_TYPE_MEMORY && target->mem.base == home->mem.base
					&& target->mem.index == ZYDIS_REGISTER_NONE
					&& target->mem.disp.value == home->mem.disp.value
			? slice_register(decoded.operands[1].reg.value)
			: SLICE_NO_REGISTER;
}

/* Finds what lies on the stack by all that the function stores there. */
static struct value spilled(struct slice *slice, const ZydisDecodedOperand *home, unsigned depth)
{
	const struct insn *end = slice->text->insns + slice->text->count;
	struct value value = { .kind = VALUE_NONE };
	for (const struct insn *insn = plan_text_insn(slice->text, slice->start);
			insn && insn < end && insn->address < slice->end && value.kind != VALUE_UNKNOWN;
			insn++) {
		const unsigned from = stored_from(slice, insn, home);
		if (!slice->steps)
			return unknown();
		slice->steps--;
		if (from != SLICE_NO_REGISTER)
			value = values_join(value, register_before(slice, insn, from, depth));
	}
	return value.kind == VALUE_NONE ? unknown() : value;
}

static struct value moved(struct slice *slice, const struct insn *insn,
		const ZydisDecodedOperand *source, unsigned depth)
{
	const bool stack = source->mem.base == ZYDIS_REGISTER_RSP
			|| source->mem.base == ZYDIS_REGISTER_RBP;
	switch (source->type) {
	case ZYDIS_OPERAND_TYPE_IMMEDIATE:
		return constant(source->imm.value.u);
	case ZYDIS_OPERAND_TYPE_MEMORY:
		return stack && source->size == 64 && source->mem.index == ZYDIS_REGISTER_NONE
				? spilled(slice, source, depth)
				: loaded(slice, insn, source, depth);
	case ZYDIS_OPERAND_TYPE_REGISTER:
		return register_before(slice, insn, slice_register(source->reg.value), depth);
	default:
		return unknown();
	}
}

static struct value added(struct slice *slice, const struct insn *insn, unsigned number,
		const ZydisDecodedOperand *source, unsigned depth)
{
	if (source->type == ZYDIS_OPERAND_TYPE_REGISTER)
		return registers_add(slice, insn, number, slice_register(source->reg.value), depth);
	if (source->type != ZYDIS_OPERAND_TYPE_IMMEDIATE)
		return unknown();
	const struct value value = register_before(slice, insn, number, depth);
	return value.kind == VALUE_UNKNOWN ? pointer(source->imm.value.u, number, 1, insn)
									   : number_add(value, source->imm.value.u);
}

static struct value written_by(struct slice *slice, const struct insn *insn, unsigned number,
		unsigned depth)
{
	struct decoded decoded;
	const ZydisDecodedOperand *operands = decoded.operands;
	if (depth >= DEPTH_MAX || insn->kind != INSN_PLAIN || !slice_decode(slice, insn, &decoded))
		return unknown();
	if (decoded.instruction.mnemonic == ZYDIS_MNEMONIC_CDQE)
		return register_before(slice, insn, REGISTER_RAX, depth);
	if (operands[0].type != ZYDIS_OPERAND_TYPE_REGISTER
			|| slice_register(operands[0].reg.value) != number || operands[0].size < 32)
		return unknown();
	switch (decoded.instruction.mnemonic) {
	case ZYDIS_MNEMONIC_MOV:
	case ZYDIS_MNEMONIC_MOVSXD:
		return moved(slice, insn, &operands[1], depth);
	case ZYDIS_MNEMONIC_LEA:
		return address_of(slice, insn, &operands[1], depth);
	case ZYDIS_MNEMONIC_ADD:
		return added(slice, insn, number, &operands[1], depth);
	default:
		return unknown();
	}
}

struct value slice_target(struct slice *slice, const struct insn *jump)
{
	struct decoded decoded;
	if (!slice_decode(slice, jump, &decoded))
		return unknown();
	slice->steps = 20000;
	return moved(slice, jump, &decoded.operands[0], 0);
}
