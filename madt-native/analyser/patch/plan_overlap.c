/*
 * Instructions that share bytes: a lock prefix is jumped over, or a branch leads into an immediate
 * value, even its own (eb ff c0).
 *
 *   X   b8 89 07 90 90         mov eax, 0x90900789
 *   I      89 07               mov [rdi], eax
 *
 * Whatever is written over one of them changes the other, but for the byte that X begins with. So
 * no patch of more than one byte has them. If I is to be patched, int3 stands in X's bytes as
 * well; X then has to trap before that, and its copy runs (it *guards* I). Where X starts within
 * another one, the same holds for that.
 */
#include "probe/plan.h"

#define INSN_BYTES_MAX 15

static void overlaps_mark(struct plan_text *text)
{
	const struct insn *end = text->insns + text->count;
	for (struct insn *insn = text->insns; insn < end; insn++)
		for (struct insn *other = insn + 1;
				other < end && other->address < insn->address + insn->length; other++)
			insn->overlaps = other->overlaps = true;
}

/* The next instruction before `other` that has the first byte of `insn` within it, or NULL. */
static struct insn *insn_around(const struct plan *plan, const struct insn *insn,
		struct insn *other)
{
	while (other-- > plan->text.insns && other->address + INSN_BYTES_MAX > insn->address)
		if (other->address + other->length > insn->address)
			return other;
	return NULL;
}

/* Returns whether int3 may stand at its first byte. */
static bool is_guarded(const struct plan *plan, struct insn *insn)
{
	for (struct insn *other = insn; (other = insn_around(plan, insn, other));)
		if (!plan_copies(plan, other) || !is_guarded(plan, other))
			return false;
	return true;
}

static void guards_mark(const struct plan *plan, struct insn *insn)
{
	for (struct insn *other = insn; (other = insn_around(plan, insn, other));)
		if (!other->guards) {
			other->guards = true;
			guards_mark(plan, other);
		}
}

void plan_overlaps_find(struct plan *plan)
{
	struct plan_text *text = &plan->text;
	overlaps_mark(text);
	for (struct insn *insn = text->insns; insn < text->insns + text->count; insn++) {
		if (!insn->overlaps || !plan_is_site(insn))
			continue;
		if (is_guarded(plan, insn)) {
			guards_mark(plan, insn);
			continue;
		}
		insn->words = 0;
		insn->probed = false;
		plan->header.sites_left++;
	}
}
