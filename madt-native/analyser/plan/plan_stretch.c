/*
 * Which accesses share a run. A run ends before an access whose address depends on a value loaded
 * since it began (the pointer may be newer than the header's epoch), before one that may not
 * happen, at a branch, and at RUN_WORDS.
 */
#include "plan/plan.h"

#define TAINT_NEVER (1u << REGISTER_RSP)

static bool insn_joins(const struct plan *plan, const struct stretch *stretch,
		const struct insn *insn)
{
	return stretch->open && !(insn->flags & (INSN_REP | INSN_ALONE))
			&& stretch->runs[stretch->run_count - 1].words + insn->words <= RUN_WORDS
			&& !(insn_address_registers(plan, insn) & stretch->taint);
}

/* Registers that are no general ones are taken for loaded. */
static void taint_follow(struct stretch *stretch, const struct insn *insn)
{
	if (insn->flags & (INSN_LOADS | INSN_FOREIGN) || insn->reads & stretch->taint)
		stretch->taint |= insn->writes;
	else
		stretch->taint &= (register_set)~insn->kills;
	stretch->taint &= (register_set)~TAINT_NEVER;
}

void stretch_add(const struct plan *plan, struct stretch *stretch, const struct insn *insn,
		bool alone)
{
	unsigned at = stretch->count++;
	stretch->insns[at] = insn;
	stretch->run_of[at] = RUN_NONE;
	if (insn->probed)
		stretch->open = false; /* the words of a run come before those of a probe behind it */
	if (insn->words) {
		if (alone || !insn_joins(plan, stretch, insn)) {
			stretch->runs[stretch->run_count++] = (struct run){ .first = at };
			stretch->taint = 0;
		}
		struct run *run = &stretch->runs[stretch->run_count - 1];
		run->last = at;
		run->words += insn->words;
		stretch->run_of[at] = (uint8_t)(stretch->run_count - 1);
		stretch->open = !(insn->flags & (INSN_REP | INSN_ALONE));
	}
	taint_follow(stretch, insn);
	if (insn->kind != INSN_PLAIN || plan_probes_are(plan, insn, true))
		stretch->open = false;
}

static bool insn_extends(const struct plan *plan, const struct stretch *stretch,
		const struct insn *insn)
{
	return insn && insn->kind == INSN_PLAIN && !insn->step && plan_copies(plan, insn)
			&& !plan_pops_flags(plan, insn)
			&& !plan_text_has(&plan->text, insn->address, 1, MARK_TARGET) && !insn->probed
			&& (!insn->words || insn_joins(plan, stretch, insn));
}

static void sites_cover(struct plan *plan, const struct stretch *stretch, unsigned from)
{
	for (unsigned i = from; i < stretch->count; i++)
		if (stretch->insns[i]->words)
			plan->text.insns[stretch->insns[i] - plan->text.insns].covered = true;
}

/* It ends behind a site, and must not lead back into the midst of a window. */
void stretch_extend(struct plan *plan, struct stretch *stretch)
{
	struct stretch good = *stretch;
	const unsigned before = stretch->count;
	bool gained = false;
	while (!plan->options.compact && stretch->open && stretch->count < STRETCH_INSNS) {
		const struct insn *insn = plan_next(plan, stretch->insns[stretch->count - 1]);
		if (!insn_extends(plan, stretch, insn))
			break;
		stretch_add(plan, stretch, insn, false);
		gained |= insn->words > 0;
		if (gained && !plan_text_has(&plan->text, insn->address + insn->length, 1, MARK_INSIDE)) {
			good = *stretch;
			gained = false;
		}
	}
	*stretch = good;
	sites_cover(plan, stretch, before);
}

const struct run *stretch_open_run(const struct stretch *stretch, unsigned at)
{
	for (unsigned i = 0; i < stretch->run_count; i++)
		if (stretch->runs[i].first < at && at <= stretch->runs[i].last)
			return &stretch->runs[i];
	return NULL;
}
