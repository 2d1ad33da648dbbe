/*
 * The one definition of the splice plan: a file, cached, that says where a module is
 * patched and holds the code that the patches jump to. Whoever applies it maps and writes, and
 * decodes no instruction. docs/SPLICE.md says how it comes about.
 *
 *   struct madt_plan |
 *   from a multiple of 4096: the patched text image, the bytes of the areas |
 *   tables, each from a multiple of 8 bytes
 *
 * What handlers look up and the applier reads once is packed: madt_rows.h, madt_templates.h.
 *
 * All integers are little-endian. "Address" is an ELF virtual address of the module: the load bias
 * is to be added. Areas lie outside the module, below it too, hence signed 64-bit addresses there.
 * "Place" is an offset in the plan file, of a byte in an area.
 */
#ifndef MADT_PLAN_H
#define MADT_PLAN_H

#include <stdbool.h>

#include "madt_payload.h"

#define MADT_PLAN_MAGIC UINT64_C(0x4e414c505444414d) /* "MADTPLAN" */
#define MADT_PLAN_VERSION 28u
#define MADT_PLAN_NONE UINT32_MAX
#define MADT_PLAN_ADDRESSES 0x80000000u /* those of modules are smaller */

/* ------------------------------------------------------------------ the thread's block
 *
 * At gs:MADT_GS_AT:
 *
 *   0   next: pointer to the next free word of the thread's chunk
 *   8   spill 0: a target register, within one recording, or for as long as a record is open
 *   16  spill 1: likewise
 *   24  record: end of the record at hand, where no register keeps it from one access to the next
 *   32  callee: target of an indirect call
 *   40  mask: an opmask register
 *   64  vector: 64 bytes, a vector register
 *
 * A handler that runs target code in the midst of a trampoline saves 8 to 127 and puts them back.
 */
/* the target's own offsets lead elsewhere, see shim/thread/gs.c */
#define MADT_GS_AT 0x40000000u
#define MADT_GS_NEXT 0u
#define MADT_GS_SPILL 8u
#define MADT_GS_RECORD 24u
#define MADT_GS_CALLEE 32u
#define MADT_GS_MASK 40u
#define MADT_GS_VECTOR 64u
#define MADT_GS_SIZE 128u

/*
 * Beyond that block: the address of code that makes a system call for a trampoline, which comes
 * there with all registers as they are in front of the target's instruction but for two that the
 * instruction overwrites (Intel SDM, volume 2, SYSCALL):
 *
 *   rcx   the address behind the target's instruction     r11   where the trampoline goes on
 */
#define MADT_GS_CALL 152u

/* And the thread's counters for MADT_PAYLOAD_COUNTER, 8 bytes each. */
#define MADT_GS_COUNTERS 160u

/* And the address of code that calls a function for MADT_PAYLOAD_ANSWER: shim/splice/call_out.S. */
#define MADT_GS_OUT 288u

/*
 * And the address of the thread's counts for MADT_PAYLOAD_COUNT, 8 bytes each: of its own, or of
 * what nobody reads while nothing is recorded. The load of a count stands right behind the
 * instruction that loads this address, as a record's first store does behind that of `next`.
 */
#define MADT_GS_COUNTS 296u

/* And the address of struct madt_switch, by their numbers. Guards need no other words of MadT's. */
#define MADT_GS_SWITCHES 304u

/*
 * And the thread pointer, the base of FS (System V ABI, x86-64, 3.4.2), for MADT_PLAN_KEPT: who
 * cannot write it by wrfsbase can only change it by system calls.
 */
#define MADT_GS_POINTER 312u

/*
 * A record's first store touches its last word, so that only this store can meet the guard page. It
 * stands right behind the instruction that loads `next`, of so many bytes: a fault at the touch
 * goes on there, once `next` leads to room.
 *
 *   65 REX 8b /r SIB 00 00 00 40   mov r1, gs:[next]
 */
#define MADT_PLAN_RESTART 9u

/*
 * The 32-bit epoch is read at epoch_page plus this: the applier maps the control file's first page
 * there.
 */
#define MADT_PLAN_EPOCH offsetof(struct madt_control, ring_write)

/* ------------------------------------------------------------------ header */

