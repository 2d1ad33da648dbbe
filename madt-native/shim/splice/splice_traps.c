/*
 * Traps in patches: sites of one byte, and instruction starts within a patch that control comes to
 * from elsewhere. Each goes on in a trampoline. They are counted, all of them and by place.
 */
#include "splice/splice.h"

#include "base/state.h"
#include "module/module.h"
#include "session/session.h"
#include "thread/thread.h"

#define PROBES 16u

/* ---------------------------------------------------------------- counting */

static enum madt_trap_kind trap_kind(const struct module *module,
		const struct madt_plan_entry *entry)
{
	const struct madt_plan_patch *patch =
			(const struct madt_plan_patch *)((const char *)module->plan
					+ module->plan->patches.offset);
	uint32_t low = 0, high = module->plan->patches.count;

	if (entry->step != MADT_PLAN_NONE)
		return MADT_TRAP_STEP;
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (patch[middle].address < entry->address)
			low = middle + 1;
		else
			high = middle;
	}
	return low < module->plan->patches.count && patch[low].address == entry->address
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
	uint64_t place = (uint64_t)module->first_run << 33 | (uint64_t)entry->address << 2
			| trap_kind(module, entry);
	struct madt_trap_site *slot = slot_find(place);

	__atomic_fetch_add(&session.control->patch_traps, 1, __ATOMIC_RELAXED);
	if (slot)
		__atomic_fetch_add(&slot->count, 1, __ATOMIC_RELAXED);
}

/* ---------------------------------------------------------------- going on */

static const struct madt_plan_entry *entry_find(const struct module *module, uintptr_t code)
{
	const struct madt_plan_entry *entry =
			(const struct madt_plan_entry *)((const char *)module->plan
					+ module->plan->entries.offset);
	uint32_t low = 0, high = module->plan->entries.count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (entry[middle].address < code - module->bias)
			low = middle + 1;
		else
			high = middle;
	}
	return low < module->plan->entries.count && entry[low].address == code - module->bias
			? &entry[low]
			: NULL;
}

static void step_record(const struct module *module, uint32_t number, const ucontext_t *context)
{
	const struct madt_plan *plan = module->plan;
	const struct madt_plan_step *step = (const struct madt_plan_step *)((const char *)plan
												+ plan->steps.offset)
			+ number;
	const struct madt_code_operand *operand = (const struct madt_code_operand *)((const char *)plan
													  + plan->operands.offset)
			+ step->first_operand;
	uint64_t words[256 + 64];
	uint32_t count = 0;

	for (uint32_t i = 0; i < step->operands && count < 256; i++) {
		struct madt_code_operand taken = operand[i];

		if (plan->flags & MADT_PLAN_STACK)
			taken.flags &= (uint8_t)~MADT_OPERAND_STACK;
		if (taken.segment == MADT_SEGMENT_NONE && !(taken.flags & MADT_OPERAND_STACK))
			count += operand_addresses(module, &taken, context, words + count);
	}
	if (count)
		record_run(module->first_run + step->run, words, count);
}

bool splice_enter(ucontext_t *context, uintptr_t code)
{
	const struct module *module = module_of(code);
	const struct madt_plan_entry *entry = module && LOAD_ACQUIRE(&module->patched)
			? entry_find(module, code)
			: NULL;

	if (!entry)
		return false;
	if (self.session.led)
		trap_count(module, entry);
	if (entry->step != MADT_PLAN_NONE) {
		lead_follow();
		if (self.session.led)
			step_record(module, entry->step, context);
	}
	context_registers(context)[REG_RIP] = (greg_t)splice_address(module, entry->place);
	splice_own_begin(context);
	return true;
}
