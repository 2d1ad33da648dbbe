#include "decode/site.h"

static uint8_t register_number(ZydisRegister name)
{
	if (name == ZYDIS_REGISTER_NONE)
		return MADT_REGISTER_NONE;
	if (name == ZYDIS_REGISTER_RIP || name == ZYDIS_REGISTER_EIP)
		return MADT_REGISTER_RIP;
	/* general and vector registers: as in encodings */
	return (uint8_t)ZydisRegisterGetId(name);
}

static uint8_t access_of(const ZydisDecodedOperand *source)
{
	bool load = source->actions & ZYDIS_OPERAND_ACTION_MASK_READ;
	bool store = source->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE;
	/* both: MADT_MODIFY */
	return (uint8_t)((load ? MADT_LOAD : 0) | (store ? MADT_STORE : 0));
}

static uint16_t size_of(const ZydisDecodedOperand *source)
{
	unsigned bytes = source->size / 8u;
	/*
	 * Tile rows (AMX) have no size in the encoding: TILECFG holds it. SDM vol. 2, TILELOADD: row r
	 * at base + r * index; at most 64 bytes. The first row stands for the tile.
	 */
	return (uint16_t)(bytes ? bytes : 64);
}

static uint8_t segment_of(ZydisRegister segment)
{
	if (segment == ZYDIS_REGISTER_FS)
		return MADT_SEGMENT_FS;
	return segment == ZYDIS_REGISTER_GS ? MADT_SEGMENT_GS : MADT_SEGMENT_NONE;
}

static uint8_t flags_of(const struct decoded *decoded, const ZydisDecodedOperand *source)
{
	const ZydisDecodedOperandMem *memory = &source->mem;
	bool implicit = source->visibility == ZYDIS_OPERAND_VISIBILITY_HIDDEN;
	/*
	 * The 67 prefix does not concern the stack pointer of push, call, leave … (SDM vol. 1, 6.2.5:
	 * stack address size).
	 */
	bool stack_engine = implicit
			&& (memory->base == ZYDIS_REGISTER_RSP || memory->base == ZYDIS_REGISTER_RBP);
	uint8_t flags = implicit ? MADT_OPERAND_IMPLICIT : 0;
	if (decoded->instruction.address_width == 32 && !stack_engine)
		flags |= MADT_OPERAND_ADDRESS32;
	bool rsp = memory->base == ZYDIS_REGISTER_RSP || memory->base == ZYDIS_REGISTER_ESP;
	/*
	 * leave pops from where rbp points and goes on with that as its stack: it is a stack access by
	 * its nature.
	 */
	if ((rsp || stack_engine) && segment_of(memory->segment) == MADT_SEGMENT_NONE)
		flags |= MADT_OPERAND_STACK;
	return flags;
}

struct madt_code_operand operand_plain(const struct decoded *decoded,
		const ZydisDecodedOperand *source)
{
	const ZydisDecodedOperandMem *memory = &source->mem;
	bool tile = decoded->instruction.meta.category == ZYDIS_CATEGORY_AMX_TILE;
	struct madt_code_operand operand = {
		.access = access_of(source),
		.shape = MADT_SHAPE_PLAIN,
		.base = register_number(memory->base),
		.index = tile ? MADT_REGISTER_NONE : register_number(memory->index),
		.scale = memory->index == ZYDIS_REGISTER_NONE || tile ? 1 : memory->scale,
		.segment = segment_of(memory->segment),
		.flags = flags_of(decoded, source),
		.mask = MADT_REGISTER_NONE,
		.size = size_of(source),
		.elements = 1,
		.number = source->id,
		.displacement = memory->disp.value,
	};
	if (operand.base == MADT_REGISTER_RIP)
		operand.displacement += (int64_t)(decoded->address + decoded->instruction.length);
	return operand;
}
