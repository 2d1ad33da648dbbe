/*
 * From Zydis's operands to those of the code map. Zydis knows implicit operands, sizes and directions; what it leaves to the reader is here:
 * which instructions with a memory operand access nothing, and how masks and vector indices choose elements (Intel SDM volume 2; the
 * rules for faults that a mask suppresses are those of the exception classes in volume 2, 2.8).
 */
#include "operands.h"

#include <stdbool.h>
#include <string.h>

/* Memory operands that are addresses only, hints, or never come to an access. */
static bool accesses_nothing(const ZydisDecodedInstruction *decoded)
{
	switch (decoded->meta.category) {
	case ZYDIS_CATEGORY_NOP:
	case ZYDIS_CATEGORY_WIDENOP:
	case ZYDIS_CATEGORY_PREFETCH:
		return true;
	default:
		break;
	}
	switch (decoded->mnemonic) {
	case ZYDIS_MNEMONIC_LEA:
	case ZYDIS_MNEMONIC_CLFLUSH:
	case ZYDIS_MNEMONIC_CLFLUSHOPT:
	case ZYDIS_MNEMONIC_CLWB:
	case ZYDIS_MNEMONIC_CLDEMOTE:
	case ZYDIS_MNEMONIC_INVLPG:
	case ZYDIS_MNEMONIC_UD0:
	case ZYDIS_MNEMONIC_UD1:
		return true;
	default:
		return false;
	}
}

static uint8_t register_number(ZydisRegister which)
{
	if (which == ZYDIS_REGISTER_NONE)
		return MADT_REGISTER_NONE;
	if (which == ZYDIS_REGISTER_RIP || which == ZYDIS_REGISTER_EIP)
		return MADT_REGISTER_RIP;
	return (uint8_t)ZydisRegisterGetId(which);
}

static bool is_vector(ZydisRegister which)
{
	ZydisRegisterClass class = ZydisRegisterGetClass(which);

	return class == ZYDIS_REGCLASS_XMM || class == ZYDIS_REGCLASS_YMM || class == ZYDIS_REGCLASS_ZMM;
}

static void describe_address(const struct instruction *instruction, const ZydisDecodedOperand *operand,
		struct madt_code_operand *out)
{
	uint64_t bytes = operand->size / 8;

	out->base = register_number(operand->mem.base);
	out->index = register_number(operand->mem.index);
	out->scale = operand->mem.scale;
	out->displacement = operand->mem.disp.value;
	if (out->base == MADT_REGISTER_RIP)
		out->displacement += (int64_t)(instruction->address + instruction->decoded.length);
	if (operand->mem.segment == ZYDIS_REGISTER_FS)
		out->segment = MADT_SEGMENT_FS;
	if (operand->mem.segment == ZYDIS_REGISTER_GS)
		out->segment = MADT_SEGMENT_GS;
	if (instruction->decoded.address_width == 32)
		out->flags |= MADT_OPERAND_ADDRESS32;
	if (operand->visibility == ZYDIS_OPERAND_VISIBILITY_HIDDEN)
		out->flags |= MADT_OPERAND_IMPLICIT;
	if (operand->mem.base == ZYDIS_REGISTER_RSP || operand->mem.base == ZYDIS_REGISTER_ESP)
		out->flags |= MADT_OPERAND_STACK;
	out->size = bytes > UINT16_MAX ? UINT16_MAX : (uint16_t)bytes;
	out->elements = 1;
	out->mask = MADT_REGISTER_NONE;
	out->number = operand->id;
}

/* bt, bts, btr, btc with a register offset reach beyond the operand itself. */
static bool describe_bit(const struct instruction *instruction, struct madt_code_operand *out)
{
	switch (instruction->decoded.mnemonic) {
	case ZYDIS_MNEMONIC_BT:
	case ZYDIS_MNEMONIC_BTS:
	case ZYDIS_MNEMONIC_BTR:
	case ZYDIS_MNEMONIC_BTC:
		if (instruction->operands[1].type != ZYDIS_OPERAND_TYPE_REGISTER)
			return false;
		out->shape = MADT_SHAPE_BIT;
		out->mask = register_number(instruction->operands[1].reg.value);
		return true;
	default:
		return false;
	}
}

