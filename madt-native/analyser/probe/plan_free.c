#include "probe/plan.h"

#include <stdlib.h>

void plan_free(struct plan *plan)
{
	plan_text_free(&plan->text);
	emit_free(&plan->emit);
	free(plan->live);
	free(plan->awaited);
	free(plan->patches);
	free(plan->patch_sites);
	free(plan->trampolines);
	free(plan->entries);
	template_pack_free(&plan->templates);
	leaps_free(&plan->leaps);
	free(plan->probes.items);
	free(plan->triggers);
	free(plan->outermost);
	free(plan->steps);
	free(plan->operands);
}
