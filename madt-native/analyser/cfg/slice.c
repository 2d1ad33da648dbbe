#include "cfg/slice.h"

#include <stdlib.h>
#include <string.h>

#include "base/pack.h"

bool slice_make(struct slice *slice, const struct plan_text *text)
{
	*slice = (struct slice){ .text = text };
	return ZYAN_SUCCESS(ZydisDecoderInit(&slice->decoder, ZYDIS_MACHINE_MODE_LONG_64,
			ZYDIS_STACK_WIDTH_64));
}

void slice_free(struct slice *slice)
{
	free(slice->flows);
	free(slice->targets);
}

/* The flow of a number that is one more than its own; 0: NULL. */
static struct flow *flow_at(const struct slice *slice, uint32_t number)
{
	return number ? slice->flows + number - 1 : NULL;
}

/* Each is there once, whatever the tables say. Most come by their addresses, behind all others. */
static bool flow_add(struct slice *slice, uint32_t target, uint32_t source)
{
	struct flow_list *list = &slice->targets[target - slice->start];
	const struct flow *last = flow_at(slice, list->last);
	uint32_t before = last && last->source <= source ? list->last : 0;
	uint32_t behind = before ? 0 : list->first;
	while (flow_at(slice, behind) && flow_at(slice, behind)->source <= source) {
		before = behind;
		behind = flow_at(slice, behind)->next;
	}
	if (before && flow_at(slice, before)->source == source)
		return true;
	if (!array_reserve(&slice->flows, &slice->flow_capacity, slice->flow_count,
				sizeof *slice->flows))
		return false;
	slice->flows[slice->flow_count++] = (struct flow){ source, behind };
	*(before ? &flow_at(slice, before)->next : &list->first) = (uint32_t)slice->flow_count;
	if (!behind)
		list->last = (uint32_t)slice->flow_count;
	return true;
}

/* False: no memory. */
static bool targets_clear(struct slice *slice)
{
	const size_t count = slice->end - slice->start;
	if (count > slice->target_capacity) {
		free(slice->targets);
		slice->targets = calloc(count, sizeof *slice->targets);
		slice->target_capacity = slice->targets ? count : 0;
	} else if (count) {
		memset(slice->targets, 0, count * sizeof *slice->targets);
	}
	return slice->targets || !count;
}

bool slice_enter(struct slice *slice, uint32_t start, uint32_t end)
{
	const struct plan_text *text = slice->text;
	const struct insn *last = text->insns + text->count;
	const struct insn *insn = NULL;
	slice->start = start;
	slice->end = end;
	slice->flow_count = 0;
	if (!targets_clear(slice))
		return false;
	for (uint32_t at = start; !insn && at < end && plan_text_holds(text, at); at++)
		insn = plan_text_insn(text, at);
	for (; insn && insn < last && insn->address < end; insn++) {
		if (!(insn->flags & INSN_BRANCHES) || insn->kind == INSN_CALL || insn->target < start
				|| insn->target >= end)
			continue;
		if (!flow_add(slice, insn->target, insn->address))
			return false;
	}
	return true;
}

bool slice_lead(struct slice *slice, uint32_t jump, const uint32_t *targets, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		if (targets[i] >= slice->start && targets[i] < slice->end
				&& !flow_add(slice, targets[i], jump))
			return false;
	return true;
}

bool slice_decode(const struct slice *slice, const struct insn *insn, struct decoded *decoded)
{
	const uint8_t *bytes = slice->text->bytes + (insn->address - slice->text->start);
	decoded->address = insn->address;
	return ZYAN_SUCCESS(ZydisDecoderDecodeFull(&slice->decoder, bytes, insn->length,
			&decoded->instruction, decoded->operands));
}

const struct insn *slice_previous(const struct slice *slice, const struct insn *insn)
{
	const struct insn *before = insn - 1;
	if (insn == slice->text->insns || insn->address <= slice->start
			|| before->address + before->length != insn->address || before->flags & INSN_ENDS)
		return NULL;
	return before;
}

const struct flow *slice_branches(const struct slice *slice, const struct insn *insn)
{
	return insn->address >= slice->start && insn->address < slice->end
			? flow_at(slice, slice->targets[insn->address - slice->start].first)
			: NULL;
}

const struct flow *slice_next(const struct slice *slice, const struct flow *flow)
{
	return flow_at(slice, flow->next);
}

/* System V ABI, 3.2.1: rbx, rsp, rbp and r12 to r15 belong to the caller. */
bool slice_writes(const struct insn *insn, unsigned number)
{
	const register_set kept = 1u << 3 | 1u << REGISTER_RSP | 1u << 5 | 0xf000u;
	if (insn->kind == INSN_CALL || insn->kind == INSN_CALL_INDIRECT)
		return !(kept >> number & 1);
	return insn->writes >> number & 1;
}

unsigned slice_register(ZydisRegister name)
{
	switch (ZydisRegisterGetClass(name)) {
	case ZYDIS_REGCLASS_GPR8:
	case ZYDIS_REGCLASS_GPR16:
	case ZYDIS_REGCLASS_GPR32:
	case ZYDIS_REGCLASS_GPR64:
		return (unsigned)
				ZydisRegisterGetId(ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64,
						name));
	default:
		return SLICE_NO_REGISTER;
	}
}
