/*
 * How many entries a table has: the code in front of the jump compares the index. Backwards from
 * where the index is used, it is followed through copies; a comparison is kept until it is clear
 * whether the index was what it compares.
 *
 *   mov ecx, eax         the index is in eax here
 *   mov [rsp+8], rcx
 *   sub eax, 9           compares eax with 9
 *   ja default           not taken: at most 9
 *   mov rax, [rsp+8]     the index is in [rsp+8] here
 *   jmp [table+rax*8]
 */
#include "cfg/slice.h"

#define STEPS_MAX 400
#define WAYS_MAX 24
#define COMPARED_MAX 4
#define BOUND_MAX 8192

/* A register, or what lies at a distance from one. */
struct home {
	uint8_t number; /* of the register, or MADT_REGISTER_RIP, or SLICE_NO_REGISTER: none */
	bool memory;
	int64_t distance;
};

struct compared {
	struct home home;
	uint64_t most; /* it is no more than this */
};

/*
 * What is known on one way backwards. The index in entries is
 * ((home >> shift) + more) * unit / entry.
 */
struct way {
	struct home home;
	unsigned shift;
	int64_t more;
	uint64_t unit;
	uint64_t cap; /* no more values than this, for whatever reason; 0: nobody knows */
	struct compared compared[COMPARED_MAX];
	unsigned compared_count;
	int below; /* the flags say: -1 nothing, 0 less, 1 less or equal */
};

struct search {
	struct slice *slice;
	unsigned entry; /* bytes */
	unsigned steps;
	unsigned ways;
	bool capped; /* what is found rests on a cap */
};

static bool same_home(const struct home *a, const struct home *b)
{
	return a->number != SLICE_NO_REGISTER && a->number == b->number && a->memory == b->memory
			&& (!a->memory || a->distance == b->distance);
}

static struct home nowhere(void)
{
	return (struct home){ .number = SLICE_NO_REGISTER };
}

static struct home home_of(const struct insn *insn, const ZydisDecodedOperand *operand)
{
	if (operand->type == ZYDIS_OPERAND_TYPE_REGISTER)
		return (struct home){ .number = (uint8_t)slice_register(operand->reg.value) };
	if (operand->type != ZYDIS_OPERAND_TYPE_MEMORY || operand->mem.index != ZYDIS_REGISTER_NONE
			|| operand->mem.segment == ZYDIS_REGISTER_FS
			|| operand->mem.segment == ZYDIS_REGISTER_GS)
		return nowhere();
	if (operand->mem.base == ZYDIS_REGISTER_RIP)
		return (struct home){ MADT_REGISTER_RIP, true,
			insn->address + insn->length + operand->mem.disp.value };
	return (struct home){ (uint8_t)slice_register(operand->mem.base), true,
		operand->mem.disp.value };
}

static uint64_t most_entries(const struct search *search, const struct way *way, uint64_t most)
{
	const int64_t index = (int64_t)(most >> way->shift) + way->more;
	if (index < 0 || index >= BOUND_MAX)
		return 0;
	return (uint64_t)index * way->unit / search->entry + 1;
}

/* Returns what a comparison says of the index, or 0. */
static uint64_t compared_find(const struct search *search, const struct way *way)
{
	for (unsigned i = 0; i < way->compared_count; i++)
		if (same_home(&way->compared[i].home, &way->home))
			return most_entries(search, way, way->compared[i].most);
	return 0;
}

/* ---------------------------------------------------------------- one instruction backwards */

static void cap_lower(struct way *way, uint64_t cap)
{
	if (way->more == 0 && (!way->cap || cap < way->cap))
		way->cap = cap;
}

/* Nothing says how many values there are but the index itself. */
static uint64_t capped(struct search *search, const struct way *way)
{
	search->capped |= way->cap != 0;
	return way->cap;
}

/* lea: a register, times a scale, and a distance. */
static struct home home_computed(struct way *way, const ZydisDecodedOperand *source)
{
	if (way->shift)
		return nowhere();
	const unsigned base = slice_register(source->mem.base);
	const unsigned index = slice_register(source->mem.index);
	if (base != SLICE_NO_REGISTER && index == SLICE_NO_REGISTER) {
		way->more += source->mem.disp.value;
		return (struct home){ .number = (uint8_t)base };
	}
	if (base != SLICE_NO_REGISTER || index == SLICE_NO_REGISTER || way->more
			|| source->mem.disp.value || source->mem.base != ZYDIS_REGISTER_NONE)
		return nowhere();
	way->unit *= source->mem.scale;
	return (struct home){ .number = (uint8_t)index };
}

