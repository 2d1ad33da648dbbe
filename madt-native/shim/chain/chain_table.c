/*
 * The FDE of an address, by the table of .eh_frame_hdr, and the row of its address, by the
 * instructions of its CIE and of itself (DWARF 5, 6.4.2 and 6.4.3).
 */
#include "chain/chain_table.h"

#include "module/module.h"

#define ENCODING_OMITTED 0xff
#define ENCODING_INDIRECT 0x80
#define ENCODING_FORMAT 0x0f
#define ENCODING_BASE 0x70
#define BASE_ABSOLUTE 0x00
#define BASE_PCREL 0x10
#define HEADER_POINTER 0x1b /* pcrel, sdata4 */
#define HEADER_COUNT 0x03   /* udata4 */
#define HEADER_TABLE 0x3b   /* datarel, sdata4 */
#define HEADER_ROW 8u
#define REMEMBERED 8

enum call_frame_instruction {
	CFA_NOP = 0x00,
	CFA_SET_LOC = 0x01,
	CFA_ADVANCE_LOC1 = 0x02,
	CFA_ADVANCE_LOC2 = 0x03,
	CFA_ADVANCE_LOC4 = 0x04,
	CFA_OFFSET_EXTENDED = 0x05,
	CFA_RESTORE_EXTENDED = 0x06,
	CFA_UNDEFINED = 0x07,
	CFA_SAME_VALUE = 0x08,
	CFA_REGISTER = 0x09,
	CFA_REMEMBER_STATE = 0x0a,
	CFA_RESTORE_STATE = 0x0b,
	CFA_DEF_CFA = 0x0c,
	CFA_DEF_CFA_REGISTER = 0x0d,
	CFA_DEF_CFA_OFFSET = 0x0e,
	CFA_DEF_CFA_EXPRESSION = 0x0f,
	CFA_EXPRESSION = 0x10,
	CFA_OFFSET_EXTENDED_SF = 0x11,
	CFA_DEF_CFA_SF = 0x12,
	CFA_DEF_CFA_OFFSET_SF = 0x13,
	CFA_VAL_OFFSET = 0x14,
	CFA_VAL_OFFSET_SF = 0x15,
	CFA_VAL_EXPRESSION = 0x16,
	CFA_GNU_ARGS_SIZE = 0x2e,
	CFA_GNU_NEGATIVE_OFFSET_EXTENDED = 0x2f,
	CFA_ADVANCE_LOC = 0x40,
	CFA_OFFSET = 0x80,
	CFA_RESTORE = 0xc0
};

struct table {
	const struct module *module;
	uint64_t code_factor;
	int64_t data_factor;
	uint8_t encoding;                         /* of addresses of code */
	bool sized;                               /* FDEs say how long their augmentation is */
	uintptr_t instructions, instructions_end; /* of the CIE */
	struct unwind_row *row;
	struct column_rule initial[COLUMNS]; /* as the CIE leaves them */
	struct unwind_row remembered[REMEMBERED];
	unsigned depth;
	uintptr_t location; /* that the next instruction is of */
};

enum column column_of(uint64_t number)
{
	switch (number) {
	case 3:
		return COLUMN_RBX;
	case 6:
		return COLUMN_RBP;
	case 7:
		return COLUMN_RSP;
	case 12:
	case 13:
	case 14:
	case 15:
		return (enum column)(COLUMN_R12 + (number - 12));
	case 16:
		return COLUMN_RETURN;
	default:
		return COLUMNS;
	}
}

static struct unwind_bytes bytes_from(const struct module *module, uintptr_t at)
{
	struct unwind_bytes bytes = { at, module->end, at < module->start || at >= module->end };

	return bytes;
}

/* ---------------------------------------------------------------- .eh_frame_hdr */

