/*
 * A splice plan applied to a module of this process, for one thread: areas mapped, code patched,
 * traps and the guard page served, words read. What is recorded comes to a list of accesses.
 */
#ifndef MADT_SPLICE_APPLY_H
#define MADT_SPLICE_APPLY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <ucontext.h>

#include "madt_plan.h"

struct access {
	uint64_t address; /* of the data */
	uint32_t code;    /* ELF virtual address of the instruction */
	uint16_t size;
	uint8_t access; /* enum madt_access */
	uint8_t operand;
};

struct accesses {
	struct access *items;
	size_t count;
	size_t capacity;
};

struct spliced {
	const struct madt_plan *plan; /* the file */
	const uint8_t *bytes;
	const struct madt_plan_patch *patches;
	const struct madt_plan_entry *entries;
	const struct madt_plan_boundary *boundaries;
	uint8_t *base;     /* load bias */
	uint8_t *original; /* the module's bytes from its first to its last patch */
	uint32_t first, end;
	bool patched;
};

/* What was recorded since the last splice_forget. */
extern struct accesses recorded;
/* Likewise the words of probes, one behind the other; `access` is the kind of each. */
extern struct accesses probed;
/* Of probes, loads that found nothing: unread. */
/* of instruments */
#define SPLICE_COUNTS 512
extern uint64_t splice_counts[SPLICE_COUNTS];
#define SPLICE_SWITCHES 8
extern struct madt_switch splice_switches[SPLICE_SWITCHES];
extern unsigned long traps, guard_hits, unread;

/* Where a context has the general registers, in the order of encodings. */
extern const unsigned char splice_registers[16];

/* Address space far from all modules: what lies below them would be in the way of areas. */
void *space_take(size_t size);

void accesses_add(struct accesses *accesses, struct access access);

/*
 * Makes, checks, maps, for the module at `start`. Ends the check with a text if it cannot. One
 * module at a time.
 */
struct madtcode_choice;
struct spliced *splice_load_chosen(const char *elf_path, const char *plan_path,
		const struct madtcode_choice *choice, uint8_t *start);
struct spliced *splice_load(const char *elf_path, const char *plan_path, unsigned variant,
		unsigned flags, uint8_t *start);
/* Calls of functions at probes save as much of the extended state as XCR0 has, or as FXSAVE has. */
void splice_calls_save(bool all);
/* Stands for what they call: the check has it. */
uint64_t call_out(uint64_t number, const struct madt_probe_state *state);
void splice_unload(struct spliced *spliced);

/* Writes the patches, or the original bytes. */
void splice_patch(struct spliced *spliced, bool patched);

/* The words that are in the chunk become accesses. */
void splice_drain(void);
void splice_forget(void);

/*
 * The words of an operand by the trap engine's rules, as far as the plan records it. Returns how
 * many.
 */
uint32_t splice_words(const struct madt_code_operand *operand, const ucontext_t *context,
		uint64_t *words);

/* For signal handlers: true if the trap or fault was one of ours and the context goes on. */
bool splice_trap(ucontext_t *context, uint64_t address);
/* Likewise of a load of a probe's that found nothing. */
bool splice_unread(ucontext_t *context);
bool splice_guard(ucontext_t *context, uint64_t fault);

/* The boundary at this address, or NULL; *inside: whether the address lies in an area. */
const struct madt_plan_boundary *splice_boundary(uint64_t address, bool *inside);

/*
 * Returns whether the record recorded last still wants its last word, at an instruction; unknown
 * for records of masked accesses, which may leave it out, and where only derived words may be due.
 */
bool splice_record_is_open(uint32_t address, bool *unknown);

/*
 * Returns where a thread at this address may be shown, outside all areas: at a springboard, at the
 * patch before.
 */
uint64_t splice_behind_springboard(uint64_t address);

/* Returns what spill slot 0 or 1 holds. */
uint64_t splice_spilled(unsigned slot);

/* A byte of the module as it was. */
const uint8_t *splice_original(const struct spliced *spliced, uint32_t address);

#endif
