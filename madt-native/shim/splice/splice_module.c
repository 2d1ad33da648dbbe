/* Engine splice, as modules come and stay: each has a plan. */
#include "splice/splice.h"

#include "module/module.h"

/* A plan's places may be taken: then another variant is asked for. */
bool splice_prepare(struct module *module, struct madt_request *request)
{
	if (module->plan) { /* after fork */
		request->variant = module->plan->variant;
		if (!module_answered(module, request))
			return false;
		splice_renumber(module, request->first_run);
		return true;
	}
	for (uint32_t variant = 0; variant < MADT_PLAN_VARIANTS; variant++) {
		request->variant = variant;
		if (!module_answered(module, request))
			return false;
		if (splice_apply(module, request))
			return true;
	}
	return false;
}

bool splice_keep(struct module *module)
{
	if (module->plan)
		splice_renumber(module, module->first_run);
	return module->plan;
}
