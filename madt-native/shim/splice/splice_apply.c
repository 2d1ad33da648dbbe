/*
 * A plan is applied while no code of its module has run, or when recording begins (splice_begin.c):
 * areas mapped, the control page mapped where the code reads the epoch, and at last the patches
 * written. The run numbers in the areas are the plan's own; only where the process has others with
 * these numbers, they are changed. What the plan holds was checked when it was made and when the
 * launcher took it from its cache.
 */
#include "splice/splice.h"

#include "module/module.h"
#include "thread/thread.h"
#include "wrap/wrap.h"

#include <fcntl.h>
#include <sys/mman.h>

#define JUMP_BYTES 5
#define SHORT_BYTES 2
#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

static const void *table(const struct madt_plan *plan, struct madt_plan_table where)
{
	return (const char *)plan + where.offset;
}

uintptr_t splice_address(const struct module *module, uint32_t place)
{
	const struct madt_plan_area *area = table(module->plan, module->plan->areas);

	while (place - area->offset >= area->size)
		area++;
	return module->bias + (uintptr_t)area->address + (place - area->offset);
}

static bool area_place(const struct module *module, uintptr_t code, uint32_t *place)
{
	const struct madt_plan_area *area = table(module->plan, module->plan->areas);

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
		if (module->end && LOAD_ACQUIRE(&module->patched) && area_place(module, code, place))
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
	const struct madt_plan_area *area = table(module->plan, module->plan->areas);

	for (uint32_t i = 0; i < count; i++)
		sys_unmap(module->bias + (uintptr_t)area[i].address, area[i].size);
}

/* Whether the process has areas of its own. Else they are the file's, read as they are needed. */
static bool areas_change(const struct module *module)
{
	return module->first_run != module->plan->first_run || module->plan->hooks.count;
}

/*
 * All or none; false where an address is taken. Nearly every page has a run number, and is copied
 * if that changes.
 */
static bool areas_map(const struct module *module, long fd, bool later)
{
	const struct madt_plan_area *area = table(module->plan, module->plan->areas);
	int protection = later         ? PROT_NONE
			: areas_change(module) ? PROT_READ | PROT_WRITE
								   : PROT_READ | PROT_EXEC;
	int populate = protection & PROT_WRITE ? MAP_POPULATE : 0;

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
	const struct madt_plan_area *area = table(module->plan, module->plan->areas);

	for (uint32_t i = 0; i < module->plan->areas.count; i++)
		SYS3(__NR_mprotect, module->bias + (uintptr_t)area[i].address, area[i].size, protection);
}

void splice_areas_renew(const struct module *module)
{
	const struct madt_plan_area *area = table(module->plan, module->plan->areas);

	for (uint32_t i = 0; i < module->plan->areas.count; i++)
		SYS3(__NR_madvise, module->bias + (uintptr_t)area[i].address, area[i].size, MADV_DONTNEED);
}

/* At any address; a string instruction takes ten times as long for so few bytes. */
struct number {
	uint32_t value;
} __attribute__((packed, may_alias));

/* Adds to every run number in the code; the areas can be written meanwhile. */
static void runs_add(const struct module *module, uint32_t number)
{
	const uint32_t *relocation = table(module->plan, module->plan->relocations);

	for (uint32_t i = 0; i < module->plan->relocations.count; i++)
		((struct number *)splice_address(module, relocation[i]))->value += number;
}

/* The wrappers' addresses, where the program has an allocator of its own; likewise. */
static void hooks_set(const struct module *module)
{
	const struct madt_plan_hook *hook = table(module->plan, module->plan->hooks);

	for (uint32_t i = 0; i < module->plan->hooks.count; i++) {
		uintptr_t wrapper = wrap_hook(hook[i].function, splice_address(module, hook[i].real));

		bytes_copy((void *)splice_address(module, hook[i].wrapper), &wrapper, sizeof wrapper);
	}
}

/* ---------------------------------------------------------------- patches */

static void jump_write(uint8_t *at, int32_t relative)
{
	*at = 0xe9;
	((struct number *)(at + 1))->value = (uint32_t)relative;
}

