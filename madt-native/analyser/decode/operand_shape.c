/* The operands whose address or addresses are more than base + index * scale + displacement. */
#include "decode/site.h"

/*
 * EVEX exception classes without fault suppression (SDM vol. 2, 2.8.8, "NF"): the whole operand is
 * read whatever the mask.
 */
static bool class_reads_all(ZydisExceptionClass class)
{
	switch (class) {
	case ZYDIS_EXCEPTION_CLASS_E1NF:
	case ZYDIS_EXCEPTION_CLASS_E2NF:
	case ZYDIS_EXCEPTION_CLASS_E3NF:
	case ZYDIS_EXCEPTION_CLASS_E4NF:
	case ZYDIS_EXCEPTION_CLASS_E5NF:
	case ZYDIS_EXCEPTION_CLASS_E6NF:
	case ZYDIS_EXCEPTION_CLASS_E9NF:
	case ZYDIS_EXCEPTION_CLASS_E10NF:
	case ZYDIS_EXCEPTION_CLASS_E11NF:
		return true;
	default:
		return false;
	}
}

/*
 * Sources whose elements do not go with mask elements one to one, although Zydis gives them a class
 * with suppression: VDBPSADBW (SDM vol. 2: E4NF.nb), VCVTNE2PS2BF16 (E4NF; the source fills half of
 * the lanes), GF2P8AFFINE* (a byte mask over 8-byte matrices: each serves eight lanes), V4FMADD*
 * and VP4DPWSSD* (four values for all lanes).
 */
static bool source_is_shared(const ZydisDecodedInstruction *instruction)
{
	switch (instruction->mnemonic) {
	case ZYDIS_MNEMONIC_VDBPSADBW:
	case ZYDIS_MNEMONIC_VCVTNE2PS2BF16:
	case ZYDIS_MNEMONIC_VGF2P8AFFINEQB:
	case ZYDIS_MNEMONIC_VGF2P8AFFINEINVQB:
		return true;
	default:
		return instruction->meta.category == ZYDIS_CATEGORY_AVX512_4FMAPS
				|| instruction->meta.category == ZYDIS_CATEGORY_AVX512_4VNNIW;
	}
}

static bool opmask_in_use(const ZydisDecodedInstruction *instruction)
{
	return instruction->avx.mask.reg >= ZYDIS_REGISTER_K1
			&& instruction->avx.mask.reg <= ZYDIS_REGISTER_K7;
}

static uint8_t opmask_number(const ZydisDecodedInstruction *instruction)
{
	return (uint8_t)(instruction->avx.mask.reg - ZYDIS_REGISTER_K0);
}

static void elements_set(struct madt_code_operand *operand, enum madt_shape shape,
		unsigned elements, unsigned size)
{
	operand->shape = (uint8_t)shape;
	operand->elements = (uint8_t)elements;
	operand->size = (uint16_t)size;
}

static void mask_vector(struct madt_code_operand *operand, const ZydisDecodedOperand *mask,
		unsigned element_size)
{
	operand->mask = (uint8_t)(MADT_MASK_VECTOR | (unsigned)ZydisRegisterGetId(mask->reg.value));
	operand->mask_size = (uint8_t)element_size;
}

static unsigned vsib_index_size(ZydisMnemonic mnemonic)
{
	switch (mnemonic) {
	case ZYDIS_MNEMONIC_VGATHERDPS:
	case ZYDIS_MNEMONIC_VGATHERDPD:
	case ZYDIS_MNEMONIC_VPGATHERDD:
	case ZYDIS_MNEMONIC_VPGATHERDQ:
	case ZYDIS_MNEMONIC_VSCATTERDPS:
	case ZYDIS_MNEMONIC_VSCATTERDPD:
	case ZYDIS_MNEMONIC_VPSCATTERDD:
	case ZYDIS_MNEMONIC_VPSCATTERDQ:
		return 4;
	default:
		return 8;
	}
}

/*
 * As many elements as fit both as indices and as data into the vector length (SDM vol. 2,
 * VGATHERQPS: KL 2, 4, 8).
 */