/* Returns where the FDE lies that may be of the address; 0 if there is none. */
static uintptr_t record_find(const struct module *module, uintptr_t code)
{
	struct unwind_bytes header = bytes_from(module, module->unwind);
	uint64_t version = unwind_unsigned(&header, 1), pointer = unwind_unsigned(&header, 1);
	uint64_t counted = unwind_unsigned(&header, 1), table = unwind_unsigned(&header, 1);
	uintptr_t low = 0, high, rows;
	int64_t distance;

	unwind_unsigned(&header, 4); /* where .eh_frame begins */
	high = unwind_unsigned(&header, 4);
	if (header.broken || version != 1 || pointer != HEADER_POINTER || counted != HEADER_COUNT
			|| table != HEADER_TABLE || high > (module->end - header.at) / HEADER_ROW)
		return 0;
	rows = header.at;
	while (low < high) {
		uintptr_t middle = low + (high - low) / 2;
		struct unwind_bytes row = bytes_from(module, rows + middle * HEADER_ROW);

		if (module->unwind + (uintptr_t)unwind_signed(&row, 4) <= code)
			low = middle + 1;
		else
			high = middle;
	}
	if (!low)
		return 0;
	header = bytes_from(module, rows + (low - 1) * HEADER_ROW + 4);
	distance = unwind_signed(&header, 4);
	return header.broken ? 0 : module->unwind + (uintptr_t)distance;
}

/* ---------------------------------------------------------------- CIE and FDE */

static int64_t value_read(struct unwind_bytes *bytes, uint8_t format)
{
	switch (format) {
	case 0x1:
		return (int64_t)unwind_leb(bytes);
	case 0x9:
		return unwind_sleb(bytes);
	case 0x2:
		return (int64_t)unwind_unsigned(bytes, 2);
	case 0xa:
		return unwind_signed(bytes, 2);
	case 0x3:
		return (int64_t)unwind_unsigned(bytes, 4);
	case 0xb:
		return unwind_signed(bytes, 4);
	case 0x0:
	case 0x4:
	case 0xc:
		return unwind_signed(bytes, 8);
	default:
		bytes->broken = true;
		return 0;
	}
}

/* An address of code in the CIE's encoding. */
static uintptr_t address_read(struct unwind_bytes *bytes, uint8_t encoding)
{
	uintptr_t place = bytes->at;
	uintptr_t value = (uintptr_t)value_read(bytes, encoding & ENCODING_FORMAT);
	uint8_t base = encoding & ENCODING_BASE;

	if (encoding & ENCODING_INDIRECT || (base != BASE_ABSOLUTE && base != BASE_PCREL))
		bytes->broken = true;
	return base == BASE_PCREL ? place + value : value;
}

/* Enters the record: its end becomes that of the bytes. */
static struct unwind_bytes record_enter(const struct module *module, uintptr_t at)
{
	struct unwind_bytes bytes = bytes_from(module, at);
	uint64_t length = unwind_unsigned(&bytes, 4);

	if (length == UINT32_MAX)
		length = unwind_unsigned(&bytes, 8);
	if (length == 0 || length > bytes.end - bytes.at)
		bytes.broken = true;
	else
		bytes.end = bytes.at + length;
	return bytes;
}

/* The augmentation's own data; its letters are at `letter`. */
static void augmentation_read(struct table *table, struct unwind_bytes *bytes,
		struct unwind_bytes letter)
{
	for (;;) {
		switch ((char)unwind_unsigned(&letter, 1)) {
		case 'R':
			table->encoding = (uint8_t)unwind_unsigned(bytes, 1);
			break;
		case 'L':
			unwind_unsigned(bytes, 1);
			break;
		case 'P':
			value_read(bytes, (uint8_t)unwind_unsigned(bytes, 1) & ENCODING_FORMAT);
			break;
		case 'S':
			table->row->signal = true;
			break;
		case 'B':
			break;
		default: /* the end, or what nobody can tell apart from there on */
			return;
		}
	}
}

