/*
 * A plan is applied while no code of its module has run, or when recording begins (splice_begin.c):
 * areas mapped, the control page mapped where the code reads the epoch, and at last the patches
 * written. The template numbers in the areas are the plan's own; only where the process has others
 * with these numbers, they are changed. What the plan holds was checked when it was made and when
 * the launcher took it from its cache.
 */
#include "splice/splice.h"

#include "text/text.h"
#include "text/text_plan.h"
#include "wrap/wrap.h"

#include <errno.h>
#include <sys/mman.h>

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif
#define MREMAP_MAYMOVE 1
#define MREMAP_FIXED 2
#define AREAS_MOST 9

uintptr_t splice_address(const struct module *module, uint32_t place)
{
	const struct madt_plan_area *area = plan_table(module->plan, module->plan->areas);

	while (place - area->offset >= area->size)
		area++;
	return module->bias + (uintptr_t)area->address + (place - area->offset);
}

static bool area_place(const struct module *module, uintptr_t code, uint32_t *place)
{
	const struct madt_plan_area *area = plan_table(module->plan, module->plan->areas);

	for (uint32_t i = 0; i < module->plan->areas.count; i++) {
		uintptr_t offset = code - (module->bias + (uintptr_t)area[i].address);

		if (offset < area[i].size) {
			*place = area[i].offset + (uint32_t)offset;
			return true;
		}
	}
	return false;
}

const struct module *splice_module(uintptr_t code, uint32_t *place)
{
	const struct module *module;

	for (uint32_t i = 0; (module = module_number(i)); i++)
		if (module->end && text_may_be_met(module) && area_place(module, code, place))
			return module;
	return NULL;
}

/* ---------------------------------------------------------------- mapping */

static const struct madt_plan *plan_map(const struct madt_request *request, long fd)
{
	long at = sys_map(request->map_length, PROT_READ, MAP_PRIVATE, fd);
	const struct madt_plan *plan = (const struct madt_plan *)at;

	if (sys_failed(at))
		return NULL;
	if (plan->magic == MADT_PLAN_MAGIC && plan->version == MADT_PLAN_VERSION
			&& plan->file_size == request->map_length)
		return plan;
	sys_unmap((uintptr_t)at, request->map_length);
	return NULL;
}

static void areas_unmap(const struct module *module, uint32_t count)
{
	const struct madt_plan_area *area = plan_table(module->plan, module->plan->areas);

	for (uint32_t i = 0; i < count; i++)
		sys_unmap(module->bias + (uintptr_t)area[i].address, area[i].size);
}

/* Returns whether all template numbers are other ones: then nearly every page changes. */
static bool areas_renumber(const struct module *module)
{
	return module->first_template != module->plan->first_template;
}

/*
 * Returns whether the process has areas of its own. Else they are the file's, read as they are
 * needed.
 */
static bool areas_change(const struct module *module)
{
	return areas_renumber(module) || module->plan->hooks.count;
}

/*
 * All or none; false where an address is taken. Nearly every page has a template number, and is
 * copied if that changes.
 */
static bool areas_map(const struct module *module, long fd, bool later)
{
	const struct madt_plan_area *area = plan_table(module->plan, module->plan->areas);
	int protection = later         ? PROT_NONE
			: areas_change(module) ? PROT_READ | PROT_WRITE
								   : PROT_READ | PROT_EXEC;
	int populate = protection & PROT_WRITE && areas_renumber(module) ? MAP_POPULATE : 0;

	for (uint32_t i = 0; i < module->plan->areas.count; i++) {
		uintptr_t wanted = module->bias + (uintptr_t)area[i].address;
		long at = SYS6(__NR_mmap, wanted, area[i].size, protection,
				MAP_PRIVATE | MAP_FIXED_NOREPLACE | populate, fd, area[i].offset);

		if (at != (long)wanted) {
			areas_unmap(module, i);
			return false;
		}
		own_add(wanted, area[i].size);
	}
	if (session_map_control(module->bias + (uintptr_t)module->plan->epoch_page, false))
		return true;
	areas_unmap(module, module->plan->areas.count);
	return false;
}

static void areas_protect(const struct module *module, int protection)
{
	const struct madt_plan_area *area = plan_table(module->plan, module->plan->areas);

	for (uint32_t i = 0; i < module->plan->areas.count; i++)
		SYS3(__NR_mprotect, module->bias + (uintptr_t)area[i].address, area[i].size, protection);
}

void splice_areas_renew(const struct module *module)
{
	const struct madt_plan_area *area = plan_table(module->plan, module->plan->areas);

	for (uint32_t i = 0; i < module->plan->areas.count; i++)
		SYS3(__NR_madvise, module->bias + (uintptr_t)area[i].address, area[i].size, MADV_DONTNEED);
}

/* Adds to every template number in the code; the areas can be written meanwhile. */
static void templates_add(const struct module *module, uint32_t number)
{
	struct madt_plan_rows rows = plan_rows(module->plan, module->plan->relocations);

	while (madt_plan_rows_next(&rows))
		((struct number *)splice_address(module, rows.row.key))->value += number;
}

