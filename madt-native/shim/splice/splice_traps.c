/*
 * Traps in patches: sites of one byte, and instruction starts within a patch that control comes to
 * from elsewhere. Each goes on in a trampoline. They are counted, all of them and by place.
 */
#include "splice/splice.h"

#include "base/state.h"
#include "module/module.h"
#include "session/session.h"
#include "text/text.h"
#include "text/text_plan.h"
#include "thread/thread.h"

#define PROBES 16u

/* ---------------------------------------------------------------- counting */

static enum madt_trap_kind trap_kind(const struct module *module,
		const struct madt_plan_entry *entry)
{
	struct madt_plan_row patch;

	if (entry->step != MADT_PLAN_NONE)
		return MADT_TRAP_STEP;
	return plan_row(module->plan, module->plan->patches, entry->address, &patch)
					&& patch.key == entry->address
			? MADT_TRAP_SITE
			: MADT_TRAP_INSIDE;
}

/* The place's slot, or NULL where the table is full. A place keeps its slot. */
static struct madt_trap_site *slot_find(uint64_t place)
{
	uint64_t hash = place * UINT64_C(0x9e3779b97f4a7c15) >> 40;

	for (uint32_t i = 0; i < PROBES; i++) {
		struct madt_trap_site *slot = &session.traps[(hash + i) % MADT_TRAP_SITES];
		uint64_t found = LOAD_ACQUIRE(&slot->place);

		if (!found
				&& __atomic_compare_exchange_n(&slot->place, &found, place, false, __ATOMIC_ACQ_REL,
						__ATOMIC_ACQUIRE))
			return slot;
		if (found == place)
			return slot;
	}
	return NULL;
}

static void trap_count(const struct module *module, const struct madt_plan_entry *entry)
{
	uint64_t place = (uint64_t)module->first_template << 33 | (uint64_t)entry->address << 2
			| trap_kind(module, entry);
	struct madt_trap_site *slot = slot_find(place);

	__atomic_fetch_add(&session.control->patch_traps, 1, __ATOMIC_RELAXED);
	if (slot)
		__atomic_fetch_add(&slot->count, 1, __ATOMIC_RELAXED);
}

/* ---------------------------------------------------------------- going on */

static bool entry_find(const struct module *module, uintptr_t code, struct madt_plan_entry *entry)
{
	struct madt_plan_row row;

	if (!plan_row(module->plan, module->plan->entries, (uint32_t)(code - module->bias), &row)
			|| row.key != code - module->bias)
		return false;
	*entry = madt_plan_entry_of(row);
	return true;
}

static void step_record(const struct module *module, uint32_t number, const ucontext_t *context)
{
	const struct madt_plan *plan = module->plan;
	const struct madt_plan_step *step = (const struct madt_plan_step *)plan_table(plan, plan->steps)
			+ number;
	const struct madt_code_operand *operand = (const struct madt_code_operand *)plan_table(plan,
													  plan->operands)
			+ step->first_operand;
	uint64_t words[256 + 64];
	uint32_t count = 0;

	for (uint32_t i = 0; i < step->operands && count < 256; i++) {
		struct madt_code_operand taken = operand[i];

		/* which operand_addresses leaves out; a plan has only operands that it records */
		taken.flags &= (uint8_t)~MADT_OPERAND_STACK;
		count += operand_addresses(module, &taken, context, words + count);
	}
	if (count)
		record_write(module->first_template + step->number, words, count);
}

bool splice_enter(ucontext_t *context, uintptr_t code)
{
	const struct module *module = module_of(code);
	struct madt_plan_entry entry;

	if (!module || !text_may_be_met(module) || !entry_find(module, code, &entry))
		return false;
	if (self.session.led)
		trap_count(module, &entry);
	if (entry.step != MADT_PLAN_NONE) {
		lead_follow();
		if (self.session.led)
			step_record(module, entry.step, context);
	}
	context_registers(context)[REG_RIP] = (greg_t)splice_address(module, entry.place);
	splice_own_begin(context);
	return true;
}
