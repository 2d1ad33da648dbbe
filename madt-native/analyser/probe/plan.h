/*
 * A splice plan in the making, in this order: text (plan_text), what overlaps in it
 * (plan_overlap), liveness (plan_live), patches (plan_patch, plan_near), their code (plan_ebb,
 * plan_record), its places (plan_place), the file (plan_write).
 */
#ifndef MADT_PLAN_MAKE_H
#define MADT_PLAN_MAKE_H

#include "emit/emit.h"
#include "emit/pack_templates.h"
#include "probe/plan_leaps.h"
#include "cfg/plan_text.h"
#include "probe/probe.h"

struct plan_options {
	const struct madtcode_choice *choice;
	bool stack;     /* record stack operands as well */
	bool hooks;     /* record nothing */
	bool tls;       /* record operands relative to FS as well */
	bool kept;      /* from the base of FS in the thread's block */
	bool awaited;   /* no copy of a branch leads past the entry of a function */
	bool allocator; /* hooks for the allocator of a library, too */
	bool compact;   /* an extended basic block ends with its patch: less code, more headers */
};

/* As enum madt_plan_flag has them. */
static inline uint32_t plan_options_flags(const struct plan_options *options)
{
	return (options->stack ? MADT_PLAN_STACK : 0u) | (options->hooks ? MADT_PLAN_HOOKS : 0u)
			| (options->tls ? MADT_PLAN_TLS : 0u) | (options->allocator ? MADT_PLAN_ALLOCATOR : 0u)
			| (options->kept ? MADT_PLAN_KEPT : 0u) | (options->awaited ? MADT_PLAN_AWAITED : 0u);
}

/*
 * A function of the program's own allocator, or of one by another name; address 0: there is none,
 * or it cannot be hooked.
 */
struct hook {
	uint32_t function; /* of struct madt_plan_hook */
	uint32_t address;  /* of the first instruction that the patch may take away */
	uint32_t code;     /* offset in the emitted code of the jump to the wrapper */
	bool kept;         /* there is such a jump */
};

#define PLAN_HOOKS (MADT_HOOKS + MADT_NAMED_MOST)

#define PATCH_INSNS_MAX 24
#define SPRINGBOARD_REACH \
	160 /* bytes, more than are between a near patch's address and its springboard */

/* Instructions that one patch takes away. There are a million of them. */
struct patch {
	uint32_t address;
	uint32_t trampoline; /* where its jump leads */
	int16_t springboard; /* tactic near: how far from the patch's address its springboard is */
	uint8_t length : 7;  /* bytes, padding included */
	bool hooked : 1;     /* its first instruction is entered through a wrapper */
	uint8_t count : 5;   /* instructions */
	uint8_t tactic : 3;  /* enum madt_tactic */
};

_Static_assert(sizeof(struct patch) == 12, "struct patch");

/* Straight-line code that a patch or a trap leads to. */
struct trampoline {
	uint32_t code; /* offset in the emitted code */
	uint32_t size;
	/* the patch whose jump leads here, or MADT_PLAN_NONE: any place will do */
	uint32_t patch;
	uint32_t mask; /* rel32 of that jump: (rel32 & mask) == value */
	uint32_t value;
	uint32_t boundaries;  /* where those of the emitted code have its own */
	uint32_t relocations; /* the first of its own */
	int32_t place;        /* address, less module_start, once it has one */
};

struct plan {
	struct plan_options options;
	struct plan_text text;
	uint32_t module_start;
	uint32_t module_end;
	/* what code in any area reaches, the module included; 0: code is put nowhere */
	int64_t reach_start;
	int64_t reach_end;
	int64_t epoch;      /* address of the epoch */
	register_set *live; /* per instruction: the registers whose values matter before it */
	uint32_t *awaited;  /* entries of functions that nothing leads past, by address */
	size_t awaited_count;
	struct patch *patches; /* by address */
	size_t patch_count;
	size_t patch_capacity;
	/* of each patch that got its code: a bit for each of its bytes, a site starts there */
	uint64_t *patch_sites;
	struct emit emit;
	struct trampoline *trampolines; /* by `code` */
	size_t trampoline_count;
	size_t trampoline_capacity;
	struct madt_plan_entry *entries; /* place: offset in the emitted code */
	size_t entry_count;
	size_t entry_capacity;
	struct template_pack templates;
	struct madt_plan_step *steps;
	size_t step_count;
	size_t step_capacity;
	struct madt_code_operand *operands;
	size_t operand_count;
	size_t operand_capacity;
	struct probes probes;
	struct leaps leaps;
	struct madt_plan_trigger *triggers;
	size_t trigger_count;
	size_t trigger_capacity;
	struct madt_plan_range *outermost;
	size_t outermost_count;
	unsigned hook_count;           /* names that are looked for, from the first one on */
	struct hook hooks[PLAN_HOOKS]; /* by enum madt_hook; behind these, named ones by address */
	bool glibc;                    /* the module exports what that C library does */
	struct madt_plan header;       /* the statistics */
	bool full;                     /* no memory */
};