/* The wrappers' addresses, where the program has an allocator of its own; likewise. */
static void hooks_set(const struct module *module)
{
	const struct madt_plan_hook *hook = plan_table(module->plan, module->plan->hooks);
	const uint32_t count = module->plan->hooks.count;
	const bool called = !(module->plan->flags & MADT_PLAN_ALLOCATOR)
			|| wrap_hooks_are(module->plan, count && hook[0].function == MADT_HOOK_MALLOC);

	for (uint32_t i = 0; i < count; i++) {
		uintptr_t real = splice_address(module, hook[i].real),
				  wrapper = called || hook[i].function & MADT_HOOK_NAMED
				? wrap_hook(hook[i].function, real)
				: real;

		bytes_copy((void *)splice_address(module, hook[i].wrapper), &wrapper, sizeof wrapper);
	}
}

/* ---------------------------------------------------------------- */

static void unplanned_count(uint64_t bytes)
{
	__atomic_fetch_add(&session.control->unplanned_bytes, bytes, __ATOMIC_RELAXED);
}

/* First of all it is no plan of the module's: another thread may fork at any time. */
static void plan_forget(struct module *module)
{
	const struct madt_plan *plan = module->plan;

	STORE_RELEASE(&module->plan, NULL);
	sys_unmap((uintptr_t)plan, plan->file_size);
}

static void plan_drop(struct module *module)
{
	text_drop(module);
	areas_unmap(module, module->plan->areas.count);
	sys_unmap(module->bias + (uintptr_t)module->plan->epoch_page, MADT_PAGE);
	plan_forget(module);
}

static void plan_take_back(struct module *module)
{
	unplanned_count(module->plan->proven_bytes);
	plan_drop(module);
	module_tell_again(module);
}

static void areas_populate(const struct module *module)
{
	const struct madt_plan_area *area = plan_table(module->plan, module->plan->areas);

	areas_protect(module, PROT_READ | PROT_WRITE);
	for (uint32_t i = 0; i < module->plan->areas.count; i++)
		SYS3(__NR_madvise, module->bias + (uintptr_t)area[i].address, area[i].size,
				MADV_POPULATE_WRITE);
}

/* False: the program has changed its text since it was loaded, and keeps what it has made of it. */
static bool areas_begin(struct module *module)
{
	bool change = areas_change(module), later = module->text.state == TEXT_DEFERRED;

	if (text_may_be_met(module))
		return true;
	if (later && !module_text_is(module, module->plan->text_sum)) {
		plan_take_back(module);
		return false;
	}
	if (change && later)
		areas_populate(module);
	if (areas_renumber(module))
		templates_add(module, module->first_template - module->plan->first_template);
	hooks_set(module);
	if (change || later)
		areas_protect(module, PROT_READ | PROT_EXEC);
	text_ready(module);
	return true;
}

/* The text last: a thread that meets a patch finds everything behind it. */
void splice_patch(struct module *module)
{
	if (areas_begin(module))
		text_patch(module, false);
}

void splice_patch_at(struct module *module, uintptr_t code)
{
	if (areas_begin(module))
		text_patch_at(module, code);
}

/*
 * Maps what the answer names, or reserves it for later; SPLICE_APPLIED is to be followed by the
 * patches.
 */
static enum splice_applied plan_take(struct module *module, const struct madt_request *request,
		long fd, bool later)
{
	if (!module->plan)
		return SPLICE_NO_PLACE;
	if (!later && !module_text_is(module, module->plan->text_sum))
		return SPLICE_OTHER;
	module->first_template = request->first_template;
	if (areas_map(module, fd, later)) {
		text_take(module, fd);
		return SPLICE_APPLIED;
	}
	if (engine.leads && module->plan->variant == MADT_PLAN_VARIANTS - 1)
		unplanned_count(module->plan->text_bytes);
	return SPLICE_NO_PLACE;
}

/*
 * Another thread may open a window meanwhile. It lays the patches of what is put off by then; what
 * was only reserved, for a window to come, is laid here where that one has gone by.
 */
static bool put_off(struct module *module, bool reserved)
{
	bool wait;

	module_hold();
	wait = splice_may_wait(module->plan);
	if (wait || reserved)
		text_defer(module);
	if (!wait && reserved)
		splice_patch(module);
	module_let_go();
	return wait || reserved;
}

enum splice_applied splice_apply(struct module *module, struct madt_request *request)
{
	long fd = module_file(request);
	uint32_t former = module->first_template; /* of the code map, where the plan has hooks alone */
	enum splice_applied applied;
	bool later;

	if (sys_failed(fd))
		return SPLICE_NO_PLACE;
	module->plan = plan_map(request, fd);
	later = module->plan && splice_may_wait(module->plan);
	applied = plan_take(module, request, fd, later);
	SYS1(__NR_close, fd);
	if (applied != SPLICE_APPLIED) {
		module->first_template = former;
		if (module->plan)
			plan_forget(module);
		return applied;
	}
	if (!put_off(module, later))
		splice_patch(module);
	if (engine.leads && module->plan)
		unplanned_count(module->plan->text_bytes - module->plan->proven_bytes);
	return SPLICE_APPLIED;
}