/*
 * All areas of MADT_PLAN_BELOW lie more than so many bytes below the module: a module at a lower
 * fixed address has no room for them.
 */
#define MADT_PLAN_BELOW_BYTES (UINT64_C(224) << 20)

enum madt_plan_variant {
	/* areas below the module; traps are 0xcc, at offset 4 also 0x9a and 0x82: SIGILL */
	MADT_PLAN_BELOW = 0,
	/* areas above it, from 1,008 MiB on, for programs at low addresses; 0x3f at offset 4: SIGILL */
	MADT_PLAN_ABOVE = 1,
	/*
	 * as below, farther away: for libraries that large ones lie beneath; of programs at low
	 * addresses as above, from 1,548 MiB on: the heap may lie where the first place is
	 */
	MADT_PLAN_FAR = 2,
	MADT_PLAN_VARIANTS = 3
};

enum madt_plan_flag {
	MADT_PLAN_STACK = 1, /* stack operands are recorded too */
	MADT_PLAN_HOOKS = 2, /* nothing is recorded: the plan has hooks alone */
	/* operands relative to FS are recorded too; without MADT_PLAN_KEPT by rdfsbase */
	MADT_PLAN_TLS = 4,
	/*
	 * for a process that runs already, in which nothing is interposed: the allocator has hooks
	 * wherever it is defined, and so have the functions that map memory
	 */
	MADT_PLAN_ALLOCATOR = 8,
	/* the base of FS is read from MADT_GS_POINTER, where programs may not use rdfsbase */
	MADT_PLAN_KEPT = 16,
	/*
	 * functions open or close windows: control comes to entries of functions themselves, also to
	 * those that trap, since an int3 may await it there
	 */
	MADT_PLAN_AWAITED = 32,
	MADT_PLAN_FLAGS = 63 /* all of them */
};

/* How a site is reached. */
enum madt_tactic {
	MADT_TACTIC_PLAIN = 0,    /* the instruction has room for the jump */
	MADT_TACTIC_FORWARD = 1,  /* the jump covers instructions behind it as well */
	MADT_TACTIC_BACKWARD = 2, /* or before it */
	MADT_TACTIC_NEAR = 3,     /* a short jump leads to a springboard */
	MADT_TACTIC_INT3 = 4,     /* one byte, 0xcc; the handler goes on in the trampoline */
	/* likewise, and the handler records from the operands first */
	MADT_TACTIC_STEP = 5,
	MADT_TACTICS = 6
};

struct madt_plan_table {
	uint32_t offset; /* in the file; a multiple of 8; of a packed one that of its index */
	uint32_t count;
};

/* An item of a packed table's index. */
struct madt_plan_block {
	uint32_t key;    /* of its first row */
	uint32_t before; /* so many bytes in front of the index its rows begin */
};
MADT_LAYOUT_SIZE(madt_plan_block, 8);

/*
 * The pages of the module's executable segments as they are with all patches and springboards in
 * them; what lies between the segments is there as the file has it. To be mapped private in the
 * place of the module's own, segment by segment, or not used at all. Size 0: there is none.
 */
struct madt_plan_patched_text {
	uint32_t address;
	uint32_t offset; /* in the file: 4096, in front of the areas; all are multiples of 4096 */
	uint32_t size;
};

