/* The probes of a plan in the making: which instructions have some, and what they record. */
#ifndef MADT_PROBES_H
#define MADT_PROBES_H

#include <stdbool.h>
#include <stddef.h>

#include "decode/insn.h"
#include "madtcode.h"

/* What is recorded at an instruction besides its accesses. */
struct probe {
	uint32_t address; /* of the instruction */
	uint8_t kind;     /* enum madt_probe_kind */
	bool after;       /* behind it */
	uint16_t words;   /* that its record has */
	uint16_t counts;  /* words MADT_PAYLOAD_COUNT behind these in the payload */
	uint16_t guards;  /* words MADT_PAYLOAD_GUARD */
	uint16_t calls;   /* words MADT_PAYLOAD_FUNCTION behind these */
	const struct madtcode_word *payload, *guard;
};

/* By address; those of one instruction in the order in which they are recorded. */
struct probes {
	struct probe *items;
	size_t count, capacity;
	bool registers; /* some payload has some */
};

/* The address of the instruction whose probes stand at this one: behind a trigger, of its jump. */
uint32_t probes_address(const struct insn *insn);

/* Those of one instruction. */
struct probe_list {
	const struct probe *items;
	size_t count;
};

struct probe_list probes_of(const struct probes *probes, const struct insn *insn);

/* The general registers that a payload is made of. */
register_set probe_registers(const struct probe *probe);
/* Returns whether it calls a function, which sees all of them. */
bool probe_calls(const struct probe *probe);

/* Returns how many words of a payload are steps of a guard: the first ones. */
uint16_t words_of_guard(const struct madtcode_word *words, uint32_t count);
/* Returns how many call functions: the first ones behind these. */
uint16_t words_of_calls(const struct madtcode_word *words, uint32_t count);

/* Checks a choice: EINVAL with the text, or 0. */
struct failure;
int choice_check(const struct madtcode_choice *choice, struct failure *failure);

/* The ranges of one kind and side, in front of which those before an address have been left. */
struct choice_cursor {
	const struct madtcode_probe *at, *end;
};

struct choice_cursor choice_cursor(const struct madtcode_choice *choice, unsigned kind, bool after);
/* The range around an address that is not below the one asked for before, or NULL. */
const struct madtcode_probe *choice_at(struct choice_cursor *cursor, uint32_t address);

#endif
