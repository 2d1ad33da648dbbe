/*
 * Which accesses share a record. A record ends before an access whose address depends on a value
 * loaded since it began (the pointer may be newer than the header's epoch), before one that may not
 * happen, at a branch, and at TEMPLATE_WORDS.
 */
#include "probe/plan.h"

#define TAINT_NEVER (1u << REGISTER_RSP)

static bool insn_joins(const struct plan *plan, const struct ebb *ebb, const struct insn *insn)
{
	return ebb->open && !(insn->flags & (INSN_REP | INSN_ALONE))
			&& ebb->records[ebb->record_count - 1].words + insn->words <= TEMPLATE_WORDS
			&& !(insn_address_registers(plan, insn) & ebb->taint);
}

/* Registers that are no general ones are taken for loaded. */
static void taint_follow(struct ebb *ebb, const struct insn *insn)
{
	if (insn->flags & (INSN_LOADS | INSN_FOREIGN) || insn->reads & ebb->taint)
		ebb->taint |= insn->writes;
	else
		ebb->taint &= (register_set)~insn->kills;
	ebb->taint &= (register_set)~TAINT_NEVER;
}

void ebb_add(const struct plan *plan, struct ebb *ebb, const struct insn *insn, bool alone)
{
	unsigned at = ebb->count++;
	ebb->insns[at] = insn;
	ebb->record_of[at] = RECORD_NONE;
	if (insn->probed)
		ebb->open = false; /* the words of a record come before those of a probe behind it */
	if (insn->words) {
		if (alone || !insn_joins(plan, ebb, insn)) {
			ebb->records[ebb->record_count++] = (struct record){ .first = at };
			ebb->taint = 0;
		}
		struct record *record = &ebb->records[ebb->record_count - 1];
		record->last = at;
		record->words += insn->words;
		ebb->record_of[at] = (uint8_t)(ebb->record_count - 1);
		ebb->open = !(insn->flags & (INSN_REP | INSN_ALONE));
	}
	taint_follow(ebb, insn);
	if (insn->kind != INSN_PLAIN || plan_probes_are(plan, insn, true))
		ebb->open = false;
}

static bool insn_extends(const struct plan *plan, const struct ebb *ebb, const struct insn *insn)
{
	return insn && insn->kind == INSN_PLAIN && !insn->step && plan_copies(plan, insn)
			&& !plan_pops_flags(plan, insn)
			&& !plan_text_has(&plan->text, insn->address, 1, MARK_TARGET) && !insn->probed
			&& (!insn->words || insn_joins(plan, ebb, insn));
}

static void sites_cover(struct plan *plan, const struct ebb *ebb, unsigned from)
{
	for (unsigned i = from; i < ebb->count; i++)
		if (ebb->insns[i]->words)
			plan->text.insns[ebb->insns[i] - plan->text.insns].covered = true;
}

/* It ends behind a site, and must not lead back into the midst of a patch. */
void ebb_extend(struct plan *plan, struct ebb *ebb)
{
	struct ebb good = *ebb;
	const unsigned before = ebb->count;
	bool gained = false;
	while (!plan->options.compact && ebb->open && ebb->count < EBB_INSNS) {
		const struct insn *insn = plan_next(plan, ebb->insns[ebb->count - 1]);
		if (!insn_extends(plan, ebb, insn))
			break;
		ebb_add(plan, ebb, insn, false);
		gained |= insn->words > 0;
		if (gained && !plan_text_has(&plan->text, insn->address + insn->length, 1, MARK_INSIDE)) {
			good = *ebb;
			gained = false;
		}
	}
	*ebb = good;
	sites_cover(plan, ebb, before);
}

const struct record *ebb_open_record(const struct ebb *ebb, unsigned at)
{
	for (unsigned i = 0; i < ebb->record_count; i++)
		if (ebb->records[i].first < at && at <= ebb->records[i].last)
			return &ebb->records[i];
	return NULL;
}
