/*
 * Where indirect jumps may lead, as far as tables show it (elf/code_tables.h): a target within a
 * patch would trap each time. An entry counts only if an instruction starts where it leads, or if
 * it leads into the midst of one and nothing else can lie there. One that is taken for a target by
 * mistake costs nothing but a shorter patch.
 */
#include "elf/code_tables.h"
#include "cfg/plan_text.h"

static bool target_mark(void *context, uint64_t target, bool sure)
{
	struct plan_text *text = context;
	if (!plan_text_insn(text, target)
			&& (!sure || !plan_text_holds(text, target)
					|| !plan_text_has(text, target, 1, MARK_PROVEN)))
		return false;
	plan_text_mark(text, target, 1, MARK_TARGET);
	return true;
}

/* jmp [table + r * 8] */
static void jumps_follow(const struct plan_text *text, struct code_tables *tables)
{
	for (size_t i = 0; i < text->count && !tables->code; i++) {
		const struct insn *insn = &text->insns[i];
		if (insn->kind != INSN_JUMP_INDIRECT || insn->site == INSN_NO_SITE)
			continue;
		const struct madt_code_operand *operand = text->map.operands
				+ text->map.entries[insn->site].first_operand;
		if (operand->base == MADT_REGISTER_NONE && operand->index != MADT_REGISTER_NONE
				&& operand->scale == 8)
			code_tables_addresses(tables, (uint64_t)operand->displacement);
	}
}

int tables_mark(struct plan_text *text, const struct elf_file *file)
{
	struct code_tables tables = { .file = file, .target = target_mark, .context = text };
	code_tables_distances(&tables, text->tables, text->table_count);
	jumps_follow(text, &tables);
	code_tables_relocations(&tables);
	return code_tables_end(&tables);
}
