/*
 * Addresses of operands from the registers before the instruction (Intel SDM volume 1, 3.7.5;
 * vector and mask registers from the XSAVE image of the signal frame, volume 1, chapter 13).
 */
#include "module/module.h"

#include <cpuid.h>

/* Where XSAVE keeps a component, standard format: CPUID leaf 0Dh. 0: not there. */
static uint32_t component_at[8];

enum component {
	COMPONENT_YMM_HIGH = 2,
	COMPONENT_OPMASK = 5,
	COMPONENT_ZMM_HIGH = 6,
	COMPONENT_ZMM_UPPER = 7
};

#define FX_XMM 160           /* of the FXSAVE area */
#define FX_SOFTWARE 464      /* struct _fpx_sw_bytes */
#define XSAVE_COMPONENTS 512 /* XSTATE_BV in the XSAVE header */

void operand_set_up(void)
{
	unsigned a, b, c, d;

	for (unsigned i = 2; i < 8; i++)
		if (__get_cpuid_count(0xd, i, &a, &b, &c, &d) && a)
			component_at[i] = b;
}

static const unsigned char *component(const ucontext_t *context, enum component which)
{
	const unsigned char *area = (const unsigned char *)context->uc_mcontext.fpregs;

	if (!area || !component_at[which] || *(const uint32_t *)(area + FX_SOFTWARE) != FP_XSTATE_MAGIC1
			|| !(*(const uint64_t *)(area + XSAVE_COMPONENTS) >> which & 1))
		return NULL;
	return area + component_at[which];
}

/* Copies vector register `number`, 64 bytes; parts in their initial state are zero. */
static void vector_register(const ucontext_t *context, unsigned number, unsigned char *out)
{
	const unsigned char *area = (const unsigned char *)context->uc_mcontext.fpregs;
	const unsigned char *part;

	bytes_set(out, 0, 64);
	if (number >= 16) {
		part = component(context, COMPONENT_ZMM_UPPER);
		if (part)
			bytes_copy(out, part + (number - 16) * 64, 64);
		return;
	}
	if (area)
		bytes_copy(out, area + FX_XMM + number * 16, 16);
	part = component(context, COMPONENT_YMM_HIGH);
	if (part)
		bytes_copy(out + 16, part + number * 16, 16);
	part = component(context, COMPONENT_ZMM_HIGH);
	if (part)
		bytes_copy(out + 32, part + number * 32, 32);
}

unsigned register_place(unsigned number)
{
	static const unsigned char place[16] = { REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP,
		REG_RSI, REG_RDI, REG_R8, REG_R9, REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15 };

	return place[number & 15];
}

static uint64_t general_register(const ucontext_t *context, unsigned number)
{
	return (uint64_t)context->uc_mcontext.gregs[register_place(number)];
}

static uint64_t segment_base(unsigned segment)
{
	uint64_t base = 0;

	if (segment != MADT_SEGMENT_NONE)
		SYS2(__NR_arch_prctl, segment == MADT_SEGMENT_FS ? 0x1003 : 0x1004, &base);
	return base;
}

/* A bit for each element that takes part. */
static uint64_t element_mask(const struct madt_code_operand *operand, const ucontext_t *context)
{
	unsigned char vector[64];
	uint64_t mask = 0;

	if (operand->mask == MADT_REGISTER_NONE || operand->shape == MADT_SHAPE_BIT)
		return UINT64_MAX;
	if (operand->mask < 8) {
		const unsigned char *masks = component(context, COMPONENT_OPMASK);

		return masks ? *(const uint64_t *)(masks + operand->mask * 8) : 0;
	}
	vector_register(context, operand->mask - MADT_MASK_VECTOR, vector);
	for (unsigned i = 0; i < operand->elements && (i + 1) * operand->mask_size <= 64; i++)
		mask |= (uint64_t)(vector[(i + 1) * operand->mask_size - 1] >> 7) << i;
	return mask;
}

static uint64_t bit_offset(const struct madt_code_operand *operand, const ucontext_t *context)
{
	int64_t bit = (int64_t)general_register(context, operand->mask);

	if (operand->size == 2)
		bit = (int16_t)bit;
	else if (operand->size == 4)
		bit = (int32_t)bit;
	return (uint64_t)((bit >> (operand->size == 2           ? 4
									   : operand->size == 4 ? 5
															: 6))
			* operand->size);
}

/* The scalar part: everything but a vector index. */
static uint64_t plain_address(const struct module *module, const struct madt_code_operand *operand,
		const ucontext_t *context)
{
	uint64_t sum = (uint64_t)operand->displacement;

	if (operand->base == MADT_REGISTER_RIP)
		sum += module->bias;
	else if (operand->base != MADT_REGISTER_NONE)
		sum += general_register(context, operand->base);
	if (operand->index != MADT_REGISTER_NONE && operand->shape != MADT_SHAPE_VECTOR) {
		uint64_t index = general_register(context, operand->index);

		sum += (operand->shape == MADT_SHAPE_XLAT ? index & 0xff : index) * operand->scale;
	}
	if (operand->shape == MADT_SHAPE_BIT)
		sum += bit_offset(operand, context);
	return sum;
}

static uint64_t vector_index(const struct madt_code_operand *operand, const unsigned char *vector,
		unsigned i)
{
	int64_t index = 0;

	if (operand->index_size == 4)
		index = ((const int32_t *)vector)[i & 15];
	else
		index = ((const int64_t *)vector)[i & 7];
	return (uint64_t)index * operand->scale;
}

uint32_t operand_addresses(const struct module *module, const struct madt_code_operand *operand,
		const ucontext_t *context, uint64_t *words)
{
	uint64_t plain = plain_address(module, operand, context);
	uint64_t segment = segment_base(operand->segment);
	uint64_t mask = element_mask(operand, context);
	unsigned char vector[64] __attribute__((aligned(8)));
	unsigned step = 0;

	if (operand->shape == MADT_SHAPE_VECTOR)
		vector_register(context, operand->index, vector);
	for (unsigned i = 0; i < operand->elements; i++) {
		uint64_t at = plain;

		if ((operand->flags & MADT_OPERAND_STACK) || !(mask >> i & 1)) {
			words[i] = MADT_WORD_NONE;
			continue;
		}
		if (operand->shape == MADT_SHAPE_VECTOR)
			at += vector_index(operand, vector, i);
		else if (operand->shape == MADT_SHAPE_MASKED)
			at += (uint64_t)i * operand->size;
		else if (operand->shape == MADT_SHAPE_COMPRESSED)
			at += (uint64_t)step++ * operand->size;
		if (operand->flags & MADT_OPERAND_ADDRESS32)
			at = (uint32_t)at;
		words[i] = at + segment;
	}
	return operand->elements;
}
