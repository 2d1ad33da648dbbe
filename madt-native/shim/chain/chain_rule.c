/*
 * Rules, remembered by the address of code: a table that threads read and fill without locks. What
 * finds no free place takes another's.
 */
#include "chain/chain_rule.h"

#include "chain/chain_table.h"

#include "base/state.h"
#include "module/module.h"
#include "text/text_plan.h"

#include <sys/mman.h>

#define SLOTS (1u << 15) /* a power of two */
#define WAYS 4u
#define BUSY 1 /* an address: the slot is being filled */

struct rule_slot {
	uintptr_t code; /* 0: free */
	uint64_t rule;
};

static struct rule_slot *slots;
static uint32_t gone; /* modules_gone, when the first of them was filled */

bool rules_set_up(void)
{
	slots = sys_pages(SLOTS * sizeof *slots);
	return slots;
}

/* ---------------------------------------------------------------- usual forms */

enum { OP_DEREF = 0x06, OP_BREG_RBP = 0x76 };

/*
 * An expression that is nothing but the word behind rbp: its address for KIND_AT_EXPRESSION, and
 * with `loads` the word itself.
 */
static bool expression_is_usual(const struct module *module, int64_t at, bool loads,
		int64_t *distance)
{
	struct unwind_bytes bytes = { (uintptr_t)at, module->end, false };
	uint64_t length = unwind_leb(&bytes);
	uintptr_t end = bytes.at + length;

	if (unwind_unsigned(&bytes, 1) != OP_BREG_RBP)
		return false;
	*distance = unwind_sleb(&bytes);
	if (loads && unwind_unsigned(&bytes, 1) != OP_DEREF)
		return false;
	return !bytes.broken && bytes.at == end && rule_has_room(*distance);
}

static enum rule_frame frame_form(const struct module *module, const struct unwind_row *row,
		int64_t *distance)
{
	enum column base = row->cfa_expression ? COLUMNS : column_of(row->cfa_register);

	*distance = row->cfa;
	if (row->cfa_expression)
		return expression_is_usual(module, row->cfa, true, distance) ? RULE_STORED : RULE_OTHER;
	if (!rule_has_room(row->cfa))
		return RULE_OTHER;
	return base == COLUMN_RSP ? RULE_STACK : base == COLUMN_RBP ? RULE_BASE : RULE_OTHER;
}

/* False: rbp is found in no usual way. */
static bool base_form(const struct module *module, const struct unwind_row *row,
		enum rule_base *base, int64_t *distance)
{
	const struct column_rule *rule = &row->column[COLUMN_RBP];

	*distance = 0;
	*base = BASE_KEPT;
	switch (rule->kind) {
	case KIND_UNTOLD:
	case KIND_KEPT:
	case KIND_UNDEFINED:
		return true;
	case KIND_AT:
		*base = BASE_AT_CFA;
		*distance = rule->value;
		return rule_has_room(*distance);
	case KIND_AT_EXPRESSION:
		*base = BASE_AT_BASE;
		return expression_is_usual(module, rule->value, false, distance);
	default:
		return false;
	}
}

static uint64_t rule_pack(const struct module *module, const struct unwind_row *row)
{
	const struct column_rule *returns = &row->column[COLUMN_RETURN];
	enum rule_frame frame;
	enum rule_base base;
	int64_t distance, base_distance;

	if (returns->kind == KIND_UNDEFINED)
		return RULE_END;
	if (row->signal || returns->kind != KIND_AT || returns->value != -8
			|| row->column[COLUMN_RSP].kind != KIND_UNTOLD
			|| !base_form(module, row, &base, &base_distance))
		return RULE_OTHER;
	frame = frame_form(module, row, &distance);
	return frame == RULE_OTHER ? RULE_OTHER : rule_of(frame, distance, base, base_distance);
}

/* ---------------------------------------------------------------- the table */

struct question {
	uintptr_t code;
	uint64_t rule;
	bool known; /* a module is there, so that the answer stays as it is */
};

/* Returns whether it is in a function that stacks begin with, as Go's own table tells. */
static bool is_outermost(const struct module *module, uintptr_t code)
{
	const struct madt_plan *plan = module->plan;
	const struct madt_plan_range *range = plan ? plan_table(plan, plan->outermost) : NULL;

	for (uint32_t i = 0; range && i < plan->outermost.count; i++)
		if (code - module->bias - range[i].start < range[i].end - range[i].start)
			return true;
	return false;
}

/*
 * Nobody called what stands there: the loader's entry, which no table tells of, or a function whose
 * first instruction is a return address. Contexts begin so (makecontext(3)).
 */
static bool begins(const struct module *module, uintptr_t code)
{
	struct unwind_row row;

	return module->flags & MODULE_LOADER || unwind_row_at(module, code + 1, &row)
			|| is_outermost(module, code);
}

static void answer(void *argument)
{
	struct question *question = argument;
	const struct module *module = module_of(question->code);
	struct unwind_row row;

	question->rule = RULE_NO_TABLE;
	question->known = module;
	if (!module)
		return;
	if (unwind_row_at(module, question->code, &row))
		question->rule = rule_pack(module, &row);
	else if (begins(module, question->code))
		question->rule = RULE_END;
	if (module->flags & MODULE_SHIM)
		question->rule |= RULE_OWN;
}

static struct rule_slot *slot_of(uintptr_t code, unsigned way)
{
	return &slots[((code * UINT64_C(0x9e3779b97f4a7c15) >> 40) + way) & (SLOTS - 1)];
}

static bool slot_fill(struct rule_slot *slot, uintptr_t had, const struct question *question)
{
	if (!__atomic_compare_exchange_n(&slot->code, &had, BUSY, false, __ATOMIC_ACQ_REL,
				__ATOMIC_RELAXED))
		return false;
	__atomic_store_n(&slot->rule, question->rule, __ATOMIC_RELAXED);
	STORE_RELEASE(&slot->code, question->code);
	return true;
}

static void keep(const struct question *question)
{
	struct rule_slot *slot = slot_of(question->code, 0);
	uintptr_t had = LOAD_ACQUIRE(&slot->code);

	for (unsigned way = 0; way < WAYS; way++)
		if (!LOAD_ACQUIRE(&slot_of(question->code, way)->code)
				&& slot_fill(slot_of(question->code, way), 0, question))
			return;
	if (had != BUSY)
		slot_fill(slot, had, question);
}

/* Other code may lie where that of modules was which are gone: all slots become free. */
static void follow_modules(void)
{
	uint32_t now = LOAD_ACQUIRE(&modules_gone), had = LOAD_ACQUIRE(&gone);

	if (now != had
			&& __atomic_compare_exchange_n(&gone, &had, now, false, __ATOMIC_ACQ_REL,
					__ATOMIC_RELAXED))
		SYS3(__NR_madvise, slots, SLOTS * sizeof *slots, MADV_DONTNEED);
}

uint64_t rule_at(uintptr_t code)
{
	struct question question = { code, 0, false };

	if (code + 1 == (uintptr_t)madt_restore_target)
		return RULE_SIGNAL | RULE_OWN;
	follow_modules();
	for (unsigned way = 0; way < WAYS; way++) {
		struct rule_slot *slot = slot_of(code, way);
		uint64_t rule;

		if (LOAD_ACQUIRE(&slot->code) != code)
			continue;
		rule = LOAD_ACQUIRE(&slot->rule);
		if (LOAD_ACQUIRE(&slot->code) == code)
			return rule;
	}
	on_own_stack(answer, &question);
	if (question.known)
		keep(&question);
	return question.rule;
}
