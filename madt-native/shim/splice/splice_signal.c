/*
 * What happens in trampolines: the guard page at a chunk's end, faults of the target's own
 * instructions, and signals. A signal of the target's never sees a trampoline: the thread steps out
 * of it first.
 */
#include "splice/splice.h"

#include "region/region.h"
#include "session/session.h"
#include "text/text.h"
#include "text/text_plan.h"
#include "thread/thread.h"

/*
 * `mov r1, gs:[next]` stands right in front of a record's first store, and nowhere else
 * (madt_plan.h); `mov r1, gs:[counts]` in front of a count's load. Spilled registers have other
 * places.
 */
static bool is_touch(uintptr_t code, uint32_t slot)
{
	const uint8_t *load = (const uint8_t *)(code - MADT_PLAN_RESTART);
	uint32_t place, at;

	if (!splice_module(code, &place) || !splice_module((uintptr_t)load, &place))
		return false;
	bytes_copy(&at, load + 5, sizeof at);
	return load[0] == 0x65 && load[2] == 0x8b && load[4] == 0x25 && at == MADT_GS_AT + slot;
}

/* A load of a probe's finds nothing: all ones come of it. */
static bool load_fails(greg_t *registers)
{
	const uintptr_t code = (uintptr_t)registers[REG_RIP];
	struct madt_plan_row row;
	uint32_t place;
	const struct module *module = splice_module(code, &place);
	struct madt_plan_load load;

	if (!module || !plan_row(module->plan, module->plan->loads, place, &row) || row.key != place)
		return false;
	load = madt_plan_load_of(row);
	registers[register_place(load.to)] = -1;
	registers[REG_RIP] += load.resume - load.place;
	return true;
}

/* A hit finds closed counts: it begins again, unless it has begun to count. */
static bool counts_fail(uintptr_t address, greg_t *registers)
{
	const bool begins = is_touch((uintptr_t)registers[REG_RIP], MADT_GS_COUNTS);

	if (!lead_counts_closed(address, !begins)) {
		if (!begins || !lead_counts_idle(address))
			return false;
		lead_counts_follow();
	}
	if (begins)
		registers[REG_RIP] -= MADT_PLAN_RESTART;
	return true;
}

bool splice_on_fault(const siginfo_t *info, ucontext_t *context)
{
	greg_t *registers = context_registers(context);

	if (info->si_code <= 0)
		return false;
	if (load_fails(registers))
		return true;
	if (counts_fail((uintptr_t)info->si_addr, registers))
		return true;
	if (!is_touch((uintptr_t)registers[REG_RIP], MADT_GS_NEXT))
		return lead_was_idle((uintptr_t)info->si_addr, registers);
	__atomic_fetch_add(&session.control->faults, 1, __ATOMIC_RELAXED);
	splice_make_room((uintptr_t)registers[REG_RSP]);
	registers[REG_RIP] -= MADT_PLAN_RESTART;
	return true;
}

/* ---------------------------------------------------------------- signals */

bool splice_on_trap(int number, const siginfo_t *info, ucontext_t *context)
{
	uintptr_t code = (uintptr_t)context_registers(context)[REG_RIP];

	if (number == SIGTRAP && info->si_code == TRAP_TRACE)
		return splice_on_step(context);
	return splice_enter(context, number == SIGTRAP ? code - 1 : code);
}

bool splice_hold(int number, const siginfo_t *info, ucontext_t *context)
{
	greg_t *registers = context_registers(context);
	uintptr_t before = splice_before_springboard((uintptr_t)registers[REG_RIP]);
	uint32_t place;

	if (call_out_hold(number, info, context))
		return true;
	if (before)
		registers[REG_RIP] = (greg_t)before;
	if (before || !splice_module((uintptr_t)registers[REG_RIP], &place)
			|| !held_add(number, info, context))
		return false;
	splice_step_out(context);
	return true;
}

void splice_show(siginfo_t *info, ucontext_t *context, bool handled)
{
	greg_t *registers = context_registers(context);
	uintptr_t at = (uintptr_t)registers[REG_RIP], code;
	const struct module *module;
	uint32_t place;

	module = splice_module(at, &place);
	if (!module)
		return;
	splice_step_end(context);
	splice_own_forget();
	code = splice_shown_at(module, place);
	if (!code)
		return;
	splice_show_there(module, place, context);
	if ((uintptr_t)info->si_addr == at)
		info->si_addr = (void *)code;
	if (handled) {
		splice_withdraw(module, place);
	} else {
		splice_cut(module, place);
		text_restore_at((struct module *)module, code); /* the process is about to end */
	}
}

void splice_make_room(uintptr_t stack)
{
	uint64_t begun = tsc_now();

	frame_prune(stack);
	if (recording)
		recording_goes_on();
	lead_follow();
	if (self.session.idle)
		SYS0(__NR_sched_yield); /* the recording begins or ends right now */
	if (self.session.led) {
		self.session.led = record_renew();
		ring_pause(begun);
	}
	lead_position_give();
}
