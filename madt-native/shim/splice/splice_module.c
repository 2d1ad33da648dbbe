/* Engine splice, as modules come and stay, and as MadT leaves: each has a plan. */
#include "splice/splice.h"

#include "base/spin.h"
#include "session/session.h"
#include "text/text.h"
#include "text/text_plan.h"
#include "wrap/wrap.h"

#include <errno.h>

/* A plan's places may be taken: then another variant is asked for. */
bool splice_prepare(struct module *module, struct madt_request *request)
{
	if (module->plan) { /* after fork */
		request->variant = module->plan->variant;
		request->first_template = module->plans;
		if (!module_answered(module, request))
			return false;
		splice_renumber(module, request->first_template);
		return true;
	}
	for (uint32_t variant = 0, looks = 0; variant < MADT_PLAN_VARIANTS && looks < MODULE_LOOKS;) {
		request->variant = variant | (looks ? MADT_REQUEST_ANEW : 0);
		request->first_template = MADT_PLANS_NEWEST;
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

/* ---------------------------------------------------------------- instruments that come later */

static enum madt_plans refused;

/* False: there is no other plan for it. */
static bool plan_ask(struct module *module, uint32_t variant, struct madt_request *request)
{
	request->variant = variant | MADT_REQUEST_RENEW;
	request->first_template = module->plans;
	if (module_answered(module, request))
		return true;
	if (LOAD_ACQUIRE(&request->state) != MADT_REQUEST_ANSWERED || request->status != EALREADY)
		refused = MADT_PLANS_NO_PLACE;
	return false;
}

/* Their wrappers are known by where their own code lies. */
static bool has_named_hooks(const struct madt_plan *plan)
{
	const struct madt_plan_hook *hook = plan_table(plan, plan->hooks);

	for (uint32_t i = 0; i < plan->hooks.count; i++)
		if (hook[i].function & MADT_HOOK_NAMED && !madt_is_go(hook[i].function))
			return true;
	return false;
}

static enum madt_plans exchange(struct module *module, struct madt_request *request)
{
	if (module->text.taken || module->text.yields)
		return MADT_PLANS_CHANGED;
	if (has_named_hooks(module->plan))
		return MADT_PLANS_NAMED;
	switch (splice_exchange(module, request)) {
	case SPLICE_APPLIED:
		return MADT_PLANS_TAKEN;
	case SPLICE_OTHER:
		return MADT_PLANS_CHANGED;
	default:
		return module->plan ? MADT_PLANS_NO_PLACE : MADT_PLANS_CHANGED;
	}
}

/* Its own variant first: what is there gives its place. */
static void plan_renew(struct module *module)
{
	struct madt_request *request = &session.control->request;
	const uint32_t first = module->plan->variant;
	enum madt_plans state = MADT_PLANS_NO_PLACE;

	for (uint32_t i = 0; i < MADT_PLAN_VARIANTS && state == MADT_PLANS_NO_PLACE; i++)
		state = plan_ask(module, (first + i) % MADT_PLAN_VARIANTS, request)
				? exchange(module, request)
				: MADT_PLANS_TAKEN;
	STORE_RELEASE(&request->state, MADT_REQUEST_IDLE);
	if (state != MADT_PLANS_TAKEN)
		refused = state;
}

static void module_renew(struct module *module)
{
	const uint32_t plans = LOAD_ACQUIRE(&session.page->plans);

	if (module->plan && module->plans != plans)
		plan_renew(module);
	module->plans = plans;
}

enum madt_plans splice_renew(void)
{
	refused = MADT_PLANS_TAKEN;
	module_hold();
	module_visit(module_renew);
	often_forget();
	module_let_go();
	return refused;
}

/* ---------------------------------------------------------------- */

static void plan_release(struct module *module)
{
	if (text_may_be_met(module))
		text_restore(module);
}

void splice_release(void)
{
	if (points_any())
		points_lift();
	slots_give_back();
	module_visit(plan_release);
	copies_release();
}