struct madt_plan {
	uint64_t magic;
	uint32_t version;
	uint32_t header_size;
	uint64_t file_size;
	uint32_t checksum; /* CRC32C of all bytes behind the header */
	uint32_t build_id_length;
	uint8_t build_id[32];
	uint32_t variant;      /* enum madt_plan_variant */
	uint32_t flags;        /* enum madt_plan_flag */
	uint32_t module_start; /* addresses of the pages that the module's segments take up */
	uint32_t module_end;
	int64_t epoch_page;               /* address */
	struct madt_plan_table areas;     /* struct madt_plan_area */
	struct madt_plan_table patches;   /* packed: struct madt_plan_patch, by address */
	struct madt_plan_table templates; /* a byte each: madt_templates.h */
	struct madt_plan_table words; /* packed: struct madt_plan_word; a block for some templates */
	/*
	 * packed, keys alone: places of template numbers, which change where first_template is not free
	 * in a process
	 */
	struct madt_plan_table relocations;
	struct madt_plan_table boundaries; /* packed: struct madt_plan_boundary, by place */
	struct madt_plan_table entries;    /* packed: struct madt_plan_entry, by address */
	struct madt_plan_table steps;      /* struct madt_plan_step, by address */
	struct madt_plan_table operands;   /* struct madt_code_operand, of the steps */
	uint32_t sites[MADT_TACTICS];      /* how many sites are reached how */
	uint32_t sites_shared;             /* of these, sites within the patch of another */
	/* memory instructions that a linear reading finds in unproven code */
	uint32_t sites_unproven;
	/* proven, but not to be copied or not to be patched: they are not recorded */
	uint32_t sites_left;
	uint32_t spills;                     /* recordings that found no dead register */
	uint64_t text_bytes;                 /* executable */
	uint64_t proven_bytes;               /* of these in known functions, or reached from them */
	struct madt_plan_table hooks;        /* struct madt_plan_hook */
	struct madt_plan_table springboards; /* struct madt_plan_springboard, by address */
	/*
	 * the number of template 0 in the code; no other plan of the cache has the numbers from there
	 * on
	 */
	uint32_t first_template;
	uint32_t tables; /* where they begin in the file: the areas end there */
	struct madt_plan_patched_text patched_text;
	/* of sites_unproven, those where the bytes around are all instructions, as of code */
	uint32_t sites_likely;
	uint64_t text_sum;                /* of the code that it is a plan of: madt_sum.h */
	struct madt_plan_table loads;     /* packed: struct madt_plan_load, by place */
	struct madt_plan_table triggers;  /* struct madt_plan_trigger, by address */
	struct madt_plan_table outermost; /* struct madt_plan_range, by address */
};
MADT_LAYOUT_AT(madt_plan, file_size, 16);
MADT_LAYOUT_AT(madt_plan, checksum, 24);
MADT_LAYOUT_AT(madt_plan, build_id, 32);
MADT_LAYOUT_AT(madt_plan, variant, 64);
MADT_LAYOUT_AT(madt_plan, module_start, 72);
MADT_LAYOUT_AT(madt_plan, epoch_page, 80);
MADT_LAYOUT_AT(madt_plan, areas, 88);
MADT_LAYOUT_AT(madt_plan, operands, 152);
MADT_LAYOUT_AT(madt_plan, sites, 160);
MADT_LAYOUT_AT(madt_plan, text_bytes, 200);
MADT_LAYOUT_AT(madt_plan, hooks, 216);
MADT_LAYOUT_AT(madt_plan, springboards, 224);
MADT_LAYOUT_AT(madt_plan, first_template, 232);
MADT_LAYOUT_AT(madt_plan, patched_text, 240);
MADT_LAYOUT_AT(madt_plan, sites_likely, 252);
MADT_LAYOUT_AT(madt_plan, text_sum, 256);
MADT_LAYOUT_AT(madt_plan, loads, 264);
MADT_LAYOUT_AT(madt_plan, triggers, 272);
MADT_LAYOUT_AT(madt_plan, outermost, 280);
MADT_LAYOUT_SIZE(madt_plan, 288);

/* ------------------------------------------------------------- what the applier maps and writes */

/*
 * To be mapped private, readable and executable, from the file, at load bias + address. The areas
 * of a module are the module's own range shifted by fixed distances, hence those of different
 * modules never overlap for one variant.
 */
struct madt_plan_area {
	int64_t address; /* of its first page in the file */
	uint32_t offset; /* in the file; both are multiples of 4096 */
	uint32_t size;
};
MADT_LAYOUT_SIZE(madt_plan_area, 16);

#define MADT_PLAN_PATCH_MAX 40u /* bytes of a patch */

/*
 *   jump:  e9 rel32 cc cc …   `length` bytes in all
 *   near:  eb rel8 cc cc …    to a springboard
 *   int3:  cc                 length 1
 */
struct madt_plan_patch {
	uint32_t address;
	uint8_t length;   /* 1, or 5 to 34; of a near one from 2 on */
	uint8_t tactic;   /* enum madt_tactic */
	int32_t relative; /* of the jump; 0 for length 1 */
};