/* Sizes of an index and of an element of gathers and scatters; false for every other instruction. */
static bool vector_sizes(ZydisMnemonic mnemonic, uint8_t *index, uint8_t *element)
{
	switch (mnemonic) {
	case ZYDIS_MNEMONIC_VGATHERDPS:
	case ZYDIS_MNEMONIC_VPGATHERDD:
	case ZYDIS_MNEMONIC_VSCATTERDPS:
	case ZYDIS_MNEMONIC_VPSCATTERDD:
		*index = 4, *element = 4;
		return true;
	case ZYDIS_MNEMONIC_VGATHERDPD:
	case ZYDIS_MNEMONIC_VPGATHERDQ:
	case ZYDIS_MNEMONIC_VSCATTERDPD:
	case ZYDIS_MNEMONIC_VPSCATTERDQ:
		*index = 4, *element = 8;
		return true;
	case ZYDIS_MNEMONIC_VGATHERQPS:
	case ZYDIS_MNEMONIC_VPGATHERQD:
	case ZYDIS_MNEMONIC_VSCATTERQPS:
	case ZYDIS_MNEMONIC_VPSCATTERQD:
		*index = 8, *element = 4;
		return true;
	case ZYDIS_MNEMONIC_VGATHERQPD:
	case ZYDIS_MNEMONIC_VPGATHERQQ:
	case ZYDIS_MNEMONIC_VSCATTERQPD:
	case ZYDIS_MNEMONIC_VPSCATTERQQ:
		*index = 8, *element = 8;
		return true;
	default:
		return false;
	}
}

/* The AVX2 form has its mask in the last operand, a vector register; EVEX has an opmask. */
static bool describe_vector(const struct instruction *instruction, struct madt_code_operand *out)
{
	const ZydisDecodedInstruction *decoded = &instruction->decoded;
	uint8_t element;

	if (!vector_sizes(decoded->mnemonic, &out->index_size, &element))
		return false;
	out->shape = MADT_SHAPE_VECTOR;
	out->size = element;
	out->elements = (uint8_t)(decoded->avx.vector_length / 8 / (element > out->index_size ? element : out->index_size));
	if (decoded->encoding == ZYDIS_INSTRUCTION_ENCODING_VEX) {
		out->mask = MADT_MASK_VECTOR | register_number(instruction->operands[2].reg.value);
		out->mask_size = element;
	} else {
		out->mask = register_number(decoded->avx.mask.reg);
	}
	return true;
}

/* Stores and loads under a vector mask: the sign bit of each of its elements. */
static bool describe_vector_mask(const struct instruction *instruction, const ZydisDecodedOperand *operand,
		struct madt_code_operand *out)
{
	ZydisRegister mask = instruction->operands[1].reg.value;

	switch (instruction->decoded.mnemonic) {
	case ZYDIS_MNEMONIC_VMASKMOVPS:
	case ZYDIS_MNEMONIC_VPMASKMOVD:
		out->size = 4;
		break;
	case ZYDIS_MNEMONIC_VMASKMOVPD:
	case ZYDIS_MNEMONIC_VPMASKMOVQ:
		out->size = 8;
		break;
	case ZYDIS_MNEMONIC_MASKMOVDQU:
	case ZYDIS_MNEMONIC_VMASKMOVDQU:
		out->size = 1;
		break;
	default:
		/* maskmovq: its mask is an MMX register, which the shim does not read; all eight bytes count */
		return false;
	}
	if (!is_vector(mask))
		return false;
	out->shape = MADT_SHAPE_MASKED;
	out->elements = (uint8_t)(operand->size / 8 / out->size);
	out->mask = MADT_MASK_VECTOR | register_number(mask);
	out->mask_size = (uint8_t)out->size;
	return true;
}

static bool is_compressed(ZydisMnemonic mnemonic)
{
	switch (mnemonic) {
	case ZYDIS_MNEMONIC_VCOMPRESSPS:
	case ZYDIS_MNEMONIC_VCOMPRESSPD:
	case ZYDIS_MNEMONIC_VPCOMPRESSB:
	case ZYDIS_MNEMONIC_VPCOMPRESSW:
	case ZYDIS_MNEMONIC_VPCOMPRESSD:
	case ZYDIS_MNEMONIC_VPCOMPRESSQ:
	case ZYDIS_MNEMONIC_VEXPANDPS:
	case ZYDIS_MNEMONIC_VEXPANDPD:
	case ZYDIS_MNEMONIC_VPEXPANDB:
	case ZYDIS_MNEMONIC_VPEXPANDW:
	case ZYDIS_MNEMONIC_VPEXPANDD:
	case ZYDIS_MNEMONIC_VPEXPANDQ:
		return true;
	default:
		return false;
	}
}