static bool cie_read(struct table *table, uintptr_t at)
{
	struct unwind_bytes bytes = record_enter(table->module, at), letters;
	uint64_t id = unwind_unsigned(&bytes, 4), version = unwind_unsigned(&bytes, 1), length;

	letters = bytes;
	table->sized = unwind_unsigned(&letters, 1) == 'z';
	while (unwind_unsigned(&bytes, 1))
		;
	table->code_factor = unwind_leb(&bytes);
	table->data_factor = unwind_sleb(&bytes);
	id |= version == 1 ? unwind_unsigned(&bytes, 1) ^ 16 : unwind_leb(&bytes) ^ 16;
	if (table->sized) {
		length = unwind_leb(&bytes);
		table->instructions = bytes.at + length;
		augmentation_read(table, &bytes, letters);
	} else {
		table->instructions = bytes.at;
	}
	table->instructions_end = bytes.end;
	return !bytes.broken && !id && (version == 1 || version == 3)
			&& table->instructions <= bytes.end;
}

/* ---------------------------------------------------------------- instructions */

static void rule_set(struct table *table, uint64_t number, enum rule_kind kind, int64_t value)
{
	enum column column = column_of(number);

	if (column != COLUMNS)
		table->row->column[column] = (struct column_rule){ kind, value };
}

static void rule_restore(struct table *table, uint64_t number)
{
	enum column column = column_of(number);

	if (column != COLUMNS)
		table->row->column[column] = table->initial[column];
}

static void cfa_set(struct table *table, uint64_t number, int64_t distance)
{
	table->row->cfa_expression = false;
	table->row->cfa_register = number;
	table->row->cfa = distance;
}

/* Returns where an expression's length stands; the bytes go on behind the expression. */
static int64_t expression_pass(struct unwind_bytes *bytes)
{
	uintptr_t at = bytes->at;
	uint64_t length = unwind_leb(bytes);

	if (length > bytes->end - bytes->at)
		bytes->broken = true;
	else
		bytes->at += length;
	return (int64_t)at;
}

/* Rules of a register, whose number comes first. */
static void register_told(struct table *table, struct unwind_bytes *bytes, uint8_t instruction)
{
	uint64_t number = unwind_leb(bytes);
	int64_t factor = table->data_factor;

	switch (instruction) {
	case CFA_OFFSET_EXTENDED:
		rule_set(table, number, KIND_AT, (int64_t)unwind_leb(bytes) * factor);
		break;
	case CFA_OFFSET_EXTENDED_SF:
		rule_set(table, number, KIND_AT, unwind_sleb(bytes) * factor);
		break;
	case CFA_GNU_NEGATIVE_OFFSET_EXTENDED:
		rule_set(table, number, KIND_AT, -(int64_t)unwind_leb(bytes) * factor);
		break;
	case CFA_VAL_OFFSET:
		rule_set(table, number, KIND_IS, (int64_t)unwind_leb(bytes) * factor);
		break;
	case CFA_VAL_OFFSET_SF:
		rule_set(table, number, KIND_IS, unwind_sleb(bytes) * factor);
		break;
	case CFA_RESTORE_EXTENDED:
		rule_restore(table, number);
		break;
	case CFA_UNDEFINED:
		rule_set(table, number, KIND_UNDEFINED, 0);
		break;
	case CFA_SAME_VALUE:
		rule_set(table, number, KIND_KEPT, 0);
		break;
	case CFA_REGISTER:
		rule_set(table, number, KIND_IN, (int64_t)unwind_leb(bytes));
		break;
	case CFA_EXPRESSION:
		rule_set(table, number, KIND_AT_EXPRESSION, expression_pass(bytes));
		break;
	case CFA_VAL_EXPRESSION:
		rule_set(table, number, KIND_IS_EXPRESSION, expression_pass(bytes));
		break;
	default:
		bytes->broken = true;
	}
}

