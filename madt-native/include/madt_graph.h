/*
 * Control-flow graphs of a module's functions, as madtcode_graph writes them into a file:
 *
 *   struct madt_graph | functions | blocks | edges | instructions | targets' and texts' bytes
 *
 * The blocks of a function are rows in the order of addresses, and are numbered in this order from
 * 0 on, in which the function's first instruction is. A block that functions share, since they
 * overlap, stands in each. The edges of a block are rows as well. All counts are of rows.
 *
 * Blocks are what MADT_PROBE_BLOCK and MADT_PROBE_BLOCK_END go by: a block begins where control may
 * come from elsewhere, and behind what leads elsewhere, calls too; padding behind a jump is in none.
 */
#ifndef MADT_GRAPH_H
#define MADT_GRAPH_H

#include <stdint.h>

#include "madt_layout.h"

#define MADT_GRAPH_MAGIC UINT64_C(0x3130677074646d)
#define MADT_GRAPH_NONE UINT32_MAX

struct madt_graph {
	uint64_t magic;
	uint32_t functions;
	uint32_t blocks;
	uint32_t edges;
	uint32_t insns;      /* of the text, if it was asked for */
	uint32_t text;       /* bytes */
	uint32_t text_bytes; /* executable ones of the module */
};
MADT_LAYOUT_AT(madt_graph, functions, 8);
MADT_LAYOUT_AT(madt_graph, text, 24);
MADT_LAYOUT_SIZE(madt_graph, 32);

/* By start, a function within another one behind it. */
struct madt_graph_function {
	uint32_t start; /* ELF virtual addresses */
	uint32_t end;
	uint32_t kinds; /* enum madt_function_kind */
	uint32_t first_block;
	uint32_t blocks;
	uint32_t unproven; /* bytes that are no proven instruction's, nor padding */
	uint8_t reason;    /* enum madt_graph_reason: of an instrument at its entry, behind endbr64 */
	uint8_t reserved[3];
};
MADT_LAYOUT_AT(madt_graph_function, first_block, 12);
MADT_LAYOUT_AT(madt_graph_function, reason, 24);
MADT_LAYOUT_SIZE(madt_graph_function, 28);

/* How a block ends. */
enum madt_graph_end {
	MADT_GRAPH_FALL = 0,   /* the next block begins */
	MADT_GRAPH_BRANCH = 1, /* a conditional jump; loop and jrcxz too */
	MADT_GRAPH_JUMP = 2,
	MADT_GRAPH_JUMP_INDIRECT = 3,
	MADT_GRAPH_CALL = 4,
	MADT_GRAPH_CALL_INDIRECT = 5,
	MADT_GRAPH_RETURN = 6,
	MADT_GRAPH_STOP = 7 /* ud2, hlt: nothing follows */
};

/*
 * Whether an instrument can stand there, as the planner decides it for a module all of whose
 * accesses are recorded too.
 */
enum madt_graph_reason {
	MADT_GRAPH_POSSIBLE = 0, /* a jump leads to it */
	MADT_GRAPH_NO_ROOM = 1,  /* it is possible with int3: no room for a jump, so each hit traps */
	MADT_GRAPH_UNPROVEN = 2, /* no instruction is proven to begin there */
	MADT_GRAPH_DATA = 3,     /* the code reads these bytes as data */
	MADT_GRAPH_FROZEN = 4,   /* of a restartable sequence, or bytes that are read in two ways */
	MADT_GRAPH_STEP = 5,     /* the instruction has to run in its place, alone */
	MADT_GRAPH_IN_PLACE = 6, /* the instruction cannot be copied: endbr64, loop, ud2 ... */
	MADT_GRAPH_OVERLAPS = 7, /* it shares bytes with one that cannot be copied */
	MADT_GRAPH_REASONS = 8
};

struct madt_graph_block {
	uint32_t start; /* ELF virtual addresses */
	uint32_t end;
	uint32_t first_edge;
	uint16_t edges;
	uint8_t ends;   /* enum madt_graph_end */
	uint8_t front;  /* enum madt_graph_reason: of an instrument in front of it */
	uint8_t behind; /* the same of one behind it */
	uint8_t probe;  /* distance from `start` of the instruction that the one in front stands at */
	uint8_t last;   /* bytes of its last instruction */
	/*
	 * 1: the one behind stands behind the last instruction, and not in front of it: it leads
	 * nowhere else
	 */
	uint8_t after;
};
MADT_LAYOUT_AT(madt_graph_block, first_edge, 8);
MADT_LAYOUT_AT(madt_graph_block, edges, 12);
MADT_LAYOUT_AT(madt_graph_block, ends, 14);
MADT_LAYOUT_AT(madt_graph_block, behind, 16);
MADT_LAYOUT_SIZE(madt_graph_block, 20);

enum madt_graph_edge_kind {
	MADT_GRAPH_TO_NEXT = 0,   /* control falls through */
	MADT_GRAPH_TO_TARGET = 1, /* of a jump or branch */
	MADT_GRAPH_TO_CASE = 2,   /* an entry of a table that an indirect jump goes by */
	MADT_GRAPH_TO_CALLED =
			3, /* the called function; `block` is MADT_GRAPH_NONE unless it is here */
	MADT_GRAPH_TO_RETURN = 4,  /* where a call returns to, if it does */
	MADT_GRAPH_TO_PAD = 5,     /* where an exception goes on that comes from the block */
	MADT_GRAPH_TO_UNKNOWN = 6, /* an indirect jump or call leads somewhere: `address` is 0 */
	MADT_GRAPH_TO_KINDS = 7
};

struct madt_graph_edge {
	uint32_t address; /* ELF virtual address */
	uint32_t block;   /* number in the function, or MADT_GRAPH_NONE: it leads out of it */
	uint32_t kind;    /* enum madt_graph_edge_kind */
};
MADT_LAYOUT_AT(madt_graph_edge, kind, 8);
MADT_LAYOUT_SIZE(madt_graph_edge, 12);

/* An instruction in Intel's syntax. */
struct madt_graph_insn {
	uint32_t address;
	uint32_t text;   /* where its text begins among the bytes behind the rows; a NUL ends it */
	uint32_t refers; /* the ELF virtual address that it names, relative to RIP or as target; or 0 */
	uint8_t length;
	uint8_t reserved[3];
};
MADT_LAYOUT_AT(madt_graph_insn, length, 12);
MADT_LAYOUT_SIZE(madt_graph_insn, 16);

#endif
