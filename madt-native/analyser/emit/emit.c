#include "emit/emit.h"

#include <stdlib.h>
#include <string.h>

#define REX 0x40
#define REX_W 8
#define LEA 0x8d
#define MOV_LOAD 0x8b
#define MOV_STORE 0x89
#define MOV_IMMEDIATE 0xc7
#define PREFIX_FS 0x64
#define PREFIX_GS 0x65
#define RM_SIB 4
#define SIB_NONE 0x25 /* no base, no index: disp32 alone */

void emit_free(struct emit *emit)
{
	free(emit->bytes);
	free(emit->fixups);
	free(emit->fars);
	free(emit->boundaries.bytes);
	free(emit->relocations);
	free(emit->loads);
}

/* Makes room for so many bytes more, fewer than 4096. False: there is none. */
bool emit_grow(struct emit *emit, size_t size)
{
	if (!emit->full && (emit->size >= INT32_MAX || !array_grow(&emit->bytes, &emit->capacity, 1)))
		emit->full = true;
	return size <= emit->capacity - emit->size;
}

/* An instruction that is put together byte by byte. */
struct piece {
	uint8_t bytes[16];
	unsigned size;
};

static void byte_add(struct piece *piece, unsigned byte)
{
	piece->bytes[piece->size++] = (uint8_t)byte;
}

static void word_add(struct piece *piece, int64_t value)
{
	int32_t word = (int32_t)value;
	memcpy(piece->bytes + piece->size, &word, sizeof word);
	piece->size += (unsigned)sizeof word;
}

static void piece_emit(struct emit *emit, const struct piece *piece)
{
	if (sizeof piece->bytes > emit->capacity - emit->size && !emit_grow(emit, sizeof piece->bytes))
		return;
	memcpy(emit->bytes + emit->size, piece->bytes, sizeof piece->bytes);
	emit->size += piece->size;
}

static void boundary_add(struct emit *emit, const struct madt_plan_boundary *boundary)
{
	emit->full |= !pack_add(&emit->boundaries, madt_plan_boundary_row(boundary));
}

void emit_boundary(struct emit *emit, uint32_t address)
{
	boundary_add(emit,
			&(struct madt_plan_boundary){ (uint32_t)emit->size, address, false,
					{ MADT_REGISTER_NONE, MADT_REGISTER_NONE } });
}

void emit_boundary_open(struct emit *emit, uint32_t address, const uint8_t held[2])
{
	boundary_add(emit,
			&(struct madt_plan_boundary){
					(uint32_t)emit->size, address, true, { held[0], held[1] } });
}

/* Returns what stands in a displacement's place until it has its value. */
static uint32_t target_code(struct emit *emit, int64_t target)
{
	if (target == EMIT_EPOCH || (target >= 0 && target < EMIT_FAR))
		return (uint32_t)target;
	if (array_reserve(&emit->fars, &emit->far_capacity, emit->far_count, sizeof *emit->fars))
		emit->fars[emit->far_count++] = (struct emit_far){ (uint32_t)emit->size, target };
	else
		emit->full = true;
	return EMIT_FAR;
}

void emit_displacement(struct emit *emit, int64_t target, unsigned behind)
{
	const uint32_t code = target_code(emit, target);
	if (!array_reserve(&emit->fixups, &emit->fixup_capacity, emit->fixup_count,
				sizeof *emit->fixups)) {
		emit->full = true;
		return;
	}
	emit->fixups[emit->fixup_count++] = (struct emit_fixup){ (uint32_t)emit->size,
		(uint8_t)behind };
	emit_bytes(emit, &code, sizeof code);
}

static bool register_is_real(unsigned number)
{
	return number < 16;
}

static void modrm_add(struct piece *piece, unsigned mod, unsigned reg, unsigned rm)
{
	byte_add(piece, mod << 6 | (reg & 7) << 3 | (rm & 7));
}

static unsigned scale_bits(unsigned scale)
{
	return scale == 8 ? 3 : scale == 4 ? 2 : scale == 2 ? 1 : 0;
}

/*
 * SDM vol. 2, table 2-2 and 2-3. rbp and r13 have no form without displacement; rsp and r12 need a
 * SIB byte.
 */
