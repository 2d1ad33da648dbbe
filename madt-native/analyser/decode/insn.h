/*
 * What the planner has to know of an instruction: how it is copied, and what it does with the
 * general registers.
 */
#ifndef MADT_INSN_H
#define MADT_INSN_H

#include "decode/site.h"

/* Sets of general registers: bit n is the register that encodings call n. */
typedef uint16_t register_set;
#define REGISTERS_ALL 0xffffu
#define REGISTER_RAX 0
#define REGISTER_RCX 1
#define REGISTER_RSP 4

enum insn_kind {
	INSN_PLAIN,  /* copied as it is, its RIP-relative displacement re-based */
	INSN_BRANCH, /* jcc with a target */
	INSN_JUMP,   /* jmp with a target */
	INSN_CALL,   /* call with a target */
	INSN_JUMP_INDIRECT,
	INSN_CALL_INDIRECT,
	INSN_RETURN,
	INSN_SYSTEM, /* syscall */
	INSN_ODD     /* is not copied: loop, jrcxz, int3, ud2, endbr64 … */
};

enum insn_flag {
	INSN_LOADS = 1,   /* reads memory */
	INSN_FOREIGN = 2, /* reads a register that is no general one */
	INSN_NOP = 4,
	INSN_REP = 8,       /* a string instruction with a rep prefix */
	INSN_ENDS = 16,     /* the next instruction is not reached from here */
	INSN_BRANCHES = 32, /* has a target, which `target` names */
	INSN_GAP = 64,      /* found by recursive descent, outside known functions */
	INSN_ALONE = 128    /* may leave some of its accesses out: shares no record */
};

#define INSN_NO_SITE UINT32_MAX

/* There are millions of them. */
struct insn {
	uint32_t address;
	uint32_t target;     /* ELF virtual address; 0: none */
	uint32_t site;       /* its entry in the code map, or INSN_NO_SITE */
	register_set reads;  /* the value before matters */
	register_set kills;  /* gets a new value whatever it held */
	register_set writes; /* gets a new value, or part of one, or may get one */
	uint8_t length : 4;
	uint8_t kind : 4;      /* enum insn_kind */
	uint8_t flags;         /* enum insn_flag */
	uint8_t relative : 4;  /* where its RIP-relative disp32 is, 0: none */
	uint8_t modrm : 4;     /* where its ModRM byte is, 0: none */
	uint8_t words;         /* it is a site with so many words; set by the planner */
	uint8_t condition : 4; /* of a BRANCH */
	/* set by the planner: a function begins here, behind its endbr64 */
	bool entry : 1;
	bool probed : 1;  /* it has probes: see plan/probe.h */
	bool step : 1;    /* its words are for the handler to find */
	bool covered : 1; /* an earlier extended basic block records it as well */
	/* at the entry of a function that is to be entered through a wrapper */
	bool hook : 1;
	/* it shares bytes with another one: set by the planner, see plan_overlap.c */
	bool overlaps : 1;
	bool guards : 1; /* another one starts within it, and is patched: so is this one */
	/* the room behind a trigger's jump, whose probes it has: see plan_trigger.c */
	bool trigger : 1;
	/* a jump of a function to code that records no call: set by plan_leaps.c */
	bool gone : 1;
};

_Static_assert(sizeof(struct insn) == 24, "struct insn");

/* What a RIP-relative operand stands for. */
struct reference {
	uint64_t address;
	unsigned bytes;  /* 0: no RIP-relative operand */
	bool names_only; /* lea */
};

struct reference insn_describe(const struct decoded *decoded, struct insn *insn);

#endif