static void patch_write(const struct module *module, const struct madt_plan_patch *patch)
{
	uint8_t *at = (uint8_t *)module->bias + patch->address;

	if (patch->length == 1) {
		*at = 0xcc;
		return;
	}
	if (patch->tactic == MADT_TACTIC_NEAR) {
		at[0] = 0xeb;
		at[1] = (uint8_t)patch->relative;
	} else {
		jump_write(at, patch->relative);
	}
	for (unsigned i = patch->tactic == MADT_TACTIC_NEAR ? SHORT_BYTES : JUMP_BYTES;
			i < patch->length; i++)
		at[i] = 0xcc;
}

/* Those in these pages, which can be written, from *door on. */
static void doors_write(const struct module *module, struct range pages,
		const struct madt_plan_door **door)
{
	const struct madt_plan_door *last = (const struct madt_plan_door *)table(module->plan,
												module->plan->doors)
			+ module->plan->doors.count;

	for (; *door < last && module->bias + (*door)->address < pages.end; ++*door)
		if (module->bias + (*door)->address >= pages.start)
			jump_write((uint8_t *)module->bias + (*door)->address, (*door)->relative);
}

static const struct madt_plan_patch *patches_end(const struct module *module)
{
	const struct madt_plan_patch *patch = table(module->plan, module->plan->patches);

	return patch + module->plan->patches.count;
}

/* The pages from this patch on that follow one another; *last: the last patch on them. */
static struct range patched_pages(const struct module *module, const struct madt_plan_patch *patch,
		const struct madt_plan_patch **last)
{
	const struct madt_plan_patch *end = patches_end(module);
	struct range pages = { PAGE_DOWN(module->bias + patch->address), 0 };

	for (;; patch++) {
		pages.end = PAGE_UP(module->bias + patch->address + patch->length);
		if (patch + 1 == end || PAGE_DOWN(module->bias + patch[1].address) > pages.end)
			break;
	}
	*last = patch;
	return pages;
}

/* @param anew: what stands there is forgotten before */
static void text_patch(const struct module *module, bool anew)
{
	const struct madt_plan_patch *patch = table(module->plan, module->plan->patches), *last;
	const struct madt_plan_door *door = table(module->plan, module->plan->doors);

	for (; patch < patches_end(module); patch = last + 1) {
		struct range pages = patched_pages(module, patch, &last);

		if (sys_failed(SYS3(__NR_mprotect, pages.start, pages.end - pages.start,
					PROT_READ | PROT_WRITE)))
			continue;
		if (anew)
			SYS3(__NR_madvise, pages.start, pages.end - pages.start, MADV_DONTNEED);
		/* all at once; where the kernel does not know it (before Linux 5.14), by a fault a page */
		SYS3(__NR_madvise, pages.start, pages.end - pages.start, MADV_POPULATE_WRITE);
		for (; patch <= last; patch++)
			if (!calm_has(module->bias + patch->address))
				patch_write(module, patch);
		doors_write(module, pages, &door);
		SYS3(__NR_mprotect, pages.start, pages.end - pages.start, PROT_READ | PROT_EXEC);
	}
}

/* ---------------------------------------------------------------- and their end */

/*
 * Where short jumps lead to doors: a thread may stand at a door, which is no instruction's start in
 * the module's own text. So both jumps stay, unless the thread that asks is the only one.
 */
static void doors_keep(const struct module *module, const struct madt_plan_patch *patch,
		const struct madt_plan_patch *last, struct range pages)
{
	const struct madt_plan_door *door = table(module->plan, module->plan->doors), *first = door;
	const struct madt_plan_door *end = door + module->plan->doors.count;

	for (; patch <= last; patch++) {
		while (door < end && door->address < patch->address)
			door++;
		if (patch->tactic == MADT_TACTIC_NEAR
				|| (door < end && door->address < patch->address + patch->length))
			patch_write(module, patch);
	}
	doors_write(module, pages, &first);
}

void splice_rest(struct module *module)
{
	const struct madt_plan_patch *patch = table(module->plan, module->plan->patches), *last;
	bool alone = LOAD_ACQUIRE(&thread_count) == 1;

	for (; patch < patches_end(module); patch = last + 1) {
		struct range pages = patched_pages(module, patch, &last);

		SYS3(__NR_mprotect, pages.start, pages.end - pages.start, PROT_READ | PROT_WRITE);
		SYS3(__NR_madvise, pages.start, pages.end - pages.start, MADV_DONTNEED);
		if (!alone && module->plan->doors.count)
			doors_keep(module, patch, last, pages);
		SYS3(__NR_mprotect, pages.start, pages.end - pages.start, PROT_READ | PROT_EXEC);
	}
	STORE_RELEASE(&module->resting, true);
}

