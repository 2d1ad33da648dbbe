/* Where blocks begin and end. What is entered is marked: plan_entries_mark. */
#ifndef MADT_PLAN_BLOCK_H
#define MADT_PLAN_BLOCK_H

#include "cfg/plan_text.h"

/* Returns whether control does not just go on behind it: calls too. */
bool insn_leads(const struct insn *insn);

/* Returns whether control comes to it otherwise than from the instruction in front. */
bool block_is_joined(const struct plan_text *text, const struct insn *insn);
/* The same, or a function is entered there: behind its endbr64, if it has one. */
bool block_begins(const struct plan_text *text, const struct insn *insn);
/* Returns whether its last instruction is this one. */
bool block_ends(const struct plan_text *text, const struct insn *insn);

/* Returns whether the probe of a block stands at the instruction. */
bool block_is_probed(const struct plan_text *text, const struct insn *insn);

#endif