static void memory_add(struct piece *piece, unsigned reg, const struct emit_address *address)
{
	bool index = register_is_real(address->index);
	bool base = register_is_real(address->base);
	bool byte = address->displacement >= INT8_MIN && address->displacement <= INT8_MAX;
	unsigned mod = !base                                             ? 0
			: address->displacement == 0 && (address->base & 7) != 5 ? 0
			: byte                                                   ? 1
																	 : 2;
	bool sib = index || !base || (address->base & 7) == 4;
	modrm_add(piece, mod, reg, sib ? RM_SIB : address->base);
	if (sib)
		byte_add(piece,
				scale_bits(address->scale) << 6 | (index ? address->index & 7u : 4u) << 3
						| (base ? address->base & 7u : 5u));
	if (mod == 1)
		byte_add(piece, (unsigned)address->displacement);
	else if (mod == 2 || !base)
		word_add(piece, address->displacement);
}

static void instruction_add(struct emit *emit, unsigned width, unsigned opcode, unsigned reg,
		const struct emit_address *address, unsigned behind)
{
	struct piece piece = { .size = 0 };
	unsigned rex = REX | width | (reg & 8) >> 1;
	if (address->base == MADT_REGISTER_FS)
		byte_add(&piece, PREFIX_FS);
	if (register_is_real(address->index))
		rex |= (address->index & 8) >> 2;
	if (register_is_real(address->base))
		rex |= (address->base & 8) >> 3;
	if (rex != REX)
		byte_add(&piece, rex);
	byte_add(&piece, opcode);
	if (address->base == MADT_REGISTER_RIP)
		modrm_add(&piece, 0, reg, 5);
	else
		memory_add(&piece, reg, address);
	piece_emit(emit, &piece);
	if (address->base == MADT_REGISTER_RIP)
		emit_displacement(emit, address->displacement, behind);
}

/* Always MADT_PLAN_RESTART bytes. */
static void gs_add(struct emit *emit, unsigned opcode, unsigned reg, unsigned slot)
{
	struct piece piece = { .size = 0 };
	byte_add(&piece, PREFIX_GS);
	byte_add(&piece, REX | REX_W | (reg & 8) >> 1);
	byte_add(&piece, opcode);
	modrm_add(&piece, 0, reg, RM_SIB);
	byte_add(&piece, SIB_NONE);
	word_add(&piece, MADT_GS_AT + slot);
	piece_emit(emit, &piece);
}

void emit_gs_load(struct emit *emit, unsigned to, unsigned slot)
{
	gs_add(emit, MOV_LOAD, to, slot);
}

void emit_gs_store(struct emit *emit, unsigned from, unsigned slot)
{
	gs_add(emit, MOV_STORE, from, slot);
}

void emit_fs_base(struct emit *emit, unsigned to, bool kept)
{
	/* rdfsbase to */
	const uint8_t bytes[] = { 0xf3, (uint8_t)(REX | REX_W | (to & 8) >> 3), 0x0f, 0xae,
		(uint8_t)(0xc0 | (to & 7)) };
	if (kept)
		emit_gs_load(emit, to, MADT_GS_POINTER);
	else
		emit_bytes(emit, bytes, sizeof bytes);
}

void emit_lea(struct emit *emit, unsigned to, struct emit_address address, bool cut_to_32)
{
	instruction_add(emit, cut_to_32 ? 0 : REX_W, LEA, to, &address, 0);
}

void emit_load32(struct emit *emit, unsigned to, struct emit_address address)
{
	instruction_add(emit, 0, MOV_LOAD, to, &address, 0);
}

void emit_store32(struct emit *emit, unsigned from, struct emit_address address)
{
	instruction_add(emit, 0, MOV_STORE, from, &address, 0);
}

void emit_store64(struct emit *emit, unsigned from, struct emit_address address)
{
	instruction_add(emit, REX_W, MOV_STORE, from, &address, 0);
}

void emit_load64(struct emit *emit, unsigned to, struct emit_address address)
{
	instruction_add(emit, REX_W, MOV_LOAD, to, &address, 0);
}

