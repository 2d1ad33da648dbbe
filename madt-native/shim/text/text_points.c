/*
 * The int3 of points: at the entries of functions that are awaited, and where one returns to. What
 * a trap there does is in splice_points.c. A point may stand on a patch: it comes out of the way
 * where that changes (text_layers.c).
 */
#include "text/text.h"
#include "text/text_layers.h"

#include "base/spin.h"
#include "base/state.h"
#include "session/session.h"

static const uint8_t endbr[] = { 0xf3, 0x0f, 0x1e, 0xfa };

static enum madt_point_role awaited = MADT_POINT_OPENS;
static bool any; /* there have been points */
struct point_return point_return;

/* The points that a thread is about to change, or the place that they lead to. */
static struct spin changing;

void points_hold(void)
{
	critical_enter();
	spin_lock(&changing);
}

void points_let_go(void)
{
	spin_unlock(&changing);
	critical_leave();
}

bool points_any(void)
{
	return LOAD_ACQUIRE(&any);
}

enum madt_point_role points_awaited(void)
{
	return awaited;
}

/* ---------------------------------------------------------------- one */

uintptr_t point_address(const struct module *module, const struct madt_point *point)
{
	return module->bias + point->address;
}

struct madt_point *point_find(const struct module *module, uintptr_t code)
{
	uint32_t low = 0, high = module->text.point_count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (point_address(module, &module->text.points[middle]) < code)
			low = middle + 1;
		else
			high = middle;
	}
	return low < module->text.point_count
					&& point_address(module, &module->text.points[low]) == code
			? &module->text.points[low]
			: NULL;
}

void point_arm(const struct module *module, struct madt_point *point)
{
	const uintptr_t at = point_address(module, point);

	if (!point->armed && !own_taken(module, (struct range){ at, at + 1 }))
		trap_lay(at, &point->saved, &point->armed);
}

bool point_lift(const struct module *module, struct madt_point *point)
{
	bool armed = point->armed;

	trap_lift(point_address(module, point), &point->saved, &point->armed);
	return armed;
}

void return_arm(void)
{
	trap_lay(point_return.address, &point_return.saved, &point_return.armed);
}

void return_lift(void)
{
	trap_lift(point_return.address, &point_return.saved, &point_return.armed);
}

/* ---------------------------------------------------------------- all of them */

static void module_lift(struct module *module)
{
	for (uint32_t i = 0; i < module->text.point_count; i++)
		point_lift(module, &module->text.points[i]);
}

static void module_arm(struct module *module)
{
	for (uint32_t i = 0; i < module->text.point_count; i++)
		if (module->text.points[i].roles & awaited)
			point_arm(module, &module->text.points[i]);
}

void points_lift_all(void)
{
	module_visit(module_lift);
}

void points_lift(void)
{
	points_hold();
	points_lift_all();
	return_lift();
	awaited = 0;
	points_let_go();
}

void points_arm(enum madt_point_role role)
{
	points_hold();
	awaited = role;
	module_visit(module_arm);
	points_let_go();
}

/* Behind endbr64, where whoever jumps past it comes too. */
static void points_place(const struct module *module)
{
	for (uint32_t i = 0; i < module->text.point_count; i++) {
		struct madt_point *point = &module->text.points[i];

		if (bytes_compare((const void *)point_address(module, point), endbr, sizeof endbr) == 0)
			point->address += sizeof endbr;
	}
}

void points_take(struct module *module, const struct madt_request *request)
{
	struct madt_point *points = session_copy(MADT_POINTS_AT, request->points * sizeof *points);

	if (!points)
		return;
	module->text.points = points;
	module->text.point_count = request->points;
	points_place(module);
	points_hold();
	STORE_RELEASE(&any, true);
	module_arm(module);
	points_let_go();
}

/* First of all they are not the module's: another thread may fork at any time. */
void points_drop(struct module *module)
{
	struct madt_point *points = module->text.points;
	const uint32_t count = module->text.point_count;

	STORE_RELEASE(&module->text.point_count, 0);
	STORE_RELEASE(&module->text.points, NULL);
	if (points)
		sys_unmap((uintptr_t)points, count * sizeof *points);
}

/* ---------------------------------------------------------------- as layers of text */

static bool lies_in(uintptr_t at, struct range range)
{
	return at >= range.start && at < range.end;
}

void points_out(struct module *module, struct range range)
{
	for (uint32_t i = 0; i < module->text.point_count; i++) {
		struct madt_point *point = &module->text.points[i];

		if (!point->armed || !lies_in(point_address(module, point), range))
			continue;
		point->lifted = 1;
		point_lift(module, point);
	}
}

void points_beneath(const struct module *module, uintptr_t page, uint8_t *bytes)
{
	const struct range range = { page, page + MADT_PAGE };

	for (uint32_t i = 0; i < module->text.point_count; i++) {
		const struct madt_point *point = &module->text.points[i];

		if (point->armed && lies_in(point_address(module, point), range))
			bytes[point_address(module, point) - page] = point->saved;
	}
	if (point_return.armed && lies_in(point_return.address, range))
		bytes[point_return.address - page] = point_return.saved;
}

void points_in(struct module *module, struct range range)
{
	for (uint32_t i = 0; i < module->text.point_count; i++) {
		struct madt_point *point = &module->text.points[i];

		if (!point->lifted || !lies_in(point_address(module, point), range))
			continue;
		point->lifted = 0;
		point_arm(module, point);
	}
}

void return_out(struct module *module, struct range range)
{
	(void)module;
	if (!point_return.armed || !lies_in(point_return.address, range))
		return;
	point_return.lifted = 1;
	return_lift();
}

void return_in(struct module *module, struct range range)
{
	(void)module;
	if (!point_return.lifted || !lies_in(point_return.address, range))
		return;
	point_return.lifted = 0;
	return_arm();
}

/* ---------------------------------------------------------------- fork */

static void module_forget(struct module *module)
{
	for (uint32_t i = 0; i < module->text.point_count; i++)
		module->text.points[i].lifted = 0;
}

/*
 * Another thread may have been about to change a point, or await the return of its call: it is not
 * there, so that the functions are awaited again.
 */
void points_after_fork(void)
{
	spin_after_fork(&changing);
	module_visit(module_forget);
	point_return.lifted = 0;
	if (!any || !awaited || (point_return.armed && point_return.thread == (uintptr_t)&self))
		return;
	points_lift_all();
	return_lift();
	module_visit(module_arm);
}
