/*
 * The end of a thread in glibc. Its allocator keeps freed blocks for each thread, and when one
 * ends, it frees them again, by free itself:
 *
 *   movb $1, %fs:…     tcache_shutting_down
 *   movq $0, %fs:…     tcache
 *   call free          each block that is kept
 *   call free          the cache
 *
 * A library without local symbols does not name that function. It is the one of the library that
 * does all this. In a program nothing is searched: its own functions may do the same.
 */
#include "probe/plan.h"

#define ENDBR_LENGTH 4
#define PREFIX_FS 0x64
#define REX 0x40 /* its upper four bits */
#define STORE_BYTE 0xc6
#define STORE_WORD 0xc7
#define REGISTER_FIELD 0x38 /* of ModRM: which one of a group of instructions it is */
#define CALLS 2

/* Returns whether an instruction stores this byte, as the last one of a constant, relative to FS. */
static bool stores(const struct plan_text *text, const struct insn *insn, uint8_t opcode,
		uint8_t last)
{
	const uint8_t *bytes = text->bytes + (insn->address - text->start);
	if (insn->length < 4 || bytes[0] != PREFIX_FS)
		return false;
	const unsigned at = 1u + ((bytes[1] & 0xf0) == REX);
	return bytes[at] == opcode && !(bytes[at + 1] & REGISTER_FIELD)
			&& bytes[insn->length - 1u] == last;
}

static const struct madt_code_function *function_of(const struct plan_text *text, uint32_t address)
{
	for (size_t i = 0; i < text->functions.count; i++) {
		const struct madt_code_function *function = &text->functions.items[i];
		if (function->kinds & MADT_FUNCTION_UNWIND && address >= function->start
				&& address < function->end)
			return function;
	}
	return NULL;
}

static bool empties(const struct plan *plan, const struct madt_code_function *function)
{
	const uint32_t frees = plan->hooks[MADT_HOOK_FREE].address;
	unsigned calls = 0;
	bool forgets = false;
	for (const struct insn *insn = plan_text_insn(&plan->text, function->start),
						   *end = plan->text.insns + plan->text.count;
			insn && insn < end && insn->address < function->end; insn++) {
		forgets |= stores(&plan->text, insn, STORE_WORD, 0);
		calls += insn->kind == INSN_CALL
				&& (insn->target == frees || insn->target + ENDBR_LENGTH == frees);
	}
	return forgets && calls >= CALLS;
}

void plan_cache_end_find(struct plan *plan)
{
	struct hook *hook = &plan->hooks[MADT_HOOK_CACHE_END];
	if (!plan->options.allocator || !plan->glibc || hook->address
			|| !plan->hooks[MADT_HOOK_FREE].address)
		return;
	for (size_t i = 0; i < plan->text.count && !hook->address; i++) {
		if (!stores(&plan->text, &plan->text.insns[i], STORE_BYTE, 1))
			continue;
		const struct madt_code_function *function = function_of(&plan->text,
				plan->text.insns[i].address);
		struct insn *entry = function && empties(plan, function)
				? plan_entry(&plan->text, function->start)
				: NULL;
		if (!entry || entry->hook)
			continue;
		*hook = (struct hook){ .function = MADT_HOOK_CACHE_END, .address = entry->address };
		entry->hook = true;
	}
}
