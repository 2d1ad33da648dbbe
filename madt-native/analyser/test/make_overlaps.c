/*
 * Prints functions of random bytes for splice_cases.S, in which instructions overlap: branches lead
 * into the midst of others, into immediate values, behind prefixes and into their own second byte.
 *
 *   make_overlaps FUNCTIONS SEED
 *
 * Bytes are drawn until every way through them, also from behind each jump, is made of plain
 * instructions that access memory around rdi, rsi or rsp, and comes to the end of the function.
 * Branches lead forward, so every way ends. In every third function a table of addresses leads to
 * some of the instructions, and in every third a table of distances.
 */
#include <Zydis/Zydis.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BYTES_MAX 64
#define TARGETS 8 /* rdx is smaller */

struct block {
	uint8_t bytes[BYTES_MAX];
	unsigned size;
	uint8_t lengths[BYTES_MAX]; /* of the instructions that are reached; 0: none starts here */
	unsigned starts[TARGETS];   /* of the table, if there is one */
	unsigned inner;             /* instructions that begin within others */
	unsigned inner_sites;       /* of them, those that access memory */
};

static ZydisDecoder decoder;
static uint64_t random_state;

static unsigned random_below(unsigned limit)
{
	random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (unsigned)((random_state >> 33) % limit);
}

/* ---------------------------------------------------------------- which instructions */

static bool mnemonic_is_plain(ZydisMnemonic mnemonic)
{
	static const ZydisMnemonic plain[] = { ZYDIS_MNEMONIC_MOV, ZYDIS_MNEMONIC_ADD,
		ZYDIS_MNEMONIC_OR, ZYDIS_MNEMONIC_ADC, ZYDIS_MNEMONIC_SBB, ZYDIS_MNEMONIC_AND,
		ZYDIS_MNEMONIC_SUB, ZYDIS_MNEMONIC_XOR, ZYDIS_MNEMONIC_CMP, ZYDIS_MNEMONIC_TEST,
		ZYDIS_MNEMONIC_INC, ZYDIS_MNEMONIC_DEC, ZYDIS_MNEMONIC_NEG, ZYDIS_MNEMONIC_NOT,
		ZYDIS_MNEMONIC_LEA, ZYDIS_MNEMONIC_XCHG, ZYDIS_MNEMONIC_NOP, ZYDIS_MNEMONIC_MOVZX,
		ZYDIS_MNEMONIC_MOVSX, ZYDIS_MNEMONIC_MOVSXD, ZYDIS_MNEMONIC_BSWAP, ZYDIS_MNEMONIC_CDQ,
		ZYDIS_MNEMONIC_CDQE, ZYDIS_MNEMONIC_CQO, ZYDIS_MNEMONIC_STC, ZYDIS_MNEMONIC_CLC,
		ZYDIS_MNEMONIC_CMC, ZYDIS_MNEMONIC_XADD, ZYDIS_MNEMONIC_CMPXCHG, ZYDIS_MNEMONIC_STOSB,
		ZYDIS_MNEMONIC_STOSD, ZYDIS_MNEMONIC_MOVSB, ZYDIS_MNEMONIC_MOVSD, ZYDIS_MNEMONIC_LODSB,
		ZYDIS_MNEMONIC_JMP };
	for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
		if (plain[i] == mnemonic)
			return true;
	return false;
}

static bool is_branch(const ZydisDecodedInstruction *instruction)
{
	return instruction->meta.category == ZYDIS_CATEGORY_COND_BR
			|| instruction->mnemonic == ZYDIS_MNEMONIC_JMP;
}

/* loop, jrcxz and branches of 16 bits are not copied, so that what they overlap stays unrecorded */
static bool branch_is_plain(const ZydisDecodedInstruction *instruction,
		const ZydisDecodedOperand *operands)
{
	return operands[0].type == ZYDIS_OPERAND_TYPE_IMMEDIATE && instruction->operand_width != 16
			&& (instruction->opcode & 0xfc) != 0xe0 && operands[0].imm.value.s >= -1;
}

