/*
 * What a row of .eh_frame says of each register, with expressions (DWARF 5, 2.5 and 6.4.3).
 */
#include "chain/chain_registers.h"

#include "module/module.h"

#define DEPTH 32

enum operation {
	OP_ADDR = 0x03,
	OP_DEREF = 0x06,
	OP_CONST1U = 0x08,
	OP_CONST8S = 0x0f,
	OP_CONSTU = 0x10,
	OP_CONSTS = 0x11,
	OP_DUP = 0x12,
	OP_DROP = 0x13,
	OP_OVER = 0x14,
	OP_SWAP = 0x16,
	OP_AND = 0x1a,
	OP_MINUS = 0x1c,
	OP_MUL = 0x1e,
	OP_NEG = 0x1f,
	OP_NOT = 0x20,
	OP_OR = 0x21,
	OP_PLUS = 0x22,
	OP_PLUS_UCONST = 0x23,
	OP_SHL = 0x24,
	OP_SHR = 0x25,
	OP_SHRA = 0x26,
	OP_XOR = 0x27,
	OP_EQ = 0x29,
	OP_GE = 0x2a,
	OP_GT = 0x2b,
	OP_LE = 0x2c,
	OP_LT = 0x2d,
	OP_NE = 0x2e,
	OP_LIT0 = 0x30,
	OP_LIT31 = 0x4f,
	OP_BREG0 = 0x70,
	OP_BREG31 = 0x8f,
	OP_NOP = 0x96
};

struct machine {
	const struct registers *registers;
	struct unwind_bytes bytes;
	uint64_t stack[DEPTH];
	unsigned depth;
};

static bool fails(struct machine *machine)
{
	machine->bytes.broken = true;
	return false;
}

static void push(struct machine *machine, uint64_t value)
{
	if (machine->depth == DEPTH)
		fails(machine);
	else
		machine->stack[machine->depth++] = value;
}

static uint64_t pop(struct machine *machine)
{
	return machine->depth ? machine->stack[--machine->depth] : fails(machine);
}

/* False: the value is not told. */
static bool register_value(const struct registers *registers, uint64_t number, uint64_t *value)
{
	enum column column = column_of(number);

	if (column == COLUMNS)
		return false;
	*value = registers->value[column];
	return true;
}

/* Operations that put something on the stack; false: it is none of them. */
static bool puts(struct machine *machine, uint8_t operation)
{
	struct unwind_bytes *bytes = &machine->bytes;
	unsigned size = 1u << ((operation - OP_CONST1U) >> 1);
	uint64_t value = 0;

	if (operation >= OP_LIT0 && operation <= OP_LIT31) {
		push(machine, operation - OP_LIT0);
	} else if (operation >= OP_BREG0 && operation <= OP_BREG31) {
		if (!register_value(machine->registers, operation - OP_BREG0, &value))
			fails(machine);
		push(machine, value + (uint64_t)unwind_sleb(bytes));
	} else if (operation >= OP_CONST1U && operation <= OP_CONST8S) {
		push(machine,
				operation & 1 ? (uint64_t)unwind_signed(bytes, size)
							  : unwind_unsigned(bytes, size));
	} else if (operation == OP_CONSTU) {
		push(machine, unwind_leb(bytes));
	} else if (operation == OP_CONSTS) {
		push(machine, (uint64_t)unwind_sleb(bytes));
	} else if (operation == OP_ADDR) {
		push(machine, unwind_unsigned(bytes, 8));
	} else {
		return false;
	}
	return true;
}

/* Operations on one value; false: it is none of them. */
static bool changes(struct machine *machine, uint8_t operation)
{
	uint64_t value, other;

	switch (operation) {
	case OP_NOP:
		return true;
	case OP_DROP:
		pop(machine);
		return true;
	case OP_DUP:
		value = pop(machine);
		push(machine, value);
		push(machine, value);
		return true;
	case OP_OVER:
	case OP_SWAP:
		value = pop(machine);
		other = pop(machine);
		if (operation == OP_OVER)
			push(machine, other);
		push(machine, value);
		push(machine, other);
		return true;
	case OP_DEREF:
		if (!unwind_word(pop(machine), &value))
			fails(machine);
		push(machine, value);
		return true;
	case OP_NEG:
		push(machine, -pop(machine));
		return true;
	case OP_NOT:
		push(machine, ~pop(machine));
		return true;
	case OP_PLUS_UCONST:
		value = pop(machine);
		push(machine, value + unwind_leb(&machine->bytes));
		return true;
	default:
		return false;
	}
}