/* Index one past a trampoline's last entry in `field`; `all` is the table's length. */
#define TRAMPOLINE_END(plan, number, field, all)                                               \
	((number) + 1 < (plan)->trampoline_count ? (size_t)(plan)->trampolines[(number) + 1].field \
											 : (all))

/* Its address. */
static inline int64_t trampoline_at(const struct plan *plan, const struct trampoline *trampoline)
{
	return (int64_t)plan->module_start + trampoline->place;
}

/* Returns whether this operand is recorded: on the stack and relative to FS only if asked for. */
static inline bool plan_records(const struct plan *plan, const struct madt_code_operand *operand)
{
	return plan_text_records(&plan->text, operand);
}

/*
 * Elements by an opmask register, one behind the other: recorded inline, unlike what goes by a
 * vector register's signs.
 */
static inline bool plan_masks(const struct madt_code_operand *operand)
{
	return operand->shape == MADT_SHAPE_MASKED && operand->mask < 8;
}

/* The operands of an instruction with a site, all of them. Returns how many. */
static inline unsigned plan_operands(const struct plan *plan, const struct insn *insn,
		const struct madt_code_operand **operands)
{
	const struct madt_code_entry *entry = &plan->text.map.entries[insn->site];
	*operands = plan->text.map.operands + entry->first_operand;
	return entry->operands;
}

/* The instruction behind, if it is proven, or NULL. */
static inline struct insn *plan_next(const struct plan *plan, const struct insn *insn)
{
	return plan_text_insn(&plan->text, insn->address + insn->length);
}

/* Returns where the jump stands that leads to the patch's trampoline. */
static inline uint32_t patch_jump(const struct patch *patch)
{
	return patch->address + (uint32_t)(patch->tactic == MADT_TACTIC_NEAR ? patch->springboard : 0);
}

/* Returns whether the patch has a jump, not int3. */
static inline bool patch_jumps(const struct patch *patch)
{
	return patch->length > 1;
}

/* Returns whether the instruction may be in a patch: `inside` unless it is the first one. */
bool insn_fits(const struct plan *plan, const struct insn *insn, bool inside);
bool insn_calls(const struct insn *insn);
/* Grows a patch from `insn` on until it has the site and at least so many bytes. */
bool patch_grow(const struct plan *plan, const struct insn *insn, const struct insn *site,
		unsigned bytes, bool with_calls, struct patch *patch);
/* The instruction whose end is here, or NULL. */
const struct insn *insn_before(const struct plan *plan, const struct insn *insn);
/* The best patch for a site, or one of one byte. */
void patch_choose(const struct plan *plan, const struct insn *site, struct patch *patch);
/* Marks the patch's bytes and instructions. */
void patch_mark(struct plan *plan, const struct patch *patch);

static inline const uint8_t *insn_bytes(const struct plan *plan, const struct insn *insn)
{
	return plan->text.bytes + (insn->address - plan->text.start);
}

/* Likewise of a system call. */
bool plan_copies_call(const struct plan *plan, const struct insn *insn);
void plan_system_copy(struct plan *plan, const struct insn *insn, bool last);

/* Returns whether a copy of the insn leads to where the insn does, wherever the copy is put. */
static inline bool plan_leads(const struct plan *plan, const struct insn *insn)
{
	int32_t displacement;
	int64_t address = insn->flags & INSN_BRANCHES ? insn->target : plan->module_start;
	if (insn->relative) {
		memcpy(&displacement, insn_bytes(plan, insn) + insn->relative, sizeof displacement);
		address = (int64_t)insn->address + insn->length + displacement;
	}
	return !plan->reach_end || (address >= plan->reach_start && address < plan->reach_end);
}