/*
 * e9 rel32, within a patch of another patch, behind its jump: where no instruction of the module
 * starts. To be written behind all patches. A thread that stands there has done nothing yet: it may
 * be shown at the near patch. Both lie in one page.
 */
struct madt_plan_springboard {
	uint32_t address;
	uint32_t patch;   /* address of the near patch that leads here */
	int32_t relative; /* of the jump */
};
MADT_LAYOUT_SIZE(madt_plan_springboard, 12);

/*
 * A trigger of the source (MADT_EVENT, madt.h), eb 07, that stays as it is: the patch with the jump
 * to its instruments is the room behind it. Control comes there while its second byte is 0, which
 * is to be so while an instrument of these is on. Each instrument has an item of its own.
 */
#define MADT_TRIGGER_JUMP 2u
#define MADT_TRIGGER_ROOM 7u
struct madt_plan_trigger {
	uint32_t address;    /* of the jump of two bytes */
	uint32_t instrument; /* the number of its struct madt_switch */
};
MADT_LAYOUT_SIZE(madt_plan_trigger, 8);

/* ------------------------------------------------------------------ what is recorded */

/*
 * A template has `words` accesses. In the chunk stand the words of `stored` of them; the others are
 * derived. Behind a template with derived words comes its whole form, a template of the same words
 * that are all stored: what was cut short in the midst is written as that.
 */
struct madt_plan_template {
	uint16_t words;  /* 1 to 64 */
	uint16_t stored; /* 1 to `words` */
};

/*
 * The template of a probe is a template of its own (madt_payload.h). Where there are several in front
 * of an instruction, their templates have numbers in a row, and the one of the instruction's
 * accesses the next.
 *
 * MADT_PROBE_ENTER's operand and size: where the function may go on by a jump at the stack pointer
 * that it was entered with. Code addresses are those of the words.
 */
enum madt_leap {
	MADT_LEAP_TARGETS = 1, /* the size is the sum of madt_leap_bit of the functions; else it is 8 */
	MADT_LEAP_ANYWHERE = 2 /* through a pointer */
};

static inline uint16_t madt_leap_bit(uint32_t from, uint32_t to)
{
	return (uint16_t)(1u << ((to - from) * 0x9e3779b1u >> 28));
}

#define MADT_PLAN_STORED 0xffu
/* A template with derived words has so many in all, at most. */
#define MADT_PLAN_DERIVED_WORDS 16u

struct madt_plan_word {
	uint32_t address; /* of the instruction */
	uint8_t length;   /* of the instruction */
	uint8_t access;   /* enum madt_access, or a probe's: enum madt_probe_kind, enum madt_payload */
	uint16_t size;    /* bytes of this access */
	/* operand number as in the code map; enum madt_value; of other payloads their place in it */
	uint8_t operand;
	/* the number of the template's word, a stored one, that the word is so far behind */
	uint8_t from; /* or MADT_PLAN_STORED */
	int16_t distance;
};

static inline bool madt_plan_word_is_derived(const struct madt_plan_word *word)
{
	return word->from != MADT_PLAN_STORED;
}

/*
 * All words of a record, whose words in the table are `word`, from those that are stored in a
 * chunk. What was derived from a word that is missing is missing.
 */
static inline void madt_plan_record_restore(const struct madt_plan_template *planned,
		const struct madt_plan_word *word, const uint64_t *stored, uint64_t *words)
{
	for (uint32_t i = 0; i < planned->words; i++) {
		bool derived = planned->stored < planned->words && madt_plan_word_is_derived(&word[i]);
		uint64_t from = derived ? words[word[i].from] : *stored++;

		words[i] = derived && from != MADT_WORD_NONE ? from + (uint64_t)word[i].distance : from;
	}
}

/* ------------------------------------------------------------- allocators in the program itself */

/*
 * The loader prefers a program's own malloc to that of any library, preloaded ones included. So its
 * functions are entered through libmadt.so's: the patch at their entry leads to `jmp [rip]` with
 * the wrapper's address behind it, and the wrapper calls the copy of what the patch took away.
 *
 * Likewise in a process that runs already (MADT_PLAN_ALLOCATOR), where several modules may define an
 * allocator: of those that are not called the wrapper is the copy itself.
 *
 *   ff 25 00 00 00 00 | wrapper, 8 bytes, at `wrapper` | copy, at `real` …
 */
