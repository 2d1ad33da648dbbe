/*
 * The words of a masked move (AVX-512): the address of element i where bit i of an opmask register
 * is set. The other words stay all ones, as chunks are. Eight elements at a time; zmm31 and one
 * opmask register are spilled around it. The instruction that is recorded needs AVX-512 itself;
 * what is used here beyond AVX512F is AVX512BW (kmovq, kshiftrq), which every processor but the
 * Knights line has.
 *
 *        vmovdqu64    gs:[vector], zmm31
 *        kmovq        gs:[mask], kS
 *        jmp          1f
 *   0:   0, size, 2 size … 7 size
 *   1:   vpbroadcastq zmm31, address
 *        vpaddq       zmm31, zmm31, [0b]
 *        kshiftrq     kS, k, 8 g                g-th group; the first takes k itself
 *        vmovdqu64    [r1 + words]{kS}, zmm31
 *        lea          address, [address + 8 size]     and so on
 *        kmovq        kS, gs:[mask]
 *        vmovdqu64    zmm31, gs:[vector]
 */
#include "emit/emit.h"

#define GROUP 8u /* elements in a vector of addresses */
#define EVEX_STORE 0x7f
#define EVEX_LOAD 0x6f
#define KMOV_LOAD 0x90
#define KMOV_STORE 0x91
#define KSHIFT_RIGHT_Q 0x31
#define KSHIFT_RIGHT_W 0x30
#define KSHIFT_LEFT_W 0x32

/* SDM vol. 2, 2.7.1: R and R' of P0 are zmm31's in every instruction here. */
static void vector_spill(struct emit *emit, unsigned opcode)
{
	const uint8_t bytes[] = { 0x65, 0x62, 0x61, 0xfe, 0x48, (uint8_t)opcode, 0x3c, 0x25,
		MADT_GS_VECTOR, 0, 0, MADT_GS_AT >> 24 };
	emit_bytes(emit, bytes, sizeof bytes);
}

static void mask_spill(struct emit *emit, unsigned opcode, unsigned mask)
{
	const uint8_t bytes[] = { 0x65, 0xc4, 0xe1, 0xf8, (uint8_t)opcode, (uint8_t)(0x04 | mask << 3),
		0x25, MADT_GS_MASK, 0, 0, MADT_GS_AT >> 24 };
	emit_bytes(emit, bytes, sizeof bytes);
}

static void mask_shift(struct emit *emit, unsigned opcode, unsigned to, unsigned from,
		unsigned count)
{
	const uint8_t bytes[] = { 0xc4, 0xe3, 0xf9, (uint8_t)opcode, (uint8_t)(0xc0 | to << 3 | from),
		(uint8_t)count };
	emit_bytes(emit, bytes, sizeof bytes);
}

/* The multiples of the element size, jumped over. Returns their offset. */
static uint32_t multiples_emit(struct emit *emit, unsigned size)
{
	const uint8_t jump[] = { 0xeb, 8 * GROUP };
	emit_bytes(emit, jump, sizeof jump);
	uint32_t at = (uint32_t)emit->size;
	for (uint64_t i = 0; i < GROUP; i++) {
		uint64_t multiple = i * size;
		emit_bytes(emit, &multiple, sizeof multiple);
	}
	return at;
}

static void addresses_emit(struct emit *emit, unsigned address, uint32_t multiples)
{
	const uint8_t broadcast[] = { 0x62, (uint8_t)(0x42 | (~address & 8) << 2), 0xfd, 0x48, 0x7c,
		(uint8_t)(0xf8 | (address & 7)) };
	const uint8_t add[] = { 0x62, 0x61, 0x85, 0x40, 0xd4, 0x3d };
	emit_bytes(emit, broadcast, sizeof broadcast);
	emit_bytes(emit, add, sizeof add);
	int32_t displacement = (int32_t)(multiples - (emit->size + 4));
	emit_bytes(emit, &displacement, sizeof displacement);
}

static void words_store(struct emit *emit, unsigned base, int32_t displacement, unsigned mask)
{
	const uint8_t start[] = { 0x62, (uint8_t)(0x41 | (~base & 8) << 2), 0xfe,
		(uint8_t)(0x48 | mask), EVEX_STORE, (uint8_t)(0xb8 | (base & 7)) };
	const uint8_t sib = 0x24;
	emit_bytes(emit, start, sizeof start);
	if ((base & 7) == 4)
		emit_bytes(emit, &sib, 1);
	emit_bytes(emit, &displacement, sizeof displacement);
}

void emit_masked(struct emit *emit, const struct madt_code_operand *operand, unsigned base,
		int32_t words, unsigned address)
{
	const unsigned scratch = operand->mask == 7 ? 6 : 7;
	const unsigned elements = operand->elements;
	vector_spill(emit, EVEX_STORE);
	mask_spill(emit, KMOV_STORE, scratch);
	uint32_t multiples = multiples_emit(emit, operand->size);
	for (unsigned done = 0; done < elements; done += GROUP) {
		unsigned mask = done ? scratch : operand->mask;
		if (done) {
			emit_lea(emit, address,
					(struct emit_address){
							(uint8_t)address, MADT_REGISTER_NONE, 1, GROUP * operand->size },
					false);
			mask_shift(emit, KSHIFT_RIGHT_Q, scratch, operand->mask, done);
		} else if (elements < GROUP) { /* bits beyond the last element do not count */
			mask = scratch;
			mask_shift(emit, KSHIFT_LEFT_W, scratch, operand->mask, 16 - elements);
			mask_shift(emit, KSHIFT_RIGHT_W, scratch, scratch, 16 - elements);
		}
		addresses_emit(emit, address, multiples);
		words_store(emit, base, words + 8 * (int32_t)done, mask);
	}
	mask_spill(emit, KMOV_LOAD, scratch);
	vector_spill(emit, EVEX_LOAD);
}