static bool memory_is_plain(const ZydisDecodedInstruction *instruction,
		const ZydisDecodedOperand *operand)
{
	const ZydisRegister base = operand->mem.base;
	const int64_t most = base == ZYDIS_REGISTER_RSP ? 64 : 8192;
	if (operand->mem.type == ZYDIS_MEMOP_TYPE_AGEN)
		return base != ZYDIS_REGISTER_RIP && base != ZYDIS_REGISTER_EIP;
	return (base == ZYDIS_REGISTER_RDI || base == ZYDIS_REGISTER_RSI
				   || (base == ZYDIS_REGISTER_RSP
						   && !(operand->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE)))
			&& operand->mem.index == ZYDIS_REGISTER_NONE
			&& operand->mem.segment != ZYDIS_REGISTER_FS
			&& operand->mem.segment != ZYDIS_REGISTER_GS && operand->mem.disp.value <= most
			&& operand->mem.disp.value >= (base == ZYDIS_REGISTER_RSP ? 0 : -most)
			&& !(instruction->attributes & (ZYDIS_ATTRIB_HAS_REP | ZYDIS_ATTRIB_HAS_REPNE));
}

/* Pointers stay what they are, but for a step of a string instruction. */
static bool register_is_plain(const ZydisDecodedOperand *operand)
{
	const ZydisRegister whole = ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64,
			operand->reg.value);
	const bool written = operand->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE;
	const bool hidden = operand->visibility == ZYDIS_OPERAND_VISIBILITY_HIDDEN;
	const ZydisRegisterClass class = ZydisRegisterGetClass(operand->reg.value);
	if (class == ZYDIS_REGCLASS_SEGMENT || class == ZYDIS_REGCLASS_CONTROL
			|| class == ZYDIS_REGCLASS_DEBUG)
		return false;
	return !written || hidden
			|| (whole != ZYDIS_REGISTER_RDI && whole != ZYDIS_REGISTER_RSI
					&& whole != ZYDIS_REGISTER_RSP);
}

static bool insn_is_plain(const ZydisDecodedInstruction *instruction,
		const ZydisDecodedOperand *operands, bool *site)
{
	*site = false;
	if (is_branch(instruction))
		return branch_is_plain(instruction, operands);
	if (!mnemonic_is_plain(instruction->mnemonic) || instruction->address_width != 64
			|| instruction->attributes & (ZYDIS_ATTRIB_HAS_XACQUIRE | ZYDIS_ATTRIB_HAS_XRELEASE))
		return false;
	for (unsigned i = 0; i < instruction->operand_count; i++) {
		const ZydisDecodedOperand *operand = &operands[i];
		if (operand->type == ZYDIS_OPERAND_TYPE_MEMORY) {
			if (!memory_is_plain(instruction, operand))
				return false;
			*site |= operand->mem.type != ZYDIS_MEMOP_TYPE_AGEN;
		}
		if (operand->type == ZYDIS_OPERAND_TYPE_REGISTER && !register_is_plain(operand))
			return false;
	}
	return true;
}

/* ---------------------------------------------------------------- blocks */

/* Beginnings that make overlaps likely; the rest is at random. */
static void bytes_draw(struct block *block)
{
	static const char *const pieces[] = { "\xeb\xff\xc0", "\xeb\xff\x07", "\x74\xff", "\x75\xff",
		"\xeb\x01", "\x74\x01", "\x75\x02", "\x72\x03", "\xb8\x89\x07", "\x05\xff\x06", "\x3d\x01",
		"\xa9\x8b\x0e", "\x48\xb8\x89\x46\x08", "\xf0\x01\x07", "\xf0\xff\x47\x10", "\x66\x89\x07",
		"\x48\x89\x07", "\x48\x8b\x46\x10", "\x89\x07", "\x8b\x06", "\xff\x07", "\xfe\x0f", "\x90",
		"\x86\x07", "\xaa", "\xa4", "\x0f\xb6\x07", "\x8b\x44\x24\x10", "\x81\xc0\x01", "\x8d\x40",
		"\x48\xff\xc0", "\xc7\x07", "\xc6\x06\x89", "\x80\x07" };
	block->size = 12 + random_below(BYTES_MAX - 12);
	for (unsigned at = 0; at < block->size;) {
		const char *piece = pieces[random_below(sizeof pieces / sizeof *pieces)];
		for (; *piece && at < block->size; piece++)
			block->bytes[at++] = (uint8_t)*piece;
		for (unsigned count = random_below(3); count && at < block->size; count--)
			block->bytes[at++] = (uint8_t)(random_below(4) ? random_below(8) : random_below(256));
	}
}

