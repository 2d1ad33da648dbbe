/*
 * Where jumps of a plan can lead from a copy of the text that they stand in. The areas of a module
 * lie at fixed distances from it, so most memory needs no look.
 */
#include "splice/splice_copies.h"
#include "splice/splice.h"

#include "region/region.h"
#include "text/text.h"
#include "text/text_plan.h"

#include <sys/mman.h>

#define NEAREST ((int32_t)3 << 20) /* no area is nearer to its module: docs/SPLICE.md, Places */

/* Distances, from the first to the last. */
struct distances {
	int64_t least, most;
};

static bool has_areas(const struct module *module)
{
	return module->end && text_may_be_met(module) && module->plan;
}

static const struct madt_plan_area *areas_of(const struct module *module)
{
	return plan_table(module->plan, module->plan->areas);
}

/* Of the jumps from the module's text into one of its areas. */
static struct distances distances_to(const struct module *module, const struct madt_plan_area *area)
{
	uintptr_t start = UINTPTR_MAX, end = 0;

	for (uint32_t i = 0; i < module->text_count && i < MODULE_TEXTS; i++) {
		start = module->texts[i].start < start ? module->texts[i].start : start;
		end = module->texts[i].end > end ? module->texts[i].end : end;
	}
	return (struct distances){ area->address - (int64_t)(end - module->bias),
		area->address + (int64_t)area->size - (int64_t)(start - module->bias) };
}

bool copied_jump_of(const struct module *module, int32_t relative)
{
	for (uint32_t i = 0; has_areas(module) && i < module->plan->areas.count; i++) {
		struct distances distances = distances_to(module, areas_of(module) + i);

		if (relative >= distances.least - MADT_PLAN_PATCH_MAX && relative <= distances.most)
			return true;
	}
	return false;
}

bool copied_jump_possible(int32_t relative)
{
	const struct module *module;

	if (relative > -NEAREST && relative < NEAREST)
		return false;
	for (uint32_t i = 0; (module = module_number(i)); i++)
		if (copied_jump_of(module, relative))
			return true;
	return false;
}

/* ---------------------------------------------------------------- whether they lead to code */

static bool meets_area(struct range range)
{
	const struct module *module;

	for (uint32_t i = 0; (module = module_number(i)); i++)
		for (uint32_t k = 0; has_areas(module) && k < module->plan->areas.count; k++) {
			uintptr_t start = module->bias + (uintptr_t)areas_of(module)[k].address;

			if (start < range.end && range.start < start + areas_of(module)[k].size)
				return true;
		}
	return false;
}

static bool meets_executable(struct range range)
{
	struct region region;

	for (uintptr_t at = range.start; region_next(at, &region) && region.start < range.end;
			at = region.end)
		if (region.protection & PROT_EXEC)
			return true;
	return false;
}

bool copied_meets_code(struct range range)
{
	return meets_area(range) || meets_executable(range);
}

bool copied_leads_to_code(struct range copy)
{
	const struct module *module;

	for (uint32_t i = 0; (module = module_number(i)); i++)
		for (uint32_t k = 0; has_areas(module) && k < module->plan->areas.count; k++) {
			struct distances distances = distances_to(module, areas_of(module) + k);

			if (copied_meets_code((struct range){ copy.start + (uintptr_t)distances.least,
						copy.end + (uintptr_t)distances.most }))
				return true;
		}
	return false;
}
