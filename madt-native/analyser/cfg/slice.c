#include "cfg/slice.h"

#include <stdlib.h>

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
}

static int flow_compare(const void *a, const void *b)
{
	const struct flow *left = a;
	const struct flow *right = b;
	if (left->target != right->target)
		return left->target < right->target ? -1 : 1;
	return (left->source > right->source) - (left->source < right->source);
}

static bool flow_add(struct slice *slice, uint32_t target, uint32_t source)
{
	if (!array_reserve(&slice->flows, &slice->flow_capacity, slice->flow_count,
				sizeof *slice->flows))
		return false;
	slice->flows[slice->flow_count++] = (struct flow){ target, source };
	return true;
}

/* Each is there once, whatever the tables say. */
static void flows_sort(struct slice *slice)
{
	size_t kept = 0;
	if (slice->flow_count)
		qsort(slice->flows, slice->flow_count, sizeof *slice->flows, flow_compare);
	for (size_t i = 0; i < slice->flow_count; i++)
		if (!kept || flow_compare(&slice->flows[kept - 1], &slice->flows[i]) != 0)
			slice->flows[kept++] = slice->flows[i];
	slice->flow_count = kept;
}

bool slice_enter(struct slice *slice, uint32_t start, uint32_t end)
{
	const struct plan_text *text = slice->text;
	const struct insn *last = text->insns + text->count;
	const struct insn *insn = NULL;
	slice->start = start;
	slice->end = end;
	slice->flow_count = 0;
	for (uint32_t at = start; !insn && at < end && plan_text_holds(text, at); at++)
		insn = plan_text_insn(text, at);
	for (; insn && insn < last && insn->address < end; insn++) {
		if (!(insn->flags & INSN_BRANCHES) || insn->kind == INSN_CALL || insn->target < start
				|| insn->target >= end)
			continue;
		if (!flow_add(slice, insn->target, insn->address))
			return false;
	}
	flows_sort(slice);
	return true;
}

bool slice_lead(struct slice *slice, uint32_t jump, const uint32_t *targets, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		if (targets[i] >= slice->start && targets[i] < slice->end
				&& !flow_add(slice, targets[i], jump))
			return false;
	flows_sort(slice);
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

size_t slice_branches(const struct slice *slice, const struct insn *insn, const struct flow **flows)
{
	size_t low = 0, high = slice->flow_count, count = 0;
	while (low < high) {
		const size_t middle = low + (high - low) / 2;
		if (slice->flows[middle].target < insn->address)
			low = middle + 1;
		else
			high = middle;
	}
	*flows = slice->flows + low;
	while (low + count < slice->flow_count && slice->flows[low + count].target == insn->address)
		count++;
	return count;
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
