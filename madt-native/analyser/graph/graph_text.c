/* Instructions as text, in Intel's syntax, with what they name. */
#include <string.h>

#include "decode/decoder.h"
#include "graph/graph.h"

#define LINE_MAX_BYTES 160

struct writer {
	struct graph *graph;
	ZydisDecoder decoder;
	ZydisFormatter formatter;
};

static bool text_append(struct graph *graph, const char *line)
{
	const size_t size = strlen(line) + 1;
	while (graph->text_capacity - graph->text_count < size)
		if (!array_grow(&graph->text, &graph->text_capacity, 1))
			return false;
	memcpy(graph->text + graph->text_count, line, size);
	graph->text_count += size;
	return true;
}

static uint32_t refers_to(const ZydisDecodedInstruction *instruction,
		const ZydisDecodedOperand *operands, uint64_t address)
{
	for (unsigned i = 0; i < instruction->operand_count_visible; i++) {
		const ZydisDecodedOperand *operand = &operands[i];
		ZyanU64 value = 0;
		const bool relative = operand->type == ZYDIS_OPERAND_TYPE_IMMEDIATE
				? operand->imm.is_relative
				: operand->type == ZYDIS_OPERAND_TYPE_MEMORY
						&& operand->mem.base == ZYDIS_REGISTER_RIP;
		if (relative
				&& ZYAN_SUCCESS(ZydisCalcAbsoluteAddress(instruction, operand, address, &value)))
			return value <= UINT32_MAX ? (uint32_t)value : 0;
	}
	return 0;
}

static bool insn_write(struct writer *writer, const struct insn *insn)
{
	struct graph *graph = writer->graph;
	ZydisDecodedInstruction instruction;
	ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
	char line[LINE_MAX_BYTES] = "?";
	struct madt_graph_insn row = { insn->address, (uint32_t)graph->text_count, 0, insn->length,
		{ 0 } };
	if (ZYAN_SUCCESS(ZydisDecoderDecodeFull(&writer->decoder, insn_bytes(graph->plan, insn),
				insn->length, &instruction, operands))) {
		ZydisFormatterFormatInstruction(&writer->formatter, &instruction, operands,
				instruction.operand_count_visible, line, sizeof line, insn->address, NULL);
		row.refers = refers_to(&instruction, operands, insn->address);
	}
	if (!array_reserve(&graph->insns, &graph->insn_capacity, graph->insn_count,
				sizeof *graph->insns)
			|| !text_append(graph, line))
		return false;
	graph->insns[graph->insn_count++] = row;
	return true;
}

static bool writer_make(struct writer *writer)
{
	return ZYAN_SUCCESS(ZydisDecoderInit(&writer->decoder, ZYDIS_MACHINE_MODE_LONG_64,
				   ZYDIS_STACK_WIDTH_64))
			&& ZYAN_SUCCESS(ZydisFormatterInit(&writer->formatter, ZYDIS_FORMATTER_STYLE_INTEL))
			&& ZYAN_SUCCESS(ZydisFormatterSetProperty(&writer->formatter,
					ZYDIS_FORMATTER_PROP_ADDR_PADDING_ABSOLUTE, ZYDIS_PADDING_DISABLED))
			&& ZYAN_SUCCESS(ZydisFormatterSetProperty(&writer->formatter,
					ZYDIS_FORMATTER_PROP_DISP_PADDING, ZYDIS_PADDING_DISABLED))
			&& ZYAN_SUCCESS(ZydisFormatterSetProperty(&writer->formatter,
					ZYDIS_FORMATTER_PROP_IMM_PADDING, ZYDIS_PADDING_DISABLED))
			&& ZYAN_SUCCESS(ZydisFormatterSetProperty(&writer->formatter,
					ZYDIS_FORMATTER_PROP_HEX_UPPERCASE, ZYAN_FALSE));
}

bool graph_text_add(struct graph *graph, const struct madt_graph_function *function)
{
	struct writer writer = { .graph = graph };
	const struct plan_text *text = &graph->plan->text;
	if (!writer_make(&writer))
		return false;
	for (uint32_t i = 0; i < function->blocks; i++) {
		const struct madt_graph_block *block = &graph->blocks[function->first_block + i];
		const struct insn *insn = plan_text_insn(text, block->start);
		for (uint32_t at = block->start; insn && at < block->end; insn = plan_text_insn(text, at)) {
			if (!insn_write(&writer, insn))
				return false;
			at += insn->length;
		}
	}
	return true;
}