/* Instructions of these classes read the whole operand, whatever the mask says (SDM volume 2, 2.8: no fault suppression). */
static bool reads_whole(ZydisExceptionClass class)
{
	switch (class) {
	case ZYDIS_EXCEPTION_CLASS_E1NF:
	case ZYDIS_EXCEPTION_CLASS_E4NF:
	case ZYDIS_EXCEPTION_CLASS_E5NF:
	case ZYDIS_EXCEPTION_CLASS_E6NF:
	case ZYDIS_EXCEPTION_CLASS_E9NF:
	case ZYDIS_EXCEPTION_CLASS_E3NF:
		return true;
	default:
		return false;
	}
}

/*
 * An opmask takes elements out, unless the operand is one element for all: then it is accessed if any element takes part, and is counted
 * as one access.
 */
static void describe_opmask(const struct instruction *instruction, const ZydisDecodedOperand *operand,
		struct madt_code_operand *out)
{
	const ZydisDecodedInstructionAvx *avx = &instruction->decoded.avx;
	uint8_t mask = register_number(avx->mask.reg);
	unsigned element = operand->element_size / 8;

	if (instruction->decoded.encoding != ZYDIS_INSTRUCTION_ENCODING_EVEX || mask == MADT_REGISTER_NONE || mask == 0 ||
			avx->broadcast.mode != ZYDIS_BROADCAST_MODE_INVALID || avx->broadcast.is_static ||
			reads_whole(instruction->decoded.meta.exception_class))
		return;
	if (!element || operand->element_count > 64 || !operand->element_count)
		return;
	out->shape = is_compressed(instruction->decoded.mnemonic) ? MADT_SHAPE_COMPRESSED : MADT_SHAPE_MASKED;
	out->size = (uint16_t)element;
	out->elements = (uint8_t)operand->element_count;
	out->mask = mask;
}

static void describe(const struct instruction *instruction, const ZydisDecodedOperand *operand,
		struct madt_code_operand *out)
{
	memset(out, 0, sizeof *out);
	describe_address(instruction, operand, out);
	if (instruction->decoded.mnemonic == ZYDIS_MNEMONIC_XLAT) {
		out->shape = MADT_SHAPE_XLAT;
		out->index = 0; /* al */
		out->scale = 1;
	} else if (!describe_bit(instruction, out) && !describe_vector(instruction, out) &&
			!describe_vector_mask(instruction, operand, out)) {
		describe_opmask(instruction, operand, out);
	}
}

/* A masked store merges into memory, but reads nothing there. */
static uint8_t access_of(const struct instruction *instruction, const ZydisDecodedOperand *operand)
{
	bool reads = operand->actions & ZYDIS_OPERAND_ACTION_MASK_READ;
	bool writes = operand->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE;

	if (writes && reads && instruction->decoded.encoding == ZYDIS_INSTRUCTION_ENCODING_EVEX)
		reads = false;
	return (uint8_t)((reads ? MADT_LOAD : 0) | (writes ? MADT_STORE : 0));
}

unsigned operands_describe(const struct instruction *instruction, struct madt_code_operand out[OPERANDS_MAX])
{
	unsigned count = 0;

	if (accesses_nothing(&instruction->decoded))
		return 0;
	for (int loads = 1; loads >= 0; loads--)
		for (unsigned i = 0; i < instruction->decoded.operand_count; i++) {
			const ZydisDecodedOperand *operand = &instruction->operands[i];
			uint8_t access = operand->type == ZYDIS_OPERAND_TYPE_MEMORY &&
					operand->mem.type != ZYDIS_MEMOP_TYPE_AGEN
				? access_of(instruction, operand)
				: 0;

			if (!access || (access & MADT_LOAD) != loads)
				continue;
			describe(instruction, operand, &out[count]);
			out[count++].access = access;
		}
	return count;
}