/* Returns whether the insn's bytes may be copied to another place. */
static inline bool plan_copies(const struct plan *plan, const struct insn *insn)
{
	return insn->kind != INSN_ODD && (insn->kind != INSN_SYSTEM || plan_copies_call(plan, insn))
			&& plan_leads(plan, insn)
			&& !plan_text_has(&plan->text, insn->address, insn->length, MARK_DATA | MARK_FROZEN);
}

/* Returns whether there is anything to be recorded at this instruction. */
static inline bool plan_is_site(const struct insn *insn)
{
	return insn->words || insn->probed;
}

/* The first instruction of a function that can be patched: behind endbr64, which stays in its
 * place. NULL if nobody proved it. */
struct insn *plan_entry(const struct plan_text *text, uint64_t address);
/* Notes where functions are entered that nothing is to lead past. False: no memory. */
bool plan_entries_await(struct plan *plan);
/* Returns whether copies of branches lead to this patch's trampoline: it traps, and nobody waits. */
bool plan_leads_past(const struct plan *plan, const struct patch *patch);
bool plan_is_endbr(const struct plan_text *text, uint64_t address);

/* Marks where functions are entered, as the table of functions says. */
void plan_entries_mark(struct plan *plan);

/* Returns what an instruction is for who puts a probe there: enum madtcode_role. */
unsigned plan_place_roles(const struct plan *plan, const struct insn *insn);

/* Gives instructions the probes that are chosen. 0, or an errno value. */
int plan_probes_find(struct plan *plan, const struct elf_file *file);
/* Returns whether the copy of an instruction can have probes, in front or behind. */
bool plan_probe_fits(const struct plan *plan, const struct insn *insn, bool after);
/* Returns whether it has some on this side, and the registers whose values they record. */
bool plan_probes_are(const struct plan *plan, const struct insn *insn, bool after);
register_set plan_probes_need(const struct plan *plan, const struct insn *insn, bool after);
/* Emits what records them: in front of the instruction's accesses, or behind its copy. */
void plan_probes_emit(struct plan *plan, const struct insn *insn, bool after);

/* Frees what the steps have made. */
void plan_free(struct plan *plan);

/* Marks the entries of the allocator that a program brings along. 0, or an errno value. */
int plan_hooks_find(struct plan *plan, const struct elf_file *file);
/*
 * Marks the function by which a C library without local symbols empties the cache of a thread that
 * ends, if the module is one and its allocator is hooked.
 */
void plan_cache_end_find(struct plan *plan);
/* Emits the jump to the wrapper of a hooked instruction; the copy of the instruction follows. */
void plan_hook_emit(struct plan *plan, const struct insn *insn);
/* The patch at this address is given up. */
void plan_hook_drop(struct plan *plan, uint32_t address);

/* popf: from the next instruction on the target may step itself, and must be seen at that one. */
static inline bool plan_pops_flags(const struct plan *plan, const struct insn *insn)
{
	return insn->site != INSN_NO_SITE && plan->text.map.entries[insn->site].flags & MADT_CODE_POPF;
}

/* The steps; false: no memory; else 0 or an errno value. */
void plan_sites_find(struct plan *plan);
void plan_overlaps_find(struct plan *plan);
bool plan_triggers_find(struct plan *plan);
bool plan_live(struct plan *plan);
bool plan_patches_choose(struct plan *plan);
bool plan_springboards_choose(struct plan *plan);
bool plan_trampolines_emit(struct plan *plan);
int plan_place(struct plan *plan);
int plan_write(struct plan *plan, const struct elf_file *file, const struct build_id *id,
		const char *path);

/* ------------------------------------------------------------- areas: where trampolines may lie */

#define PLAN_AREAS_MAX 9
/* of a module: the first shifts are at least 224 MiB apart; a larger one has shifts of its own */
#define PLAN_SPAN_USUAL (UINT32_C(200) << 20)
#define PLAN_SPAN_MAX (UINT32_C(512) << 20)

/*
 * The module's own range, shifted. Area 0 begins with the epoch page. Returns how many areas the
 * variant has.
 */