/* Notes the ways from an instruction on. False: one is not to be gone. */
static bool ways_follow(struct block *block, unsigned at, bool *sites)
{
	ZydisDecodedInstruction instruction;
	ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
	if (at == block->size)
		return true;
	if (at > block->size)
		return false;
	if (block->lengths[at])
		return true;
	if (!ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder, block->bytes + at, block->size - at,
				&instruction, operands))
			|| !insn_is_plain(&instruction, operands, &sites[at]))
		return false;
	block->lengths[at] = instruction.length;
	return ways_follow(block, at + instruction.length, sites)
			&& (!is_branch(&instruction)
					|| ways_follow(block,
							at + instruction.length + (unsigned)(int)operands[0].imm.value.s,
							sites));
}

static void inner_count(struct block *block, const bool *sites)
{
	block->inner = block->inner_sites = 0;
	for (unsigned at = 0; at < block->size; at++)
		for (unsigned i = 1; i < block->lengths[at] && at + i < block->size; i++)
			if (block->lengths[at + i]) {
				block->inner++;
				block->inner_sites += sites[at + i] || sites[at];
			}
}

/* Draws where a table may lead: some are found by it alone. */
static bool targets_draw(struct block *block, bool *sites)
{
	for (unsigned i = 0; i < TARGETS; i++) {
		block->starts[i] = random_below(block->size);
		if (!ways_follow(block, block->starts[i], sites))
			return false;
	}
	return true;
}

static void block_draw(struct block *block, bool table)
{
	for (;;) {
		bool sites[BYTES_MAX] = { false };
		memset(block, 0, sizeof *block);
		bytes_draw(block);
		if (!ways_follow(block, 0, sites) || (table && !targets_draw(block, sites)))
			continue;
		inner_count(block, sites);
		if (block->inner > 1 && block->inner_sites)
			return;
	}
}

/* ---------------------------------------------------------------- printed */

static void bytes_print(const struct block *block)
{
	for (unsigned at = 0; at < block->size; at++)
		printf("%s0x%02x%s", at % 16 ? "" : "\t.byte ", block->bytes[at],
				at % 16 == 15 || at + 1 == block->size ? "\n" : ", ");
}

static void addresses_print(const struct block *block, unsigned number)
{
	printf("\tlea rax, [rip + 2f]\n\tjmp [rax + rdx * 8]\n\t.pushsection .data.rel.ro, "
		   "\"aw\"\n2:\n");
	for (unsigned i = 0; i < TARGETS; i++)
		printf("\t.quad .Lblock_%u + %u\n", number, block->starts[i]);
	printf("\t.popsection\n");
}

static void distances_print(const struct block *block, unsigned number)
{
	printf("\tlea rax, [rip + 2f]\n\tmovsxd rdx, [rax + rdx * 4]\n\tadd rdx, rax\n\tjmp rdx\n"
		   "\t.pushsection .rodata\n\t.p2align 2\n2:\n");
	for (unsigned i = 0; i < TARGETS; i++)
		printf("\t.long .Lblock_%u + %u - 2b\n", number, block->starts[i]);
	printf("\t.popsection\n");
}

/* A block that tables may lead to, and more behind it. */
static void case_print(unsigned number)
{
	struct block block;
	const unsigned kind = number % 3;
	const char *const names[] = { "overlaps", "overlap_addresses", "overlap_distances" };
	block_draw(&block, kind != 0);
	printf("\n\tcase %s_%u\n", names[kind], number);
	if (kind == 1)
		addresses_print(&block, number);
	if (kind == 2)
		distances_print(&block, number);
	printf(".Lblock_%u:\n", number);
	bytes_print(&block);
	for (unsigned more = random_below(4); more; more--) {
		block_draw(&block, false);
		bytes_print(&block);
	}
	printf("\tend %s_%u\n", names[kind], number);
}

int main(int count, char **arguments)
{
	if (count != 3)
		return 2;
	ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
	random_state = strtoull(arguments[2], NULL, 0);
	for (unsigned i = 0; i < strtoul(arguments[1], NULL, 0); i++)
		case_print(i);
	return 0;
}