/*
 * Private pages of a file become the file's again (madvise(2), MADV_DONTNEED); the loader changed
 * none of them, or there were no plan.
 */
static void text_restore(const struct module *module)
{
	const struct madt_plan_patch *patch = table(module->plan, module->plan->patches), *last;

	for (; patch < patches_end(module); patch = last + 1) {
		struct range pages = patched_pages(module, patch, &last);

		SYS3(__NR_madvise, pages.start, pages.end - pages.start, MADV_DONTNEED);
	}
}

/* ---------------------------------------------------------------- */

static void unplanned_count(uint64_t bytes)
{
	__atomic_fetch_add(&session.control->unplanned_bytes, bytes, __ATOMIC_RELAXED);
}

static void plan_forget(struct module *module)
{
	sys_unmap((uintptr_t)module->plan, module->plan->file_size);
	module->plan = NULL;
}

static void areas_populate(const struct module *module)
{
	const struct madt_plan_area *area = table(module->plan, module->plan->areas);

	areas_protect(module, PROT_READ | PROT_WRITE);
	for (uint32_t i = 0; i < module->plan->areas.count; i++)
		SYS3(__NR_madvise, module->bias + (uintptr_t)area[i].address, area[i].size,
				MADV_POPULATE_WRITE);
}

/* The text last: a thread that meets a patch finds everything behind it. */
void splice_patch(struct module *module)
{
	bool change = areas_change(module);

	if (change && module->put_off)
		areas_populate(module);
	if (!module->resting) {
		if (module->first_run != module->plan->first_run)
			runs_add(module, module->first_run - module->plan->first_run);
		hooks_set(module);
		if (change || module->put_off)
			areas_protect(module, PROT_READ | PROT_EXEC);
		STORE_RELEASE(&module->patched, true);
	}
	text_patch(module, false);
	STORE_RELEASE(&module->put_off, false);
	STORE_RELEASE(&module->resting, false);
}

void splice_renew(struct module *module)
{
	text_patch(module, true);
}

bool splice_apply(struct module *module, const struct madt_request *request)
{
	long fd = SYS3(__NR_open, request->map_path, O_RDONLY | O_CLOEXEC, 0);
	uint32_t former = module->first_run; /* of the code map, where the plan has hooks alone */
	bool mapped;

	if (sys_failed(fd))
		return false;
	module->plan = plan_map(request, fd);
	module->first_run = request->first_run;
	mapped = module->plan && areas_map(module, fd, splice_may_wait(module->plan));
	SYS1(__NR_close, fd);
	if (!mapped) {
		module->first_run = former;
		if (engine.leads && module->plan && module->plan->variant == MADT_PLAN_VARIANTS - 1)
			unplanned_count(module->plan->text_bytes);
		if (module->plan)
			plan_forget(module);
		return false;
	}
	if (!splice_put_off(module))
		splice_patch(module);
	if (engine.leads)
		unplanned_count(module->plan->text_bytes - module->plan->proven_bytes);
	return true;
}

void splice_remove(struct module *module)
{
	points_drop(module);
	if (!module->plan)
		return;
	areas_unmap(module, module->plan->areas.count);
	sys_unmap(module->bias + (uintptr_t)module->plan->epoch_page, MADT_PAGE);
	plan_forget(module);
	module->patched = module->put_off = module->resting = false;
}

void splice_release(void)
{
	const struct module *module;

	for (uint32_t i = 0; (module = module_number(i)); i++)
		if (module->end && module->patched)
			text_restore(module);
}

void splice_renumber(struct module *module, uint32_t first_run)
{
	session_map_control(module->bias + (uintptr_t)module->plan->epoch_page, true);
	if (first_run != module->first_run && !module->put_off) {
		areas_protect(module, PROT_READ | PROT_WRITE);
		runs_add(module, first_run - module->first_run);
		areas_protect(module, PROT_READ | PROT_EXEC);
	}
	module->first_run = first_run;
	unplanned_count(module->plan->text_bytes - module->plan->proven_bytes);
}