static void shape_gather(const struct decoded *decoded, struct madt_code_operand *operand)
{
	const ZydisDecodedInstruction *instruction = &decoded->instruction;
	unsigned index_size = vsib_index_size(instruction->mnemonic);
	unsigned widest = index_size > operand->size ? index_size : operand->size;
	elements_set(operand, MADT_SHAPE_VECTOR, instruction->avx.vector_length / 8u / widest,
			operand->size);
	operand->index_size = (uint8_t)index_size;
	if (instruction->meta.category == ZYDIS_CATEGORY_AVX2GATHER)
		mask_vector(operand, &decoded->operands[2], operand->size);
	else
		operand->mask = opmask_number(instruction);
}

static void shape_opmask(const ZydisDecodedInstruction *instruction,
		const ZydisDecodedOperand *source, struct madt_code_operand *operand)
{
	bool packed = instruction->meta.category == ZYDIS_CATEGORY_EXPAND
			|| instruction->meta.category == ZYDIS_CATEGORY_COMPRESS;
	bool load = operand->access == MADT_LOAD;
	if (instruction->avx.broadcast.mode != ZYDIS_BROADCAST_MODE_INVALID)
		return; /* one element for all lanes: PLAIN */
	if (load && !packed
			&& (class_reads_all(instruction->meta.exception_class)
					|| source_is_shared(instruction)))
		return;
	if (!source->element_size || source->element_count > 64 || source->element_count == 0)
		return;
	elements_set(operand, packed ? MADT_SHAPE_COMPRESSED : MADT_SHAPE_MASKED, source->element_count,
			source->element_size / 8u);
	operand->mask = opmask_number(instruction);
}

/*
 * bt and its kin with a register: the register is a signed bit number from the operand's address
 * (SDM vol. 2, 3.1.1.9, "bit base and bit offset"). With an immediate the number is taken modulo
 * the size: PLAIN.
 */
static void shape_bit(const struct decoded *decoded, struct madt_code_operand *operand)
{
	const ZydisDecodedOperand *number = &decoded->operands[1];
	if (number->type != ZYDIS_OPERAND_TYPE_REGISTER)
		return;
	operand->shape = MADT_SHAPE_BIT;
	operand->mask = (uint8_t)ZydisRegisterGetId(number->reg.value);
}

static void shape_xlat(struct madt_code_operand *operand)
{
	operand->shape = MADT_SHAPE_XLAT;
	operand->index = 0;
	operand->scale = 1;
}

void operand_shape(const struct decoded *decoded, const ZydisDecodedOperand *source,
		struct madt_code_operand *operand)
{
	switch (decoded->instruction.mnemonic) {
	case ZYDIS_MNEMONIC_BT:
	case ZYDIS_MNEMONIC_BTS:
	case ZYDIS_MNEMONIC_BTR:
	case ZYDIS_MNEMONIC_BTC:
		shape_bit(decoded, operand);
		return;
	case ZYDIS_MNEMONIC_XLAT:
		shape_xlat(operand);
		return;
	case ZYDIS_MNEMONIC_VMASKMOVPS:
	case ZYDIS_MNEMONIC_VMASKMOVPD:
	case ZYDIS_MNEMONIC_VPMASKMOVD:
	case ZYDIS_MNEMONIC_VPMASKMOVQ:
		elements_set(operand, MADT_SHAPE_MASKED, source->element_count, source->element_size / 8u);
		mask_vector(operand, &decoded->operands[1], operand->size);
		return;
	case ZYDIS_MNEMONIC_MASKMOVDQU:
	case ZYDIS_MNEMONIC_VMASKMOVDQU:
		elements_set(operand, MADT_SHAPE_MASKED, operand->size, 1);
		mask_vector(operand, &decoded->operands[1], 1);
		return;
	/*
	 * maskmovq too: its mask is an MMX register, which the code map cannot name; all eight bytes
	 * count
	 */
	default:
		break;
	}
	if (source->mem.type == ZYDIS_MEMOP_TYPE_VSIB)
		shape_gather(decoded, operand);
	else if (opmask_in_use(&decoded->instruction))
		shape_opmask(&decoded->instruction, source, operand);
}