/* Returns where the index was before an instruction that wrote its register. */
static struct home home_before(struct way *way, const struct insn *insn,
		const struct decoded *decoded)
{
	const ZydisDecodedOperand *target = &decoded->operands[0];
	const ZydisDecodedOperand *source = &decoded->operands[1];
	const bool by_number = source->type == ZYDIS_OPERAND_TYPE_IMMEDIATE;
	switch (decoded->instruction.mnemonic) {
	case ZYDIS_MNEMONIC_MOVZX:
		return home_of(insn, source);
	case ZYDIS_MNEMONIC_MOV:
	case ZYDIS_MNEMONIC_MOVSX:
	case ZYDIS_MNEMONIC_MOVSXD:
		return target->size >= 32 ? home_of(insn, source) : nowhere();
	case ZYDIS_MNEMONIC_LEA:
		return home_computed(way, source);
	case ZYDIS_MNEMONIC_AND:
		if (by_number && (int64_t)source->imm.value.s >= 0)
			cap_lower(way, (source->imm.value.u >> way->shift) + 1);
		return nowhere();
	case ZYDIS_MNEMONIC_SHR:
		if (!by_number || way->shift || source->imm.value.u >= target->size)
			return nowhere();
		cap_lower(way, UINT64_C(1) << (target->size - source->imm.value.u) % 64);
		way->shift = (unsigned)source->imm.value.u;
		return way->home;
	case ZYDIS_MNEMONIC_SHL:
		if (!by_number || way->shift || way->more || source->imm.value.u > 3)
			return nowhere();
		way->unit <<= source->imm.value.u;
		return way->home;
	case ZYDIS_MNEMONIC_ADD:
	case ZYDIS_MNEMONIC_SUB:
		if (!by_number || way->shift)
			return nowhere();
		way->more += decoded->instruction.mnemonic == ZYDIS_MNEMONIC_ADD ? source->imm.value.s
																		 : -source->imm.value.s;
		return way->home;
	case ZYDIS_MNEMONIC_INC:
	case ZYDIS_MNEMONIC_DEC:
		if (way->shift)
			return nowhere();
		way->more += decoded->instruction.mnemonic == ZYDIS_MNEMONIC_INC ? 1 : -1;
		return way->home;
	case ZYDIS_MNEMONIC_CDQE:
		return way->home;
	default:
		return nowhere();
	}
}

/* Returns whether an instruction gives a home another value; *from: the one it was copied from. */
static bool home_changes(const struct home *home, const struct insn *insn,
		const struct decoded *decoded, struct home *from)
{
	*from = nowhere();
	if (!home->memory)
		return home->number < SLICE_NO_REGISTER && slice_writes(insn, home->number);
	if (home->number < SLICE_NO_REGISTER && slice_writes(insn, home->number))
		return true;
	const struct home target = home_of(insn, &decoded->operands[0]);
	if (!(decoded->operands[0].actions & ZYDIS_OPERAND_ACTION_MASK_WRITE)
			|| !same_home(&target, home))
		return false;
	if (decoded->instruction.mnemonic == ZYDIS_MNEMONIC_MOV)
		*from = home_of(insn, &decoded->operands[1]);
	return true;
}

static void compared_follow(struct way *way, const struct insn *insn, const struct decoded *decoded)
{
	for (unsigned i = 0; i < way->compared_count; i++) {
		struct home from;
		if (!home_changes(&way->compared[i].home, insn, decoded, &from))
			continue;
		const ZydisMnemonic mnemonic = decoded->instruction.mnemonic;
		if (!way->compared[i].home.memory && decoded->operands[0].size >= 32
				&& (mnemonic == ZYDIS_MNEMONIC_MOV || mnemonic == ZYDIS_MNEMONIC_MOVZX))
			from = home_of(insn, &decoded->operands[1]);
		way->compared[i].home = from;
	}
}

