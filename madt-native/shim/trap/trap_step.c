/*
 * Steps of engine trap: one instruction alone under the trap flag, with the pages open that it
 * needs. No handler of the target runs within: the signal mask is filled.
 */
#include "trap/trap.h"

#include "region/region.h"
#include "thread/thread.h"

void trap_begin_step(ucontext_t *context)
{
	greg_t *registers = context_registers(context);

	self.trap.step.active = true;
	self.trap.step.elements = false;
	self.thread.gs_wanted = false;
	self.trap.step.begun = tsc_now();
	self.trap.step.pages = 0;
	self.trap.step.code = (uintptr_t)registers[REG_RIP];
	self.trap.step.flag = registers[REG_EFL] & TRAP_FLAG;
	self.trap.step.mask = *context_mask(context);
	mask_but_faults(context);
	registers[REG_EFL] |= TRAP_FLAG;
}

/* The target's own trap flag, as it would be without the step. */
static void step_restore_flag(greg_t *registers)
{
	bool made = (uintptr_t)registers[REG_RIP] != self.trap.step.code;
	uint8_t kind = made ? trap_flag_instruction(self.trap.step.code) : 0;

	if (kind == POPF)
		return;
	if (kind == PUSHF && !self.trap.step.flag)
		*(uint16_t *)registers[REG_RSP] &= (uint16_t)~TRAP_FLAG;
	if (!self.trap.step.flag)
		registers[REG_EFL] &= ~TRAP_FLAG;
}

bool trap_goes_on(const ucontext_t *context)
{
	return self.trap.step.elements
			&& (uintptr_t)context->uc_mcontext.gregs[REG_RIP] == self.trap.step.code;
}

void trap_end_step(ucontext_t *context)
{
	step_restore_flag(context_registers(context));
	if (self.trap.step.wrote && self.trap.step.pages)
		trap_rseq_written(self.trap.step.wrote);
	self.trap.step.wrote = 0;
	for (unsigned i = 0; i < self.trap.step.pages; i++) {
		region_close(self.trap.step.page[i], self.trap.step.page[i] + MADT_PAGE);
		missed_window((struct range){ self.trap.step.page[i], self.trap.step.page[i] + MADT_PAGE },
				self.trap.step.begun);
		missed_note(self.trap.step.page[i]);
	}
	missed_step(tsc_now() - self.trap.step.begun);
	self.trap.step.active = self.thread.gs_wanted = false;
	robust_look();
	*context_mask(context) = self.trap.step.mask;
}

void trap_abandon(struct madt_thread *thread)
{
	struct step *step = &thread->trap.step;

	for (unsigned i = 0; step->active && i < step->pages; i++)
		region_close(step->page[i], step->page[i] + MADT_PAGE);
	step->active = false;
}
