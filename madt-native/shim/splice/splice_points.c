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
 * A point may stand on a patch. So points are lifted before text changes, and armed again behind
 * it.
 */
#include "splice/splice.h"

#include "base/state.h"
#include "module/module.h"
#include "region/region.h"
#include "session/session.h"

#include <sys/mman.h>

#define INT3 0xcc
#define WORD_BYTES 8
#define ALL (PROT_READ | PROT_WRITE | PROT_EXEC)

static const uint8_t endbr[] = { 0xf3, 0x0f, 0x1e, 0xfa };

static enum madt_point_role awaited = MADT_POINT_OPENS; /* whose points are armed; 0: none */
static bool any;                                        /* there have been points */

/* Where the function returns to, the stack pointer there, and whose call it is. */
static struct {
	uintptr_t address, stack, thread;
	uint8_t saved;
	bool armed;
} back;

/* The points that a thread is about to change, or the place that they lead to. */
static uint32_t changing;

static void change_begin(void)
{
	critical_enter();
	while (__atomic_exchange_n(&changing, 1, __ATOMIC_ACQUIRE))
		SYS0(__NR_sched_yield);
}

static void change_end(void)
{
	STORE_RELEASE(&changing, 0);
	critical_leave();
}

/* ---------------------------------------------------------------- text */

/* One byte, while others may execute it. False: the kernel refuses. */
static bool byte_write(uintptr_t at, uint8_t byte)
{
	uintptr_t page = PAGE_DOWN(at);

	if (sys_failed(SYS3(__NR_mprotect, page, MADT_PAGE, ALL)))
		return false;
	__atomic_store_n((uint8_t *)at, byte, __ATOMIC_RELEASE);
	SYS3(__NR_mprotect, page, MADT_PAGE, PROT_READ | PROT_EXEC);
	return true;
}

static uintptr_t point_address(const struct module *module, const struct madt_point *point)
{
	return module->bias + point->address;
}

static void point_arm(const struct module *module, struct madt_point *point)
{
	uintptr_t at = point_address(module, point);

	if (point->armed)
		return;
	point->saved = *(const uint8_t *)at;
	STORE_RELEASE(&point->armed, true); /* a child that is forked now finds no other int3 */
	point->armed = byte_write(at, INT3);
}

static bool point_lift(const struct module *module, struct madt_point *point)
{
	if (!point->armed)
		return false;
	byte_write(point_address(module, point), point->saved);
	point->armed = false;
	return true;
}

static uintptr_t thread_here(void)
{
	return (uintptr_t)&self;
}

static void back_arm(void)
{
	back.saved = *(const uint8_t *)back.address;
	STORE_RELEASE(&back.armed, true);
	back.armed = byte_write(back.address, INT3);
}

static void back_lift(void)
{
	if (back.armed)
		byte_write(back.address, back.saved);
	back.armed = false;
}

/* ---------------------------------------------------------------- all of them */

static void module_lift(struct module *module)
{
	for (uint32_t i = 0; i < module->point_count; i++)
		point_lift(module, &module->points[i]);
}

static void module_arm(struct module *module)
{
	for (uint32_t i = 0; i < module->point_count; i++)
		if (module->points[i].roles & awaited)
			point_arm(module, &module->points[i]);
}

bool points_any(void)
{
	return LOAD_ACQUIRE(&any);
}

void points_lift(void)
{
	change_begin();
	module_visit(module_lift);
	back_lift();
	awaited = 0;
	change_end();
}

void points_arm(enum madt_point_role role)
{
	change_begin();
	awaited = role;
	module_visit(module_arm);
	change_end();
}

static bool returning; /* what is put back is the point at a return address */

void points_set_aside(void)
{
	change_begin();
	returning = back.armed;
	module_visit(module_lift);
	back_lift();
}

void points_put_back(void)
{
	if (returning) {
		back_arm();
	} else {
		module_visit(module_arm);
	}
	change_end();
}