/* False: no such instruction. */
static bool cfa_told(struct table *table, struct unwind_bytes *bytes, uint8_t instruction)
{
	uint64_t number;

	switch (instruction) {
	case CFA_DEF_CFA:
		number = unwind_leb(bytes);
		cfa_set(table, number, (int64_t)unwind_leb(bytes));
		return true;
	case CFA_DEF_CFA_SF:
		number = unwind_leb(bytes);
		cfa_set(table, number, unwind_sleb(bytes) * table->data_factor);
		return true;
	case CFA_DEF_CFA_REGISTER:
		table->row->cfa_register = unwind_leb(bytes);
		return true;
	case CFA_DEF_CFA_OFFSET:
		table->row->cfa = (int64_t)unwind_leb(bytes);
		return true;
	case CFA_DEF_CFA_OFFSET_SF:
		table->row->cfa = unwind_sleb(bytes) * table->data_factor;
		return true;
	case CFA_DEF_CFA_EXPRESSION:
		table->row->cfa = expression_pass(bytes);
		table->row->cfa_expression = true;
		return true;
	default:
		return false;
	}
}

static bool state_told(struct table *table, struct unwind_bytes *bytes, uint8_t instruction)
{
	bool signal = table->row->signal;

	switch (instruction) {
	case CFA_NOP:
		return true;
	case CFA_GNU_ARGS_SIZE:
		unwind_leb(bytes);
		return true;
	case CFA_REMEMBER_STATE:
		if (table->depth == REMEMBERED)
			bytes->broken = true;
		else
			table->remembered[table->depth++] = *table->row;
		return true;
	case CFA_RESTORE_STATE:
		if (!table->depth)
			bytes->broken = true;
		else
			*table->row = table->remembered[--table->depth];
		table->row->signal = signal;
		return true;
	default:
		return false;
	}
}

/* False: the instruction does not go on to another location. */
static bool location_told(struct table *table, struct unwind_bytes *bytes, uint8_t instruction)
{
	switch (instruction) {
	case CFA_SET_LOC:
		table->location = address_read(bytes, table->encoding);
		return true;
	case CFA_ADVANCE_LOC1:
	case CFA_ADVANCE_LOC2:
	case CFA_ADVANCE_LOC4:
		table->location += unwind_unsigned(bytes, 1u << (instruction - CFA_ADVANCE_LOC1))
				* table->code_factor;
		return true;
	default:
		return false;
	}
}

/* Follows the instructions as far as they are of the address. */
static bool rows_follow(struct table *table, struct unwind_bytes bytes, uintptr_t code)
{
	while (bytes.at < bytes.end && table->location <= code && !bytes.broken) {
		uint8_t instruction = (uint8_t)unwind_unsigned(&bytes, 1), number = instruction & 0x3f;

		switch (instruction & 0xc0) {
		case CFA_ADVANCE_LOC:
			table->location += number * table->code_factor;
			break;
		case CFA_OFFSET:
			rule_set(table, number, KIND_AT, (int64_t)unwind_leb(&bytes) * table->data_factor);
			break;
		case CFA_RESTORE:
			rule_restore(table, number);
			break;
		default:
			if (!location_told(table, &bytes, instruction)
					&& !state_told(table, &bytes, instruction)
					&& !cfa_told(table, &bytes, instruction))
				register_told(table, &bytes, instruction);
		}
	}
	return !bytes.broken;
}

bool unwind_row_at(const struct module *module, uintptr_t code, struct unwind_row *row)
{
	uintptr_t record = module->unwind ? record_find(module, code) : 0, start, distance;
	struct table table = { .module = module, .row = row };
	struct unwind_bytes fde, cie;

	bytes_set(row, 0, sizeof *row);
	fde = record_enter(module, record);
	start = fde.at;
	distance = unwind_unsigned(&fde, 4);
	if (!record || fde.broken || !distance || !cie_read(&table, start - distance))
		return false;
	table.location = address_read(&fde, table.encoding);
	start = table.location;
	if (code < start
			|| code - start >= (uintptr_t)value_read(&fde, table.encoding & (ENCODING_FORMAT & 7)))
		return false;
	if (table.sized) {
		uint64_t length = unwind_leb(&fde);

		fde.at += length;
	}
	if (fde.broken || fde.at > fde.end)
		return false;
	cie = (struct unwind_bytes){ table.instructions, table.instructions_end, false };
	if (!rows_follow(&table, cie, UINTPTR_MAX))
		return false;
	bytes_copy(table.initial, row->column, sizeof table.initial);
	table.location = start;
	return rows_follow(&table, fde, code);
}
