/*
 * Single steps in trampolines. MadT's own: a signal found the thread there and is held until the
 * thread is out, or where it can be shown at an address of the original code. The target's own: it
 * sees one step for each instruction of its code. It is shown there after each, and enters the
 * original code anew for the next.
 *
 *   trap at            own_from                 the instruction that is done
 *   the way in         0                        none of the target's
 *   anywhere else      a boundary,              the one at the boundary's address: due at the next
 *                      no jump back             boundary, or outside
 */
#include "splice/splice.h"

#include "base/state.h"
#include "module/module.h"

static void step_on(ucontext_t *context)
{
	self.held.stays = true;
	self.splice.stepped = (uintptr_t)context_registers(context)[REG_RIP];
	context_registers(context)[REG_EFL] |= TRAP_FLAG;
}

void splice_step_on(ucontext_t *context)
{
	if (self.held.stays && !self.splice.step_own)
		step_on(context);
	else
		context_registers(context)[REG_EFL] |= TRAP_FLAG;
}

void splice_step_end(ucontext_t *context)
{
	if (!self.held.stays)
		return;
	self.held.stays = false;
	if (!self.splice.step_own)
		context_registers(context)[REG_EFL] &= ~TRAP_FLAG;
	self.splice.step_own = false;
	held_release(context);
}

void splice_step_out(ucontext_t *context)
{
	self.splice.step_own = context_registers(context)[REG_EFL] & TRAP_FLAG && !self.held.stays;
	if (self.splice.step_own)
		self.held.stays = true; /* on to where its own next step is due */
	else
		step_on(context);
}

/* MadT's own step is done. */
static void step_follow(ucontext_t *context)
{
	greg_t *registers = context_registers(context);
	uintptr_t code = (uintptr_t)registers[REG_RIP], shown;
	const struct module *module;
	uint32_t place;

	if (trap_flag_instruction(self.splice.stepped) == PUSHF && code != self.splice.stepped)
		*(uint16_t *)registers[REG_RSP] &= (uint16_t)~TRAP_FLAG;
	module = splice_module(code, &place);
	shown = module && splice_boundary_clean(code) ? splice_shown_at(module, place) : 0;
	if (shown)
		splice_show_there(module, place, context);
	if (module && !shown)
		step_on(context);
	else
		splice_step_end(context);
}

/* ---------------------------------------------------------------- the target's own trap flag */

void splice_own_begin(const ucontext_t *context)
{
	const greg_t *registers = context->uc_mcontext.gregs;

	if (!self.held.stays && (registers[REG_EFL] & TRAP_FLAG))
		self.splice.own_from = (uintptr_t)registers[REG_RIP];
}

void splice_own_forget(void)
{
	self.splice.own_from = self.splice.own_due = 0;
	self.splice.own_last = false;
}

/* The original instruction that has run since the last trap, or 0. */
static uintptr_t own_done(uintptr_t code, bool inside)
{
	uint32_t place;
	const struct module *module = self.splice.own_from ? splice_module(self.splice.own_from, &place)
													   : NULL;
	uintptr_t done = module ? splice_shown_at(module, place) : 0;

	if (done && splice_boundary_clean(self.splice.own_from) && (inside || code == done))
		return 0;
	return done;
}

/* The step that is due is the target's to see. */
static bool own_show(ucontext_t *context)
{
	if (self.splice.own_last)
		context_registers(context)[REG_EFL] &= ~TRAP_FLAG;
	splice_own_forget();
	splice_step_end(context);
	return false;
}

bool splice_own_ends(ucontext_t *context)
{
	if (self.held.stays && !self.splice.step_own)
		return false;
	own_show(context);
	return true;
}

static bool own_wait(ucontext_t *context, uintptr_t code)
{
	self.splice.own_from = code;
	if (!(context_registers(context)[REG_EFL] & TRAP_FLAG)) {
		context_registers(context)[REG_EFL] |= TRAP_FLAG;
		self.splice.own_last = true; /* the step that is due is the last one */
	}
	return true;
}

static bool own_follow(ucontext_t *context)
{
	uintptr_t code = (uintptr_t)context_registers(context)[REG_RIP], done, shown;
	bool from = self.splice.own_from;
	uint32_t place;
	const struct module *module = splice_module(code, &place);

	if (splice_before_springboard(code))
		return true; /* the way in */
	done = own_done(code, module);
	self.splice.own_due = done ? done : self.splice.own_due;
	if (!module)
		return from && !self.splice.own_due ? true : own_show(context);
	shown = self.splice.own_due ? splice_shown_at(module, place) : 0;
	/* A rep prefix's own test comes before its instruction, and is no step. */
	if (!shown || (shown == self.splice.own_due && !splice_boundary_clean(code)))
		return own_wait(context, code);
	if (!splice_boundary_clean(code))
		splice_withdraw(module, place);
	splice_show_there(module, place, context);
	return own_show(context);
}

bool splice_on_step(ucontext_t *context)
{
	if (!self.held.stays || self.splice.step_own)
		return own_follow(context);
	step_follow(context);
	return true;
}
