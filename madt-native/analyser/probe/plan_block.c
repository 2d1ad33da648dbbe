/*
 * Blocks: a block begins where control may come from elsewhere, and ends in front of that or with
 * what leads elsewhere.
 *
 *   endbr64         begins a block    its probe stands behind the endbr64, which is not patched
 *   push rbx        ENTER, BLOCK
 *   test edi, edi
 *   je   1f         BLOCK_END
 *   call f          BLOCK, BLOCK_END
 *   1: pop rbx      BLOCK
 *   ret             BLOCK_END, LEAVE
 */
#include "probe/plan_block.h"

#include "probe/plan.h"

bool insn_leads(const struct insn *insn)
{
	switch (insn->kind) {
	case INSN_PLAIN:
	case INSN_SYSTEM:
	case INSN_ODD:
		return insn->flags & (INSN_BRANCHES | INSN_ENDS);
	default:
		return true;
	}
}

/* The instruction in front of this one, if they touch; or NULL. */
static const struct insn *before(const struct plan_text *text, const struct insn *insn)
{
	return insn > text->insns && insn[-1].address + insn[-1].length == insn->address ? insn - 1
																					 : NULL;
}

/* Returns whether two instructions in front of this one end here: a lock prefix is jumped over. */
static bool joins(const struct plan_text *text, const struct insn *insn)
{
	return insn - text->insns > 1 && insn[-2].address + insn[-2].length == insn->address;
}

bool block_is_joined(const struct plan_text *text, const struct insn *insn)
{
	const struct insn *last = before(text, insn);
	if (!last || joins(text, insn) || plan_text_has(text, insn->address, 1, MARK_TARGET))
		return true;
	/* nobody comes to padding */
	return insn_leads(last) && !(last->flags & INSN_ENDS && insn->flags & INSN_NOP);
}

bool block_begins(const struct plan_text *text, const struct insn *insn)
{
	return insn->entry || block_is_joined(text, insn);
}

bool block_is_probed(const struct plan_text *text, const struct insn *insn)
{
	const struct insn *last = before(text, insn);
	if (plan_is_endbr(text, insn->address))
		return false;
	return block_begins(text, insn)
			|| (last && plan_is_endbr(text, last->address) && block_begins(text, last));
}

bool block_ends(const struct plan_text *text, const struct insn *insn)
{
	const struct insn *next = insn + 1;
	return insn_leads(insn) || next == text->insns + text->count
			|| next->address != insn->address + insn->length || block_begins(text, next);
}
