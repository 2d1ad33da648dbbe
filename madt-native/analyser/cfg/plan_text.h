/* The executable bytes of a module as one array, and the proven instructions in them. */
#ifndef MADT_PLAN_TEXT_H
#define MADT_PLAN_TEXT_H

#include "map/code_map.h"
#include "elf/functions.h"
#include "decode/insn.h"
#include "elf/text.h"

enum text_mark {
	MARK_CODE = 1,   /* executable */
	MARK_PROVEN = 2, /* of a proven instruction */
	/* control comes here from elsewhere, as far as is known: branches, returns, landing pads */
	MARK_TARGET = 4,
	MARK_DATA = 8,     /* read through RIP */
	MARK_FROZEN = 16,  /* of a restartable sequence: never patched */
	MARK_PADDING = 32, /* in unproven code: no-operations and int3 behind a function */
	MARK_PATCH = 64,   /* of a patch */
	/* of a patch, and an instruction starts here, but not the patch */
	MARK_INSIDE = 128
};

/* An exception that comes from these instructions goes on at the pad. */
struct landing {
	uint32_t start;
	uint32_t end;
	uint32_t pad;
};

/* Where an indirect jump leads, by the table that it goes by. */
struct jump_table {
	uint32_t jump; /* the instruction's address */
	uint32_t count;
	const uint32_t *targets; /* the table's entries in their order */
};

/* The same as `cases` has them. */
struct switch_jump {
	uint32_t jump;
	uint32_t first;
	uint32_t count;
};

struct plan_text {
	uint32_t start; /* address of byte 0 */
	uint32_t size;
	uint8_t *bytes;
	uint8_t *marks;   /* enum text_mark */
	uint64_t *starts; /* a bit per byte: an instruction starts there */
	/* per 64 bytes: how many instructions start before; set once all are known */
	uint32_t *ranks;
	struct insn *insns; /* by address */
	size_t count;
	size_t capacity;
	uint64_t *tables; /* addresses outside the code that lea names; some more than once */
	size_t table_count;
	size_t table_capacity;
	struct functions functions;
	struct switch_jump *jumps; /* those that go by tables, by address */
	size_t jump_count;
	size_t jump_capacity;
	uint32_t *cases; /* entries of their tables */
	size_t case_count;
	size_t case_capacity;
	struct landing *landings;
	size_t landing_count;
	size_t landing_capacity;
	bool stack;          /* accesses of the stack are recorded */
	bool tls;            /* accesses relative to FS are recorded */
	struct code_map map; /* what the instructions access, if it is recorded; unordered */
	uint64_t text_bytes;
	uint64_t text_sum; /* see madt_plan.h */
	uint64_t proven_bytes;
	uint32_t unproven_sites;
	uint32_t likely_sites;
	struct failure *failure;
};

/*
 * Reads the module's code and finds its proven instructions. 0, or an errno value with the text.
 * Free in either case.
 */
int plan_text_read(struct plan_text *text, const struct elf_file *file, bool stack, bool tls);
void plan_text_free(struct plan_text *text);

/* Gives back the memory of what lies before an instruction, as far as it is in pages of its own. */
void plan_text_forget(struct plan_text *text, const struct insn *insn);

/* Gives back the pages that lie within the first `size` bytes of an array. */
void pages_forget(void *array, size_t size);

/* Counts the instructions, which are in order: from now on plan_text_insn finds them. */
void plan_text_rank(struct plan_text *text);

/* The instruction that starts at an address, or NULL. */
struct insn *plan_text_insn(const struct plan_text *text, uint64_t address);

/* Returns whether this operand is recorded: on the stack and relative to FS only if asked for. */
static inline bool plan_text_records(const struct plan_text *text,
		const struct madt_code_operand *operand)
{
	return operand->segment == MADT_SEGMENT_NONE
			? text->stack || !(operand->flags & MADT_OPERAND_STACK)
			: text->tls && operand->segment == MADT_SEGMENT_FS;
}

/* Of an address in the text. */
static inline bool plan_text_starts(const struct plan_text *text, uint64_t address)
{
	const uint64_t at = address - text->start;
	return text->starts[at / 64] >> at % 64 & 1;
}

/* False outside the text. */
static inline bool plan_text_holds(const struct plan_text *text, uint64_t address)
{
	return address - text->start < text->size;
}

/* Sets a mark on `size` bytes, or on what of them lies in the text. */
void plan_text_mark(struct plan_text *text, uint64_t address, uint64_t size, enum text_mark mark);

/* True if one of the bytes has one of the marks; beyond the text too. */
bool plan_text_has(const struct plan_text *text, uint64_t address, uint64_t size, unsigned marks);

/*
 * Walks the functions of .eh_frame from end to end, then what they and the function symbols
 * (`starts`) reach: a symbol's size may take in constants, and they must not be patched. Both are
 * sorted.
 */
int plan_walk(struct plan_text *text);

/*
 * Walks from those known targets that lie in the midst of instructions; *more: some were found.
 * What of them leads to no code is frozen.
 */
int plan_walk_inner(struct plan_text *text, bool *more);

/*
 * Finds landing pads (plan_pads.c) and restartable sequences (plan_rseq.c). 0, or an errno value.
 * Damage marks less.
 */
int landing_pads_mark(struct plan_text *text, const struct elf_file *file);
int rseq_mark(struct plan_text *text, const struct elf_file *file);
/* Once all instructions are known. */
void rseq_signatures_mark(struct plan_text *text);

/* Marks the targets of indirect jumps that tables show. 0, or an errno value. */
int tables_mark(struct plan_text *text, const struct elf_file *file);

/*
 * Finds the tables that indirect jumps go by, as far as the code in front of them tells, and marks
 * their targets. 0, or an errno value. Instructions that are found later may tell more: it may be
 * called again.
 */
int switches_find(struct plan_text *text, const struct elf_file *file);

/* Returns where the indirect jump at an address leads; `count` 0: nobody knows. */
struct jump_table plan_text_table(const struct plan_text *text, uint32_t jump);

#endif