static bool shifts(uint64_t by)
{
	return by < 64;
}

static uint64_t combined(struct machine *machine, uint8_t operation, uint64_t a, uint64_t b)
{
	switch (operation) {
	case OP_AND:
		return a & b;
	case OP_OR:
		return a | b;
	case OP_XOR:
		return a ^ b;
	case OP_PLUS:
		return a + b;
	case OP_MINUS:
		return a - b;
	case OP_MUL:
		return a * b;
	case OP_SHL:
		return shifts(b) ? a << b : 0;
	case OP_SHR:
		return shifts(b) ? a >> b : 0;
	case OP_SHRA:
		return (uint64_t)((int64_t)a >> (shifts(b) ? b : 63));
	case OP_EQ:
		return a == b;
	case OP_NE:
		return a != b;
	case OP_GE:
		return (int64_t)a >= (int64_t)b;
	case OP_GT:
		return (int64_t)a > (int64_t)b;
	case OP_LE:
		return (int64_t)a <= (int64_t)b;
	case OP_LT:
		return (int64_t)a < (int64_t)b;
	default:
		return fails(machine);
	}
}

/* The value of the expression whose length stands at `at`; `first` lies on the stack before. */
static bool expression_value(const struct registers *registers, const struct module *module,
		int64_t at, uint64_t first, uint64_t *value)
{
	struct machine machine = { .registers = registers,
		.bytes = { (uintptr_t)at, module->end, false } };
	uint64_t length = unwind_leb(&machine.bytes), other;

	if (length > machine.bytes.end - machine.bytes.at)
		return false;
	machine.bytes.end = machine.bytes.at + length;
	push(&machine, first);
	while (machine.bytes.at < machine.bytes.end && !machine.bytes.broken) {
		uint8_t operation = (uint8_t)unwind_unsigned(&machine.bytes, 1);

		if (puts(&machine, operation) || changes(&machine, operation))
			continue;
		other = pop(&machine);
		push(&machine, combined(&machine, operation, pop(&machine), other));
	}
	*value = pop(&machine);
	return !machine.bytes.broken;
}

/* ---------------------------------------------------------------- a frame */

static bool cfa_value(const struct registers *registers, const struct module *module,
		const struct unwind_row *row, uint64_t *cfa)
{
	if (row->cfa_expression)
		return expression_value(registers, module, row->cfa, 0, cfa);
	if (!register_value(registers, row->cfa_register, cfa))
		return false;
	*cfa += (uint64_t)row->cfa;
	return true;
}

static bool column_value(const struct registers *registers, const struct module *module,
		const struct column_rule *rule, uint64_t cfa, uint64_t *value)
{
	uint64_t at;

	switch (rule->kind) {
	case KIND_AT:
		return unwind_word(cfa + (uint64_t)rule->value, value);
	case KIND_IS:
		*value = cfa + (uint64_t)rule->value;
		return true;
	case KIND_IN:
		return register_value(registers, (uint64_t)rule->value, value);
	case KIND_AT_EXPRESSION:
		return expression_value(registers, module, rule->value, cfa, &at) && unwind_word(at, value);
	case KIND_IS_EXPRESSION:
		return expression_value(registers, module, rule->value, cfa, value);
	default:
		return true;
	}
}

bool registers_out(struct registers *registers)
{
	uintptr_t code = registers_code(registers);
	const struct module *module = module_of(code);
	struct registers outer = *registers;
	struct unwind_row row;
	uint64_t cfa;

	if (!module || !unwind_row_at(module, code, &row)
			|| row.column[COLUMN_RETURN].kind == KIND_UNDEFINED
			|| !cfa_value(registers, module, &row, &cfa))
		return false;
	outer.value[COLUMN_RSP] = cfa;
	outer.exact = row.signal;
	for (int i = 0; i < COLUMNS; i++)
		if (!column_value(registers, module, &row.column[i], cfa, &outer.value[i]))
			return false;
	*registers = outer;
	return true;
}

bool registers_interrupted(struct registers *registers, uintptr_t context)
{
	static const int places[COLUMNS] = { REG_RBX, REG_RBP, REG_RSP, REG_R12, REG_R13, REG_R14,
		REG_R15, REG_RIP };
	uintptr_t saved = context + offsetof(ucontext_t, uc_mcontext.gregs);

	registers->exact = true;
	for (int i = 0; i < COLUMNS; i++)
		if (!unwind_word(saved + (uintptr_t)places[i] * sizeof(greg_t), &registers->value[i]))
			return false;
	return true;
}