/* ---------------------------------------------------------------- another plan */

/* Areas that have left their places. */
struct aside {
	uint32_t count;
	uintptr_t at[AREAS_MOST];
};

static bool area_move(uintptr_t from, uintptr_t to, size_t size)
{
	long at = SYS5(__NR_mremap, from, size, size, MREMAP_MAYMOVE | MREMAP_FIXED, to);

	if (sys_failed(at))
		return false;
	own_remove(from);
	own_add(to, size);
	return true;
}

static void areas_back(const struct module *module, const struct aside *aside)
{
	const struct madt_plan_area *area = plan_table(module->plan, module->plan->areas);

	for (uint32_t i = 0; i < aside->count; i++)
		area_move(aside->at[i], module->bias + (uintptr_t)area[i].address, area[i].size);
	session_map_control(module->bias + (uintptr_t)module->plan->epoch_page, false);
}

/* False: they are where they were. */
static bool areas_aside(const struct module *module, struct aside *aside)
{
	const struct madt_plan_area *area = plan_table(module->plan, module->plan->areas);

	sys_unmap(module->bias + (uintptr_t)module->plan->epoch_page, MADT_PAGE);
	for (aside->count = 0; aside->count < module->plan->areas.count; aside->count++) {
		const uintptr_t from = module->bias + (uintptr_t)area[aside->count].address;
		long to = aside->count < AREAS_MOST ? sys_map(area[aside->count].size, PROT_NONE,
						  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1)
											: -ENOMEM;

		if (sys_failed(to) || !area_move(from, (uintptr_t)to, area[aside->count].size)) {
			if (!sys_failed(to))
				sys_unmap((uintptr_t)to, area[aside->count].size);
			areas_back(module, aside);
			return false;
		}
		aside->at[aside->count] = (uintptr_t)to;
	}
	return true;
}

/* The areas of the plan before, which nobody runs in any more, give their places to these. */
static bool areas_exchange(const struct module *module, const struct module *next, long fd)
{
	const struct madt_plan_area *area = plan_table(module->plan, module->plan->areas);
	struct aside aside;

	if (!areas_aside(module, &aside))
		return false;
	if (!areas_map(next, fd, true)) {
		areas_back(module, &aside);
		return false;
	}
	for (uint32_t i = 0; i < aside.count; i++)
		sys_unmap(aside.at[i], area[i].size);
	return true;
}

/* Brings the module's text back to a state that it had, with the plan that it has now. */
static void plan_lay(struct module *module, uint32_t state)
{
	if (state >= TEXT_WRITTEN)
		splice_patch(module);
	else if (state == TEXT_RESTING)
		areas_begin(module);
}

static bool plan_exchange(struct module *module, struct module *next, long fd)
{
	const struct madt_plan *former = module->plan;
	const uint32_t state = module->text.state;
	bool done;

	text_bare(module);
	done = areas_exchange(module, next, fd);
	if (done) {
		text_leave_plan(module);
		STORE_RELEASE(&module->plan, next->plan);
		module->first_template = next->first_template;
		wrap_hooks_move(former, next->plan);
		sys_unmap((uintptr_t)former, former->file_size);
		text_take(module, fd);
		text_defer(module);
	}
	plan_lay(module, state);
	text_layers_lay(module);
	return done && module->plan;
}

enum splice_applied splice_exchange(struct module *module, struct madt_request *request)
{
	long fd = module_file(request);
	struct module next = *module;
	bool done = false, other = false;

	if (sys_failed(fd))
		return SPLICE_NO_PLACE;
	next.plan = plan_map(request, fd);
	next.first_template = request->first_template;
	other = next.plan && next.plan->text_sum != module->plan->text_sum;
	if (next.plan && !other)
		done = plan_exchange(module, &next, fd);
	if (next.plan && next.plan != module->plan && module->plan)
		sys_unmap((uintptr_t)next.plan, next.plan->file_size);
	SYS1(__NR_close, fd);
	return done ? SPLICE_APPLIED : other ? SPLICE_OTHER : SPLICE_NO_PLACE;
}

void splice_remove(struct module *module)
{
	points_drop(module);
	if (module->plan)
		plan_drop(module);
}

void splice_renumber(struct module *module, uint32_t first_template)
{
	session_map_control(module->bias + (uintptr_t)module->plan->epoch_page, true);
	if (first_template != module->first_template && text_may_be_met(module)) {
		areas_protect(module, PROT_READ | PROT_WRITE);
		templates_add(module, first_template - module->first_template);
		areas_protect(module, PROT_READ | PROT_EXEC);
	}
	module->first_template = first_template;
	unplanned_count(module->plan->text_bytes - module->plan->proven_bytes);
}