/* Behind endbr64, where whoever jumps past it comes too. */
static void points_place(const struct module *module)
{
	for (uint32_t i = 0; i < module->point_count; i++) {
		struct madt_point *point = &module->points[i];

		if (bytes_compare((const void *)point_address(module, point), endbr, sizeof endbr) == 0)
			point->address += sizeof endbr;
	}
}

void points_take(struct module *module, const struct madt_request *request)
{
	module->points = session_copy(MADT_POINTS_AT, request->points * sizeof *module->points);
	if (!module->points)
		return;
	module->point_count = request->points;
	points_place(module);
	change_begin();
	STORE_RELEASE(&any, true);
	module_arm(module);
	change_end();
}

void points_drop(struct module *module)
{
	if (module->points)
		sys_unmap((uintptr_t)module->points, module->point_count * sizeof *module->points);
	module->points = NULL;
	module->point_count = 0;
}

/*
 * Another thread may have been about to change a point, or await the return of its call: it is not
 * there, so that the functions are awaited again.
 */
void points_after_fork(void)
{
	changing = 0;
	if (!any || !awaited || (back.armed && back.thread == thread_here()))
		return;
	module_visit(module_lift);
	back_lift();
	module_visit(module_arm);
}

/* ---------------------------------------------------------------- a trap */

static struct madt_point *point_find(const struct module *module, uintptr_t code)
{
	uint32_t low = 0, high = module->point_count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (point_address(module, &module->points[middle]) < code)
			low = middle + 1;
		else
			high = middle;
	}
	return low < module->point_count && point_address(module, &module->points[low]) == code
			? &module->points[low]
			: NULL;
}

static bool returns(void)
{
	return (recording ? session.page->windows.stop : session.page->start) == MADT_START_RETURN;
}

/* The function has been entered: its return is awaited from here on. */
static void back_await(uintptr_t stack)
{
	uintptr_t to;

	change_begin();
	if (awaited && !back.armed && region_read(&to, stack, sizeof to) == sizeof to
			&& module_of(to)) {
		module_visit(module_lift);
		back.address = to;
		back.stack = stack + WORD_BYTES;
		back.thread = thread_here();
		back_arm();
	}
	change_end();
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
	change_begin();
	module = module_of(code);
	if (back.address == code && awaited && !back.armed)
		back_arm();
	else if (module && awaited && point_find(module, code))
		point_arm(module, point_find(module, code));
	change_end();
	return true;
}

static bool back_hit(uintptr_t code, ucontext_t *context)
{
	if ((uintptr_t)context_registers(context)[REG_RSP] == back.stack) {
		back_lift();
		window_turn(MADT_START_RETURN, code);
	} else {
		back_lift();
		step_over(code, context);
	}
	return true;
}

/* What is met again at once, since it also ends what it began, is stepped over. */
static void entry_hit(struct module *module, struct madt_point *point, ucontext_t *context)
{
	uintptr_t code = point_address(module, point);

	if (!returns())
		window_turn(MADT_START_FUNCTION, code);
	if (point->armed && returns()) {
		back_await((uintptr_t)context_registers(context)[REG_RSP]);
		return;
	}
	change_begin();
	if (point_lift(module, point))
		step_over(code, context);
	change_end();
}

bool point_hit(ucontext_t *context)
{
	greg_t *registers = context_registers(context);
	uintptr_t code = (uintptr_t)registers[REG_RIP] - 1;
	struct module *module = (struct module *)module_of(code);
	struct madt_point *point = module ? point_find(module, code) : NULL;

	if (!point && code != back.address)
		return false;
	/* another thread may have taken it away; an int3 that stands there now is a patch's */
	if (!(point && point->armed) && !(code == back.address && back.armed)
			&& *(const uint8_t *)code == INT3)
		return false;
	registers[REG_RIP] = (greg_t)code;
	if (code == back.address && back.armed)
		return back_hit(code, context);
	if (point && point->armed)
		entry_hit(module, point, context);
	return true;
}