#define MADT_PLAN_HOOK_JUMP 6u

enum madt_hook {
	MADT_HOOK_MALLOC = 0,
	MADT_HOOK_CALLOC = 1,
	MADT_HOOK_REALLOC = 2,
	MADT_HOOK_REALLOCARRAY = 3,
	MADT_HOOK_FREE = 4,
	MADT_HOOK_POSIX_MEMALIGN = 5,
	MADT_HOOK_ALIGNED_ALLOC = 6,
	MADT_HOOK_MEMALIGN = 7,
	MADT_HOOK_VALLOC = 8,
	MADT_HOOK_PVALLOC = 9,
	MADT_HOOK_USABLE = 10,
	MADT_HOOKS_PROGRAM = 11, /* those of a program's own allocator end here */
	MADT_HOOK_MMAP = 11,
	MADT_HOOK_MREMAP = 12,
	MADT_HOOK_MUNMAP = 13,
	MADT_HOOK_BRK = 14,
	MADT_HOOK_SBRK = 15,
	/* not called by the program: glibc frees again what it has kept for a thread that ends */
	MADT_HOOK_CACHE_END = 16,
	MADT_HOOKS = 17
};

/*
 * Allocators by other names (--alloc): functions of any module that are entered likewise. Instead of
 * an enum madt_hook their `function` says what they do, and by which arguments, which count from 0:
 *
 *   bits 0-3    enum madt_named_role
 *   bits 4-7    of the size; 14: it is a constant, whose bits are bits 20-30, and 8-11 above them.
 *               Of what frees: of the offset in each block at which the next one to be freed stands
 *   bits 8-11   of a factor of it
 *   bits 12-15  of the block that ends, or of the pool that ends
 *   bits 16-19  of the pool that the block is cut from; 15, here and above: there is none
 *   bits 20-23  of what is added to the size, and one; 0: nothing is
 *   bits 24-26  the sizes are rounded up to a multiple of 2 to the power of this
 *   bit 31      MADT_HOOK_NAMED
 */
#define MADT_HOOK_NAMED 0x80000000u
#define MADT_NAMED_NONE 15u
#define MADT_NAMED_ARGUMENTS 12u /* six in registers, six on the stack */
#define MADT_NAMED_SIZE 4u       /* shifts */
#define MADT_NAMED_FACTOR 8u
#define MADT_NAMED_OLD 12u
#define MADT_NAMED_POOL 16u
#define MADT_NAMED_ADDEND 20u
#define MADT_NAMED_ROUND 24u
#define MADT_NAMED_CONSTANT 14u
#define MADT_NAMED_LOW 20u      /* the shift of a constant's low bits, */
#define MADT_NAMED_LOW_BITS 11u /* and how many they are */
#define MADT_NAMED_MOST 128u    /* of a module */

enum madt_named_role {
	MADT_NAMED_ALLOCATES = 1,
	MADT_NAMED_FREES = 2,
	MADT_NAMED_REALLOCATES = 3,
	MADT_NAMED_ENDS = 4,    /* a pool, with all blocks in it */
	MADT_NAMED_CPYTHON = 5, /* CPython begins; it has no arguments: wrap_cpython.c */
	/*
	 * Go's allocator, which has no wrapper, since its stack may be moved: the probes where it is
	 * entered and left call functions, MADT_CALL_GO_ENTER and MADT_CALL_GO_LEAVE
	 */
	MADT_NAMED_GO = 6,
	MADT_NAMED_ROLES = 7
};

/* Returns whether it is Go's allocator. */
static inline bool madt_is_go(uint32_t function)
{
	return function & MADT_HOOK_NAMED && (function & 15u) == MADT_NAMED_GO;
}

/* An argument of such a function, by its shift. */
static inline unsigned madt_named_argument(uint32_t function, unsigned shift)
{
	return function >> shift & 15u;
}

static inline bool madt_is_argument(uint32_t function, unsigned shift)
{
	return madt_named_argument(function, shift) < MADT_NAMED_ARGUMENTS;
}

static inline bool madt_is_optional(uint32_t function, unsigned shift)
{
	return madt_is_argument(function, shift)
			|| madt_named_argument(function, shift) == MADT_NAMED_NONE;
}

