/* Engine splice, as modules come and stay, and as MadT leaves: each has a plan. */
#include "splice/splice.h"

#include "text/text.h"

/* A plan's places may be taken: then another variant is asked for. */
bool splice_prepare(struct module *module, struct madt_request *request)
{
	if (module->plan) { /* after fork */
		request->variant = module->plan->variant;
		if (!module_answered(module, request))
			return false;
		splice_renumber(module, request->first_template);
		return true;
	}
	for (uint32_t variant = 0, looks = 0; variant < MADT_PLAN_VARIANTS && looks < MODULE_LOOKS;) {
		request->variant = variant | (looks ? MADT_REQUEST_ANEW : 0);
		if (!module_answered(module, request))
			return false;
		switch (splice_apply(module, request)) {
		case SPLICE_APPLIED:
			return true;
		case SPLICE_NO_PLACE:
			variant++;
			looks = 0;
			break;
		case SPLICE_OTHER:
			looks++; /* the launcher refuses if the file is what it has seen */
		}
	}
	return false;
}

bool splice_keep(struct module *module)
{
	if (module->plan)
		splice_renumber(module, module->first_template);
	return module->plan;
}

static void plan_release(struct module *module)
{
	if (text_may_be_met(module))
		text_restore(module);
}

void splice_release(void)
{
	if (points_any())
		points_lift();
	module_visit(plan_release);
	copies_release();
}
