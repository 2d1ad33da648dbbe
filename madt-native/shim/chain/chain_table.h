/* What .eh_frame says of an address of code (DWARF 5, 6.4.1), read in the target's own memory. */
#ifndef MADT_CHAIN_TABLE_H
#define MADT_CHAIN_TABLE_H

#include "base/base.h"

struct module;

/* The columns that calls keep, by their numbers in this file's order (System V ABI, figure 3.36). */
enum column {
	COLUMN_RBX,
	COLUMN_RBP,
	COLUMN_RSP,
	COLUMN_R12,
	COLUMN_R13,
	COLUMN_R14,
	COLUMN_R15,
	COLUMN_RETURN,
	COLUMNS
};
/* Of a DWARF register number; COLUMNS of one that calls do not keep. */
enum column column_of(uint64_t number);

enum rule_kind {
	KIND_UNTOLD, /* by the ABI: kept; of rsp the CFA */
	KIND_KEPT,
	KIND_UNDEFINED,
	KIND_AT, /* at CFA + value */
	KIND_IS, /* CFA + value */
	KIND_IN, /* in the register with this number */
	KIND_AT_EXPRESSION,
	KIND_IS_EXPRESSION
};

struct column_rule {
	uint32_t kind;
	int64_t value; /* or the address of an expression's length, in LEB128 */
};

struct unwind_row {
	bool cfa_expression;
	uint64_t cfa_register;
	int64_t cfa; /* the distance, or the address of an expression's length */
	struct column_rule column[COLUMNS];
	bool signal; /* of a signal frame: the return address is an interrupted instruction */
};

/* The row of an address of the module; false if there is none, or it cannot be read. */
bool unwind_row_at(const struct module *module, uintptr_t code, struct unwind_row *row);

/* Returns whether memory may be read, as far as a fault could not be handled (part.h). */
bool unwind_may_read(uintptr_t at, size_t size);
/* As load_word (load.h), where that is so. */
bool unwind_word(uintptr_t at, uint64_t *value);

/* ---------------------------------------------------------------- bytes of a module */

struct unwind_bytes {
	uintptr_t at, end;
	bool broken; /* a read met the end, or memory that is not there: it gave 0 */
};

uint64_t unwind_unsigned(struct unwind_bytes *bytes, unsigned size);
int64_t unwind_signed(struct unwind_bytes *bytes, unsigned size);
uint64_t unwind_leb(struct unwind_bytes *bytes);
int64_t unwind_sleb(struct unwind_bytes *bytes);

#endif