static inline bool madt_is_constant(uint32_t function)
{
	return (function & 15u) == MADT_NAMED_ALLOCATES
			&& madt_named_argument(function, MADT_NAMED_SIZE) == MADT_NAMED_CONSTANT;
}

/* The size of all blocks of such a function, in bytes, below 32,768. */
static inline uint32_t madt_named_constant(uint32_t function)
{
	const uint32_t low = (function & ~MADT_HOOK_NAMED) >> MADT_NAMED_LOW;

	return madt_named_argument(function, MADT_NAMED_FACTOR) << MADT_NAMED_LOW_BITS | low;
}

/* The argument that is added to the size, plus one; 0: there is none. */
static inline unsigned madt_named_addend(uint32_t function)
{
	return function >> MADT_NAMED_ADDEND & 15u;
}

/* Returns whether it frees all blocks of a list. */
static inline bool madt_frees_list(uint32_t function)
{
	return (function & 15u) == MADT_NAMED_FREES && madt_is_argument(function, MADT_NAMED_SIZE);
}

/* Returns whether it says so of a function, with all that its role needs. */
static inline bool madt_is_named(uint32_t function)
{
	const uint32_t role = function & 15u;
	const bool sized = role == MADT_NAMED_ALLOCATES || role == MADT_NAMED_REALLOCATES;

	return function & MADT_HOOK_NAMED && role && role < MADT_NAMED_ROLES
			&& (!sized || madt_is_constant(function) || madt_is_argument(function, MADT_NAMED_SIZE))
			&& (role == MADT_NAMED_ALLOCATES || role == MADT_NAMED_CPYTHON || role == MADT_NAMED_GO
					|| madt_is_argument(function, MADT_NAMED_OLD))
			&& (madt_is_constant(function)
					|| (madt_is_optional(function, MADT_NAMED_FACTOR)
							&& madt_named_addend(function) <= MADT_NAMED_ARGUMENTS))
			&& madt_is_optional(function, MADT_NAMED_POOL);
}

struct madt_plan_hook {
	uint32_t function; /* enum madt_hook, or MADT_HOOK_NAMED and what it does */
	uint32_t wrapper;  /* place of 8 bytes */
	uint32_t real;     /* place */
};
MADT_LAYOUT_SIZE(madt_plan_hook, 12);

/* A function without callers: chains of calls end in it (MADT_FUNCTION_OUTERMOST). */
struct madt_plan_range {
	uint32_t start; /* ELF virtual addresses */
	uint32_t end;
};
MADT_LAYOUT_SIZE(madt_plan_range, 8);

/* ------------------------------------------------------------------ what handlers look up */

/*
 * A place at which every live register holds the target's value, so that the thread may be shown at
 * `address`; but for the registers in `held`, whose values are in the block's spill slots while a
 * record is open. From any other place in a trampoline, single steps lead to a boundary or out of
 * all areas. Where it is `open` the record at hand still wants words: what records in between must
 * do so in another chunk, or steps must go on to a boundary that is not (there is one before the
 * next branch).
 */
struct madt_plan_boundary {
	uint32_t place;
	uint32_t address;
	bool open;
	/* the register that spill slot 0 stands for, and slot 1; or MADT_REGISTER_NONE */
	uint8_t held[2];
};

/*
 * A load of a probe's. Where it faults, the thread goes on at `resume`, with all ones in the
 * register. The target never hears of it.
 */
struct madt_plan_load {
	uint32_t place;
	uint32_t resume; /* place */
	uint8_t to;      /* a general one */
};

/*
 * Where a thread goes that trapped at an address: at an instruction within a patch, or at a site
 * of one byte.
 */
struct madt_plan_entry {
	uint32_t address;
	uint32_t place;
	uint32_t step; /* index of the step to be recorded before, or MADT_PLAN_NONE */
};

/*
 * Recorded by the handler: its operands, in order, from the registers; `place` of its entry holds
 * the instruction.
 */
struct madt_plan_step {
	uint32_t address;
	uint32_t number;
	uint32_t first_operand;
	uint32_t operands;
};
MADT_LAYOUT_SIZE(madt_plan_step, 16);

#endif
