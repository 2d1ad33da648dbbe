/*
 * Points: functions of the target that open or close a window when they are entered or have
 * returned. An int3 stands at the entry while the function is awaited, and nowhere else: it is
 * taken away when it is met, so that a function costs one trap a window. The return of a function
 * is awaited at the address that it returns to, for the call that came first; what comes there with
 * another stack pointer steps on.
 *
 *   awaited: int3 at all entries ──entered──▶ window_turn          func:GLOB
 *                                └─entered──▶ int3 at its return address ──▶ window_turn
 *                                                                   return:GLOB
 *
 * The int3 themselves: text_points.c.
 */
#include "splice/splice.h"

#include "base/state.h"
#include "chain/chain.h"
#include "region/region.h"
#include "session/session.h"
#include "text/text.h"

#define INT3 0xcc
#define WORD_BYTES 8

static bool returns(void)
{
	return (recording ? session.page->windows.stop : session.page->start) == MADT_START_RETURN;
}

/* The function has been entered: its return is awaited from here on. */
static void back_await(uintptr_t stack)
{
	uintptr_t to;

	points_hold();
	if (points_awaited() && !point_return.armed && region_read(&to, stack, sizeof to) == sizeof to
			&& module_of(to)) {
		points_lift_all();
		point_return.address = to;
		point_return.stack = stack + WORD_BYTES;
		point_return.thread = (uintptr_t)&self;
		return_arm();
	}
	points_let_go();
}

/* One instruction, with the point out of its way. */
static void step_over(uintptr_t code, ucontext_t *context)
{
	self.splice.over = code;
	self.splice.over_mask = *context_mask(context);
	*context_mask(context) = ~SIGNALS_FAULT;
	context_registers(context)[REG_EFL] |= TRAP_FLAG;
}

bool point_stepped(ucontext_t *context)
{
	uintptr_t code = self.splice.over;
	const struct module *module;

	if (!code)
		return false;
	self.splice.over = 0;
	*context_mask(context) = self.splice.over_mask;
	context_registers(context)[REG_EFL] &= ~TRAP_FLAG;
	points_hold();
	module = module_of(code);
	if (point_return.address == code && points_awaited() && !point_return.armed)
		return_arm();
	else if (module && points_awaited() && point_find(module, code))
		point_arm(module, point_find(module, code));
	points_let_go();
	return true;
}

/* A window that opens begins with what is open. */
static void turn(enum madt_start cause, uintptr_t code, const ucontext_t *context)
{
	const bool opens = !recording;

	window_turn(cause, code);
	if (opens)
		open_tell(context, cause == MADT_START_FUNCTION);
}

static bool back_hit(uintptr_t code, ucontext_t *context)
{
	if ((uintptr_t)context_registers(context)[REG_RSP] == point_return.stack) {
		return_lift();
		turn(MADT_START_RETURN, code, context);
	} else {
		return_lift();
		step_over(code, context);
	}
	return true;
}

/*
 * Takes an entry that was hit: what is met again at once, since it also ends what it began, is
 * stepped over.
 */
static void entry_hit(struct module *module, struct madt_point *point, ucontext_t *context)
{
	uintptr_t code = point_address(module, point);

	if (!returns())
		turn(MADT_START_FUNCTION, code, context);
	if (point->armed && returns()) {
		back_await((uintptr_t)context_registers(context)[REG_RSP]);
		return;
	}
	points_hold();
	if (point_lift(module, point))
		step_over(code, context);
	points_let_go();
}

bool point_hit(ucontext_t *context)
{
	greg_t *registers = context_registers(context);
	uintptr_t code = (uintptr_t)registers[REG_RIP] - 1;
	struct module *module = (struct module *)module_of(code);
	struct madt_point *point = module ? point_find(module, code) : NULL;

	if (!point && code != point_return.address)
		return false;
	/* another thread may have taken it away; an int3 that stands there now is a patch's */
	if (!(point && point->armed) && !(code == point_return.address && point_return.armed)
			&& *(const uint8_t *)code == INT3)
		return false;
	registers[REG_RIP] = (greg_t)code;
	if (code == point_return.address && point_return.armed)
		return back_hit(code, context);
	if (point && point->armed)
		entry_hit(module, point, context);
	return true;
}