/* A comparison with a number that the branch behind it went by. */
static void flags_follow(struct way *way, const struct insn *insn, const struct decoded *decoded)
{
	const ZydisAccessedFlags *flags = decoded->instruction.cpu_flags;
	const ZydisMnemonic mnemonic = decoded->instruction.mnemonic;
	if (way->below < 0 || !flags || !((flags->modified | flags->undefined) & ZYDIS_CPUFLAG_CF))
		return;
	const bool compares = (mnemonic == ZYDIS_MNEMONIC_CMP || mnemonic == ZYDIS_MNEMONIC_SUB)
			&& decoded->operands[1].type == ZYDIS_OPERAND_TYPE_IMMEDIATE;
	const uint64_t number = decoded->operands[1].imm.value.u;
	if (compares && way->compared_count < COMPARED_MAX && number + (uint64_t)way->below
			&& number < BOUND_MAX)
		way->compared[way->compared_count++] = (struct compared){
			home_of(insn, &decoded->operands[0]), number - (way->below ? 0 : 1)
		};
	way->below = -1;
}

/* Conditions of jumps as they are encoded: 2 below, 3 not below, 6 not above, 7 above. */
static void branch_follow(struct way *way, const struct insn *insn, bool taken)
{
	way->below = -1;
	if (insn->kind != INSN_BRANCH)
		return;
	if (insn->condition == (taken ? 2 : 3))
		way->below = 0;
	if (insn->condition == (taken ? 6 : 7))
		way->below = 1;
}

/* Goes back over an instruction. False: there is no following the index any further. */
static bool way_back(struct search *search, struct way *way, const struct insn *insn)
{
	struct decoded decoded;
	struct home from;
	if (insn->flags & INSN_BRANCHES && insn->kind != INSN_CALL)
		return true;
	if (!slice_decode(search->slice, insn, &decoded))
		return false;
	compared_follow(way, insn, &decoded);
	if (home_changes(&way->home, insn, &decoded, &from)) {
		const bool plain = insn->kind == INSN_PLAIN && !way->home.memory;
		way->home = plain ? home_before(way, insn, &decoded) : from;
	}
	flags_follow(way, insn, &decoded);
	return way->home.number != SLICE_NO_REGISTER;
}

/* ---------------------------------------------------------------- ways */

static uint64_t way_bound(struct search *search, struct way way, const struct insn *insn);

/* From an instruction to the one before, which was left by its branch or not. */
static uint64_t step_bound(struct search *search, struct way way, const struct insn *insn,
		bool taken)
{
	if (insn->flags & INSN_BRANCHES && insn->kind != INSN_CALL)
		branch_follow(&way, insn, taken);
	if (!way_back(search, &way, insn))
		return capped(search, &way);
	const uint64_t bound = compared_find(search, &way);
	return bound ? bound : way_bound(search, way, insn);
}

/* The greatest of what all ways to an instruction say; 0: one says nothing. */
static uint64_t way_bound(struct search *search, struct way way, const struct insn *insn)
{
	const struct flow *flow = slice_branches(search->slice, insn);
	const struct insn *before = slice_previous(search->slice, insn);
	uint64_t most = 0;
	if (!search->steps || insn->address == search->slice->start || (!before && !flow))
		return capped(search, &way);
	search->steps--;
	if (flow && (before || flow->next)) {
		if (!search->ways)
			return capped(search, &way);
		search->ways--;
	}
	if (before) {
		most = step_bound(search, way, before, false);
		if (!most)
			return 0;
	}
	for (; flow; flow = slice_next(search->slice, flow)) {
		const uint64_t bound = step_bound(search, way,
				plan_text_insn(search->slice->text, flow->source), true);
		if (!bound)
			return 0;
		most = bound > most ? bound : most;
	}
	return most;
}

uint32_t slice_bound(struct slice *slice, const struct value *pointer, unsigned entry, bool *sure)
{
	struct search search = { slice, entry, STEPS_MAX, WAYS_MAX, false };
	const struct way way = {
		.home = { .number = pointer->index }, .unit = pointer->unit, .below = -1
	};
	if (pointer->index >= SLICE_NO_REGISTER)
		return 0;
	const uint64_t bound = way_bound(&search, way, plan_text_insn(slice->text, pointer->at));
	*sure = !search.capped;
	return bound <= BOUND_MAX ? (uint32_t)bound : 0;
}
