#include "decode/decoder.h"

#include <stdlib.h>
#include <string.h>

#define KNOWN_MAX (1u << 16)
#define SLOTS (2 * KNOWN_MAX)
#define KNOWN_OPERANDS 2

/* The bytes of a head, zeros behind them. */
struct head {
	uint64_t low, high;
};

/* What instructions with the same head have in common. */
struct known_instruction {
	struct head head;
	bool kept;                 /* else Zydis is to be asked each time */
	uint8_t displacement;      /* where it is; 0: none */
	uint8_t displacement_size; /* bytes: 1 or 4 */
	uint8_t target;            /* where the distance to the target is; 0: none */
	uint8_t target_size;
	uint8_t displaced; /* operands to which the displacement is to be added, a bit each */
	bool listed;
	bool locked;
	bool blank;
	uint8_t frame;
	uint8_t reference_bytes;
	bool names_only;
	struct insn insn;             /* without address and target */
	struct madt_code_entry entry; /* likewise */
	/* without the displacement, and the address where RIP is the base */
	struct madt_code_operand operands[KNOWN_OPERANDS];
};

struct known {
	uint32_t slots[SLOTS]; /* by hash: 1 + index of an item; 0: empty */
	struct known_instruction items[KNOWN_MAX];
};

bool decoder_make(struct decoder *decoder)
{
	decoder->count = 0;
	/* pages that nobody touches cost nothing */
	decoder->known = calloc(1, sizeof *decoder->known);
	return ZYAN_SUCCESS(ZydisDecoderInit(&decoder->zydis, ZYDIS_MACHINE_MODE_LONG_64,
			ZYDIS_STACK_WIDTH_64));
}

void decoder_free(struct decoder *decoder)
{
	free(decoder->known);
}

/* ---------------------------------------------------------------- Zydis */

static bool is_blank(const ZydisDecodedInstruction *instruction)
{
	return instruction->meta.category == ZYDIS_CATEGORY_NOP
			|| instruction->meta.category == ZYDIS_CATEGORY_WIDENOP
			|| instruction->mnemonic == ZYDIS_MNEMONIC_INT3;
}

bool decoder_ask(const struct decoder *decoder, const uint8_t *bytes, size_t available,
		uint64_t address, struct decoded *decoded, struct instruction *instruction)
{
	decoded->address = address;
	if (!ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder->zydis, bytes, available,
				&decoded->instruction, decoded->operands)))
		return false;
	instruction->reference = insn_describe(decoded, &instruction->insn);
	instruction->listed = site_describe(decoded, &instruction->site);
	instruction->locked = decoded->instruction.attributes & ZYDIS_ATTRIB_HAS_LOCK;
	instruction->blank = is_blank(&decoded->instruction);
	instruction->frame = (uint8_t)frame_effect_of(decoded);
	return true;
}

/* ---------------------------------------------------------------- what is known */

static int64_t number_at(const uint8_t *bytes, unsigned size)
{
	int32_t value;
	if (size == 1)
		return (int8_t)*bytes;
	memcpy(&value, bytes, sizeof value);
	return value;
}

static struct head head_of(const uint8_t *bytes, unsigned length)
{
	struct head head;
	memcpy(&head, bytes, sizeof head);
	if (length < 8)
		head = (struct head){ head.low & ((UINT64_C(1) << 8 * length) - 1), 0 };
	else
		head.high &= (UINT64_C(1) << 8 * (length - 8)) - 1;
	return head;
}

/* The slot of this head, or the empty one in which it is missing. */
static uint32_t *slot_find(struct known *known, struct head head)
{
	uint64_t hash = (head.low ^ head.high * UINT64_C(0xc2b2ae3d27d4eb4f))
			* UINT64_C(0x9e3779b97f4a7c15);
	uint32_t at = (uint32_t)(hash >> 40) % SLOTS;
	while (known->slots[at]) {
		const struct known_instruction *item = &known->items[known->slots[at] - 1];
		if (item->head.low == head.low && item->head.high == head.high)
			break;
		at = (at + 1) % SLOTS;
	}
	return &known->slots[at];
}

/* False: its target is such that it is described otherwise. */
static bool known_apply(const struct known_instruction *known, const uint8_t *bytes,
		uint64_t address, struct instruction *instruction)
{
	struct insn *insn = &instruction->insn;
	const uint64_t behind = address + known->insn.length;
	const int64_t displacement = known->displacement
			? number_at(bytes + known->displacement, known->displacement_size)
			: 0;
	*insn = known->insn;
	insn->address = (uint32_t)address;
	instruction->site.entry = known->entry;
	instruction->site.entry.offset = (uint32_t)address;
	if (known->target) {
		const uint64_t target = behind
				+ (uint64_t)number_at(bytes + known->target, known->target_size);
		if (!target || target > UINT32_MAX)
			return false;
		insn->target = (uint32_t)target;
		if (known->entry.flags & MADT_CODE_CALL_DIRECT)
			instruction->site.entry.target = (uint32_t)target;
	}
	for (unsigned i = 0; i < known->entry.operands; i++) {
		struct madt_code_operand *operand = &instruction->site.operands[i];
		*operand = known->operands[i];
		operand->displacement += (known->displaced >> i & 1 ? displacement : 0)
				+ (operand->base == MADT_REGISTER_RIP ? (int64_t)behind : 0);
	}
	instruction->reference = (struct reference){ 0, known->reference_bytes, known->names_only };
	if (known->reference_bytes)
		instruction->reference.address = behind + (uint64_t)displacement;
	instruction->listed = known->listed;
	instruction->locked = known->locked;
	instruction->blank = known->blank;
	instruction->frame = known->frame;
	return true;
}

