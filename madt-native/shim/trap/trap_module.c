/* Engine trap, as modules come and stay: each has a code map. */
#include "trap/trap.h"

#include "module/module.h"
#include "splice/splice.h"

/* A program with an allocator of its own, in engine trap: a plan of hooks alone. */
static void hooks_prepare(struct module *module, struct madt_request *request)
{
	uint32_t untraced = request->untraced;

	for (uint32_t variant = 0; variant < MADT_PLAN_VARIANTS; variant++) {
		request->variant = variant | MADT_REQUEST_HOOKS;
		if (!module_answered(module, request) || splice_apply(module, request) != SPLICE_NO_PLACE)
			break;
	}
	request->status = 0;
	request->untraced = untraced;
}

bool trap_prepare(struct module *module, struct madt_request *request)
{
	uint32_t looks = 0;

	do
		request->variant = looks ? MADT_REQUEST_ANEW : 0;
	while (module_answered(module, request) && !module_take_map(module, request)
			&& ++looks < MODULE_LOOKS);
	if (module->map && request->hooks && !module->plan)
		hooks_prepare(module, request);
	if (module->map)
		trap_rseq_module(module);
	return module->map != NULL;
}

bool trap_keep(struct module *module)
{
	return module->map;
}