/* movzx to, byte or word [address] */
static void emit_load_short(struct emit *emit, unsigned to, struct emit_address address,
		unsigned size)
{
	struct piece piece = { .size = 0 };
	unsigned rex = REX | (to & 8) >> 1;
	if (address.base == MADT_REGISTER_FS)
		byte_add(&piece, PREFIX_FS);
	if (register_is_real(address.base))
		rex |= (address.base & 8) >> 3;
	byte_add(&piece, rex);
	byte_add(&piece, 0x0f);
	byte_add(&piece, size == 1 ? 0xb6 : 0xb7);
	if (address.base == MADT_REGISTER_RIP)
		modrm_add(&piece, 0, to, 5);
	else
		memory_add(&piece, to, &address);
	piece_emit(emit, &piece);
	if (address.base == MADT_REGISTER_RIP)
		emit_displacement(emit, address.displacement, 0);
}

void emit_load_safe(struct emit *emit, unsigned to, struct emit_address address, unsigned size)
{
	if (!array_reserve(&emit->loads, &emit->load_capacity, emit->load_count, sizeof *emit->loads)) {
		emit->full = true;
		return;
	}
	emit->loads[emit->load_count++] = (struct emit_load){ (uint32_t)emit->size, 0, (uint8_t)to };
	if (size < 4)
		emit_load_short(emit, to, address, size);
	else if (size == 4)
		emit_load32(emit, to, address);
	else
		emit_load64(emit, to, address);
}

void emit_loads_resume(struct emit *emit, size_t first)
{
	for (; first < emit->load_count; first++)
		emit->loads[first].resume = (uint32_t)emit->size;
}

/* movq [address], xmm */
void emit_store_vector(struct emit *emit, unsigned from, struct emit_address address)
{
	struct piece piece = { .size = 0 };
	byte_add(&piece, 0x66);
	if ((address.base | from) & 8)
		byte_add(&piece, (uint8_t)(REX | (address.base & 8) >> 3 | (from & 8) >> 1));
	byte_add(&piece, 0x0f);
	byte_add(&piece, 0xd6);
	memory_add(&piece, from, &address);
	piece_emit(emit, &piece);
}

void emit_store_ones(struct emit *emit, struct emit_address address)
{
	static const int32_t ones = -1;
	instruction_add(emit, REX_W, MOV_IMMEDIATE, 0, &address, 4);
	emit_bytes(emit, &ones, sizeof ones);
}

void emit_store_template(struct emit *emit, uint32_t number, struct emit_address address)
{
	const uint32_t half = UINT32_C(0x80000000) | number;
	instruction_add(emit, 0, MOV_IMMEDIATE, 0, &address, 4);
	if (!array_reserve(&emit->relocations, &emit->relocation_capacity, emit->relocation_count,
				sizeof *emit->relocations)) {
		emit->full = true;
		return;
	}
	emit->relocations[emit->relocation_count++] = (uint32_t)emit->size;
	emit_bytes(emit, &half, sizeof half);
}

void emit_move_constant(struct emit *emit, unsigned to, uint64_t value)
{
	const uint8_t opcode[] = { (uint8_t)(REX | REX_W | (to & 8) >> 3), (uint8_t)(0xb8 | (to & 7)) };
	emit_bytes(emit, opcode, sizeof opcode);
	emit_bytes(emit, &value, sizeof value);
}

void emit_move_al(struct emit *emit, unsigned to)
{
	struct piece piece = { .size = 0 };
	if (to & 8)
		byte_add(&piece, REX | (to & 8) >> 1);
	byte_add(&piece, 0x0f);
	byte_add(&piece, 0xb6);
	modrm_add(&piece, 3, to, 0);
	piece_emit(emit, &piece);
}

void emit_jump(struct emit *emit, int64_t target)
{
	static const uint8_t jump = 0xe9;
	emit_bytes(emit, &jump, 1);
	emit_displacement(emit, target, 0);
}

void emit_branch(struct emit *emit, unsigned condition, int64_t target)
{
	const uint8_t branch[] = { 0x0f, (uint8_t)(0x80 | condition) };
	emit_bytes(emit, branch, sizeof branch);
	emit_displacement(emit, target, 0);
}