/*
 * Returns whether the head ends where Zydis sees the displacement, the immediate value or the
 * instruction's end.
 */
static bool head_is_right(const ZydisDecodedInstruction *instruction, unsigned head)
{
	unsigned end = instruction->length;
	if (instruction->raw.disp.size && instruction->raw.disp.offset < end)
		end = instruction->raw.disp.offset;
	for (unsigned i = 0; i < 2; i++)
		if (instruction->raw.imm[i].size && instruction->raw.imm[i].offset < end)
			end = instruction->raw.imm[i].offset;
	return head == end && instruction->address_width == 64
			&& (instruction->raw.disp.size == 0 || instruction->raw.disp.size == 8
					|| instruction->raw.disp.size == 32);
}

/* Takes the displacement out of the operands. False: they are made of it otherwise. */
static bool operands_strip(const struct decoded *decoded, const struct instruction *instruction,
		int64_t displacement, struct known_instruction *known)
{
	if (instruction->site.entry.operands > KNOWN_OPERANDS)
		return false;
	for (unsigned i = 0; i < instruction->site.entry.operands; i++) {
		struct madt_code_operand *operand = &known->operands[i];
		*operand = instruction->site.operands[i];
		const ZydisDecodedOperand *source = &decoded->operands[operand->number];
		bool spelt = source->visibility != ZYDIS_OPERAND_VISIBILITY_HIDDEN
				&& decoded->instruction.raw.disp.size;
		if (source->type != ZYDIS_OPERAND_TYPE_MEMORY
				|| source->mem.disp.value != (spelt ? displacement : 0))
			return false;
		known->displaced |= (uint8_t)(spelt << i);
		operand->displacement -= source->mem.disp.value;
		if (operand->base == MADT_REGISTER_RIP)
			operand->displacement -= (int64_t)(decoded->address + decoded->instruction.length);
	}
	return true;
}

/* Notes where the distance to the target stands. False: it is none of 8 or 32 bits. */
static bool target_strip(const struct decoded *decoded, const uint8_t *bytes,
		struct known_instruction *known)
{
	const ZydisDecodedInstruction *instruction = &decoded->instruction;
	bool direct = decoded->operands[0].type == ZYDIS_OPERAND_TYPE_IMMEDIATE
			&& decoded->operands[0].imm.is_relative;
	if (!direct)
		return !(known->insn.flags & INSN_BRANCHES);
	known->target = instruction->raw.imm[0].offset;
	known->target_size = instruction->raw.imm[0].size / 8;
	return (known->target_size == 1 || known->target_size == 4) && known->insn.flags & INSN_BRANCHES
			&& known->insn.target
			== decoded->address + instruction->length
					+ (uint64_t)number_at(bytes + known->target, known->target_size);
}

static bool reference_strip(const struct decoded *decoded, const struct instruction *instruction,
		int64_t displacement, struct known_instruction *known)
{
	known->reference_bytes = (uint8_t)instruction->reference.bytes;
	known->names_only = instruction->reference.names_only;
	return instruction->reference.bytes <= UINT8_MAX
			&& (!instruction->reference.bytes
					|| instruction->reference.address
							== decoded->address + decoded->instruction.length
									+ (uint64_t)displacement);
}

static struct known_instruction known_make(const struct decoded *decoded, const uint8_t *bytes,
		unsigned head, const struct instruction *instruction)
{
	struct known_instruction known = {
		.head = head_of(bytes, head),
		.displacement = decoded->instruction.raw.disp.size ? decoded->instruction.raw.disp.offset
														   : 0,
		.displacement_size = decoded->instruction.raw.disp.size / 8,
		.listed = instruction->listed,
		.locked = instruction->locked,
		.blank = instruction->blank,
		.frame = instruction->frame,
		.insn = instruction->insn,
		.entry = instruction->site.entry,
	};
	if (!head_is_right(&decoded->instruction, head))
		return known;
	int64_t displacement = known.displacement
			? number_at(bytes + known.displacement, known.displacement_size)
			: 0;
	known.kept = operands_strip(decoded, instruction, displacement, &known)
			&& target_strip(decoded, bytes, &known)
			&& reference_strip(decoded, instruction, displacement, &known);
	return known;
}

bool decoder_read(struct decoder *decoder, const uint8_t *bytes, size_t available, uint64_t address,
		struct instruction *instruction)
{
	struct decoded decoded;
	unsigned head = decoder->known && available >= DECODER_AHEAD ? head_length(bytes) : 0;
	if (!head || head >= DECODER_AHEAD)
		return decoder_ask(decoder, bytes, available, address, &decoded, instruction);
	uint32_t *slot = slot_find(decoder->known, head_of(bytes, head));
	const struct known_instruction *known = *slot ? &decoder->known->items[*slot - 1] : NULL;
	if (known && known->kept && known_apply(known, bytes, address, instruction))
		return true;
	if (!decoder_ask(decoder, bytes, available, address, &decoded, instruction))
		return false;
	if (!known && decoder->count < KNOWN_MAX) {
		decoder->known->items[decoder->count++] = known_make(&decoded, bytes, head, instruction);
		*slot = (uint32_t)decoder->count;
	}
	return true;
}