unsigned plan_area_shifts(const struct plan *plan, int64_t shifts[PLAN_AREAS_MAX]);

/* Finds what code in any of these areas reaches. */
void plan_reach_find(struct plan *plan);

/*
 * Returns whether byte 4 of a jump, the top byte of rel32, traps as an instruction: int3, or none
 * in 64-bit mode (Intel SDM, volume 2, appendix A.3).
 */
bool plan_top_traps(uint8_t byte);

/* The same of any byte: all that are no instruction in 64-bit mode, whatever follows. */
bool plan_byte_traps(uint8_t byte);

/* ---------------------------------------------------------------- recording, within one EBB */

#define EBB_INSNS_MAX (PATCH_INSNS_MAX + EBB_INSNS)
#define EBB_INSNS 32 /* an extended basic block goes on beyond its patch up to here */
/* a record of several instructions has at most so many */
#define TEMPLATE_WORDS MADT_PLAN_DERIVED_WORDS

#define RECORD_NONE UINT8_MAX

/* Instructions of a record stand in insns[first] to insns[last] of its extended basic block. */
struct record {
	unsigned first;
	unsigned last;
	unsigned words;
	unsigned stored;      /* of them, those that are not derived */
	unsigned last_stored; /* the last instruction with one of these */
	unsigned seen;        /* words emitted or derived so far */
	unsigned written;     /* words emitted so far */
	uint32_t number;
	/* register that holds the record's end throughout, or MADT_REGISTER_NONE */
	unsigned kept;
	/*
	 * target registers, not dead, that are in the spill slots from the first instruction's words
	 * to those of the last that stores some
	 */
	uint8_t held[2];
};

/* Begins the record of these instructions; its template joins the table. */
void record_begin(struct plan *plan, struct record *record, const struct insn *const *insns);

/* Finds the words of the record, in the word table, that follow from others. */
void record_derive(struct plan *plan, struct record *record, const struct insn *const *insns);

/* Emits what records the words of one instruction of the record. */
void record_emit(struct plan *plan, struct record *record, const struct insn *insn);

/* A register to work with, and whether the target's value in it has to be put back. */
struct scratch {
	unsigned number;
	bool spilled;
};

/* One of the dead registers, or another one, whose value goes to a slot; none of `avoid`. */
struct scratch scratch_take(struct plan *plan, register_set dead, register_set avoid,
		unsigned slot);
void scratch_give(struct plan *plan, struct scratch scratch, unsigned slot);

/* The registers whose values nobody needs any more, before the instruction. */
register_set plan_dead(const struct plan *plan, const struct insn *insn);

/* Behind the touch: r1, which holds the record's start, and the thread's pointer go to its end. */
void record_end_emit(struct plan *plan, const struct record *record, unsigned r1);
/* Writes the header of a record whose end r1 holds. */
void record_header_emit(struct plan *plan, const struct record *record, unsigned r1, unsigned r2);

/* The general registers that make up the addresses of the words. */
register_set insn_address_registers(const struct plan *plan, const struct insn *insn);

/* Instructions in a row, and which of them share a record. */
struct ebb {
	const struct insn *insns[EBB_INSNS_MAX];
	uint8_t record_of[EBB_INSNS_MAX]; /* index into records, or RECORD_NONE */
	struct record records[EBB_INSNS_MAX];
	/* offset in the emitted code: the instruction, with what is recorded before it */
	uint32_t blocks[EBB_INSNS_MAX];
	unsigned count;
	unsigned record_count;
	bool open;          /* the last record may get more words */
	register_set taint; /* registers that depend on what was loaded since that record began */
};

/* Adds an instruction; with `alone`, a record of its own for its words. */
void ebb_add(const struct plan *plan, struct ebb *ebb, const struct insn *insn, bool alone);

/*
 * Goes on behind the last instruction as long as the last record does, and marks the sites there as
 * covered.
 */
void ebb_extend(struct plan *plan, struct ebb *ebb);

/*
 * The record begun before the instruction that has words, stored or derived, at it or behind it, or
 * NULL: where there is one it must not be entered.
 */
const struct record *ebb_open_record(const struct ebb *ebb, unsigned at);

/* Emits the extended basic block, and a jump to what follows its last instruction. */
void ebb_emit(struct plan *plan, struct ebb *ebb);

#endif
