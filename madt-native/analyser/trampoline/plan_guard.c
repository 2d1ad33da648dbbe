/*
 * The code of guards: what says whether the hit of an instrument is to be taken (enum madt_guard).
 *
 *   rax, rcx spilled
 *   mov  rax, gs:[switches]; mov ecx, [rax + 16 * switch]; jrcxz on; jmp refused; on:
 *   lahf; seto al; mov gs:[flags], rax                       only if something needs flags
 *   …                                                        the top of the stack is rax
 *   flags, rcx and rax put back
 *   counts and the record (plan_payload.c)
 *   jmp behind
 *   refused, with flags saved:  flags put back
 *   refused:                    rcx and rax put back
 *   behind:
 *
 * What lies below the top of the stack is in the block's place for a vector register, which nothing
 * else needs here. The target's rax and rcx are read where they were spilled. A load that faults
 * goes on where hits are refused.
 */
#include "trampoline/plan_guard.h"

#define SPILL_RAX MADT_GS_SPILL
#define SPILL_RCX (MADT_GS_SPILL + 8)
#define FLAGS MADT_GS_RECORD /* no record is open at a probe */
#define SPILL_RDX MADT_GS_CALLEE
#define STACK MADT_GS_VECTOR
#define REGISTER_RCX 1
#define REGISTER_RDX 2
#define SWITCH_BYTES ((int64_t)sizeof(struct madt_switch))
#define HITS ((int64_t)offsetof(struct madt_switch, hits))

#define CODE(...) \
	emit_bytes(&plan->emit, (const uint8_t[]){ __VA_ARGS__ }, sizeof((uint8_t[]){ __VA_ARGS__ }))

enum { JB = 2, JAE, JE, JNE, JBE, JA, JL = 12, JGE, JLE, JG };

static struct emit_address at(unsigned base, int64_t displacement)
{
	return (struct emit_address){ (uint8_t)base, MADT_REGISTER_NONE, 1, displacement };
}

/* ---------------------------------------------------------------- branches */

static size_t hole_make(struct plan *plan)
{
	static const uint8_t distance[4];
	emit_bytes(&plan->emit, distance, sizeof distance);
	return plan->emit.size - sizeof distance;
}

static void hole_fill(struct plan *plan, size_t hole)
{
	const int32_t distance = (int32_t)(plan->emit.size - hole - sizeof distance);
	if (!plan->emit.full)
		memcpy(plan->emit.bytes + hole, &distance, sizeof distance);
}

static void holes_fill(struct plan *plan, const struct guard_holes *holes)
{
	for (unsigned i = 0; i < holes->count; i++)
		hole_fill(plan, holes->at[i]);
}

static size_t branch(struct plan *plan, unsigned condition)
{
	CODE(0x0f, (uint8_t)(0x80 | condition));
	return hole_make(plan);
}

static size_t jump(struct plan *plan)
{
	CODE(0xe9);
	return hole_make(plan);
}

static void refuse_if(struct guard *guard, unsigned condition)
{
	guard->refused.at[guard->refused.count++] = branch(guard->plan, condition);
}

static void refuse(struct guard *guard)
{
	struct guard_holes *holes = guard->flags ? &guard->refused : &guard->unsaved;
	holes->at[holes->count++] = jump(guard->plan);
}

/* ---------------------------------------------------------------- switches and counts */

static void switch_address(struct plan *plan)
{
	emit_gs_load(&plan->emit, REGISTER_RAX, MADT_GS_SWITCHES);
}

/* jrcxz over the jump */
static void switch_ask(struct guard *guard, int32_t number)
{
	struct plan *plan = guard->plan;
	switch_address(plan);
	emit_load32(&plan->emit, REGISTER_RCX, at(REGISTER_RAX, SWITCH_BYTES * number));
	CODE(0xe3, 5);
	refuse(guard);
}

/* `mov ecx, off` leaves flags alone. */
static void switch_turn(struct plan *plan, int32_t number, bool off)
{
	CODE(0xb9, off, 0, 0, 0);
	switch_address(plan);
	emit_store32(&plan->emit, REGISTER_RCX, at(REGISTER_RAX, SWITCH_BYTES * number));
}

/* The load stands right behind that of the counts' address: it may fault, and is made again. */
static void every_take(struct guard *guard, int32_t number, int32_t every)
{
	struct plan *plan = guard->plan;
	const struct emit_address count = at(REGISTER_RAX, (int64_t)sizeof(uint64_t) * number);
	emit_gs_load(&plan->emit, REGISTER_RAX, MADT_GS_COUNTS);
	emit_load64(&plan->emit, REGISTER_RCX, count);
	emit_lea(&plan->emit, REGISTER_RCX, at(REGISTER_RCX, 1 - (int64_t)every), false);
	const size_t before = plan->emit.size;
	CODE(0xe3, 0);
	emit_lea(&plan->emit, REGISTER_RCX, at(REGISTER_RCX, every), false);
	emit_store64(&plan->emit, REGISTER_RCX, count);
	refuse(guard);
	if (!plan->emit.full)
		plan->emit.bytes[before + 1] = (uint8_t)(plan->emit.size - before - 2);
	emit_store64(&plan->emit, REGISTER_RCX, count);
}

/* lock xadd [rax + hits], rcx */
static void hit_count(struct plan *plan, int64_t hits)
{
	const int32_t displacement = (int32_t)hits;
	CODE(0xb9, 1, 0, 0, 0, 0xf0, 0x48, 0x0f, 0xc1, 0x88);
	emit_bytes(&plan->emit, &displacement, sizeof displacement);
}

static void rcx_compare(struct plan *plan, int32_t with)
{
	CODE(0x48, 0x81, 0xf9);
	emit_bytes(&plan->emit, &with, sizeof with);
}

/* Once the first hit is over that is to be taken, no more are counted unless there is a last one. */
static void hits_take(struct guard *guard, int32_t number, int32_t from, int32_t until)
{
	struct plan *plan = guard->plan;
	const int64_t hits = SWITCH_BYTES * number + HITS;
	size_t passed = 0;
	switch_address(plan);
	if (!until) {
		emit_load64(&plan->emit, REGISTER_RCX, at(REGISTER_RAX, hits));
		rcx_compare(plan, from - 1);
		passed = branch(plan, JG);
	}
	hit_count(plan, hits);
	rcx_compare(plan, from - 1);
	refuse_if(guard, JL);
	if (until) {
		rcx_compare(plan, until - 1);
		refuse_if(guard, JG);
		passed = branch(plan, JL);
		switch_turn(plan, number, true);
	}
	hole_fill(plan, passed);
}

/* ---------------------------------------------------------------- what is taken from the target */

static unsigned size_of(const struct madtcode_word *word)
{
	return 1u << (word->piece >> MADT_GUARD_SIZE & 3);
}

/* rax to 64 bits, from those of `size` bytes. */
static void extend(struct plan *plan, const struct madtcode_word *word, bool zeros_are_there)
{
	const unsigned size = size_of(word);
	const bool sign = word->piece & MADT_GUARD_SIGNED;
	if (size == 8 || (!sign && zeros_are_there))
		return;
	if (sign && size == 4)
		CODE(0x48, 0x63, 0xc0);
	else if (sign)
		CODE(0x48, 0x0f, size == 1 ? 0xbe : 0xbf, 0xc0);
	else if (size == 4)
		CODE(0x89, 0xc0);
	else
		CODE(0x0f, size == 1 ? 0xb6 : 0xb7, 0xc0);
}

/* The register that has the target's value: rax, where that of rax or rcx is spilled. */
static unsigned base_of(struct plan *plan, unsigned number)
{
	if (number > REGISTER_RCX)
		return number;
	emit_gs_load(&plan->emit, REGISTER_RAX, number == REGISTER_RAX ? SPILL_RAX : SPILL_RCX);
	return REGISTER_RAX;
}

static void memory_take(struct guard *guard, const struct madtcode_word *word)
{
	struct plan *plan = guard->plan;
	unsigned from = base_of(plan, word->place);
	for (unsigned i = 0; i < word->loads; i++, from = REGISTER_RAX)
		emit_load_safe(&plan->emit, REGISTER_RAX, at(from, word->displacement[i]),
				i + 1u < word->loads ? sizeof(uint64_t) : size_of(word));
	extend(plan, word, true);
}

static void pointer_take(struct guard *guard, const struct madtcode_word *word)
{
	struct plan *plan = guard->plan;
	memory_take(guard, word);
	CODE(0x48, 0x83, 0xf8, 0xff); /* cmp rax, -1 */
	refuse_if(guard, JE);
}

static void register_take(struct plan *plan, const struct madtcode_word *word)
{
	const unsigned from = base_of(plan, word->place);
	if (from != REGISTER_RAX)
		CODE((uint8_t)(0x48 | (from & 8) >> 1), 0x89, (uint8_t)(0xc0 | (from & 7) << 3));
	extend(plan, word, false);
}

static uint64_t constant_of(const struct madtcode_word *word)
{
	return (uint32_t)word->displacement[0] | (uint64_t)(uint32_t)word->displacement[1] << 32;
}

/* Room for another one on top. */
static void push(struct guard *guard)
{
	if (guard->depth)
		emit_gs_store(&guard->plan->emit, REGISTER_RAX,
				STACK + (unsigned)sizeof(uint64_t) * (guard->depth - 1));
	guard->depth++;
}

static void take(struct guard *guard, const struct madtcode_word *word)
{
	struct plan *plan = guard->plan;
	push(guard);
	switch (word->piece & MADT_GUARD_STEP) {
	case MADT_GUARD_CONSTANT:
		emit_move_constant(&plan->emit, REGISTER_RAX, constant_of(word));
		break;
	case MADT_GUARD_REGISTER:
		register_take(plan, word);
		break;
	case MADT_GUARD_ADDRESS:
		emit_lea(&plan->emit, REGISTER_RAX, at(base_of(plan, word->place), word->displacement[0]),
				false);
		break;
	case MADT_GUARD_MEMORY:
		memory_take(guard, word);
		break;
	case MADT_GUARD_POINTER:
		pointer_take(guard, word);
		break;
	default:
		refuse(guard);
	}
}

/* ---------------------------------------------------------------- operators: rax, and rcx */

static void truth_make(struct plan *plan, unsigned condition)
{
	CODE(0x0f, (uint8_t)(0x90 | condition), 0xc0, 0x0f, 0xb6, 0xc0); /* set al; movzx eax, al */
}

static void zero_test(struct plan *plan)
{
	CODE(0x48, 0x85, 0xc0);
}

/* The smallest number divided by -1 would trap. */
static void divide(struct guard *guard, bool remainder)
{
	struct plan *plan = guard->plan;
	CODE(0x48, 0x85, 0xc9); /* test rcx, rcx */
	refuse_if(guard, JE);
	CODE(0x48, 0x83, 0xf9, 0xff); /* cmp rcx, -1 */
	const size_t other = branch(plan, JNE);
	if (remainder)
		CODE(0x31, 0xc0);
	else
		CODE(0x48, 0xf7, 0xd8);
	const size_t done = jump(plan);
	hole_fill(plan, other);
	emit_gs_store(&plan->emit, REGISTER_RDX, SPILL_RDX);
	CODE(0x48, 0x99, 0x48, 0xf7, 0xf9); /* cqo; idiv rcx */
	if (remainder)
		CODE(0x48, 0x89, 0xd0);
	emit_gs_load(&plan->emit, REGISTER_RDX, SPILL_RDX);
	hole_fill(plan, done);
}

/* test rcx, rcx; xor edx, edx; div rcx */
static void divide_unsigned(struct guard *guard, bool remainder)
{
	struct plan *plan = guard->plan;
	CODE(0x48, 0x85, 0xc9);
	refuse_if(guard, JE);
	emit_gs_store(&plan->emit, REGISTER_RDX, SPILL_RDX);
	CODE(0x31, 0xd2, 0x48, 0xf7, 0xf1);
	if (remainder)
		CODE(0x48, 0x89, 0xd0);
	emit_gs_load(&plan->emit, REGISTER_RDX, SPILL_RDX);
}

static void compare(struct plan *plan, unsigned step, bool no_sign)
{
	static const uint8_t conditions[2][6] = { { JL, JLE, JG, JGE, JE, JNE },
		{ JB, JBE, JA, JAE, JE, JNE } };
	CODE(0x48, 0x39, 0xc8);
	truth_make(plan, conditions[no_sign][step - MADT_GUARD_LESS]);
}

static void operate(struct guard *guard, const struct madtcode_word *word)
{
	struct plan *plan = guard->plan;
	const unsigned step = word->piece & MADT_GUARD_STEP;
	const bool no_sign = word->piece & MADT_GUARD_UNSIGNED;
	switch (step) {
	case MADT_GUARD_MULTIPLY:
		CODE(0x48, 0x0f, 0xaf, 0xc1);
		break;
	case MADT_GUARD_DIVIDE:
	case MADT_GUARD_REMAINDER:
		if (no_sign)
			divide_unsigned(guard, step == MADT_GUARD_REMAINDER);
		else
			divide(guard, step == MADT_GUARD_REMAINDER);
		break;
	case MADT_GUARD_ADD:
		CODE(0x48, 0x01, 0xc8);
		break;
	case MADT_GUARD_SUBTRACT:
		CODE(0x48, 0x29, 0xc8);
		break;
	case MADT_GUARD_LEFT: /* cmp rcx, 63; jbe; xor eax, eax; jmp; shl rax, cl */
		CODE(0x48, 0x83, 0xf9, 63, 0x76, 4, 0x31, 0xc0, 0xeb, 3, 0x48, 0xd3, 0xe0);
		break;
	case MADT_GUARD_RIGHT: /* likewise shr; or: cmp rcx, 63; jbe; mov ecx, 63; sar rax, cl */
		if (no_sign)
			CODE(0x48, 0x83, 0xf9, 63, 0x76, 4, 0x31, 0xc0, 0xeb, 3, 0x48, 0xd3, 0xe8);
		else
			CODE(0x48, 0x83, 0xf9, 63, 0x76, 5, 0xb9, 63, 0, 0, 0, 0x48, 0xd3, 0xf8);
		break;
	case MADT_GUARD_AND:
		CODE(0x48, 0x21, 0xc8);
		break;
	case MADT_GUARD_XOR:
		CODE(0x48, 0x31, 0xc8);
		break;
	case MADT_GUARD_OR:
		CODE(0x48, 0x09, 0xc8);
		break;
	default:
		compare(plan, step, no_sign);
	}
}

static void join(struct guard *guard, const struct madtcode_word *word)
{
	struct plan *plan = guard->plan;
	CODE(0x48, 0x89, 0xc1); /* mov rcx, rax */
	guard->depth--;
	emit_gs_load(&plan->emit, REGISTER_RAX,
			STACK + (unsigned)sizeof(uint64_t) * (guard->depth - 1));
	operate(guard, word);
}

static void change(struct plan *plan, unsigned step)
{
	if (step == MADT_GUARD_NEGATE) {
		CODE(0x48, 0xf7, 0xd8);
	} else if (step == MADT_GUARD_INVERT) {
		CODE(0x48, 0xf7, 0xd0);
	} else {
		zero_test(plan);
		truth_make(plan, JE);
	}
}

/* Takes the top away: what follows takes its place. */
static void fork_off(struct guard *guard, bool either)
{
	struct plan *plan = guard->plan;
	zero_test(plan);
	truth_make(plan, JNE); /* these leave flags as they are */
	guard->ends[guard->open++] = branch(plan, either ? JNE : JE);
	guard->depth--;
}

static void end(struct guard *guard, bool demands)
{
	struct plan *plan = guard->plan;
	zero_test(plan);
	if (demands) {
		refuse_if(guard, JE);
		guard->depth--;
		return;
	}
	truth_make(plan, JNE);
	hole_fill(plan, guard->ends[--guard->open]);
}

/* ---------------------------------------------------------------- the program */

static bool needs_flags(unsigned step)
{
	return step == MADT_GUARD_HITS || step >= MADT_GUARD_CONSTANT;
}

static void flags_save(struct guard *guard)
{
	struct plan *plan = guard->plan;
	CODE(0x9f, 0x0f, 0x90, 0xc0); /* lahf; seto al */
	emit_gs_store(&plan->emit, REGISTER_RAX, FLAGS);
	guard->flags = true;
}

static void flags_restore(struct plan *plan)
{
	emit_gs_load(&plan->emit, REGISTER_RAX, FLAGS);
	CODE(0x04, 0x7f, 0x9e); /* add al, 127; sahf */
}

/* Nothing needs rcx for the moment: a constant comes to it at once. */
static bool joins_constant(struct guard *guard, const struct madtcode_word *word,
		const struct madtcode_word *end)
{
	const unsigned next = word + 1 < end ? word[1].piece & MADT_GUARD_STEP : MADT_GUARD_END;
	if ((word->piece & MADT_GUARD_STEP) != MADT_GUARD_CONSTANT || !guard->depth
			|| next < MADT_GUARD_MULTIPLY || next > MADT_GUARD_UNEQUAL)
		return false;
	emit_move_constant(&guard->plan->emit, REGISTER_RCX, constant_of(word));
	operate(guard, word + 1);
	return true;
}

static void step_emit(struct guard *guard, const struct madtcode_word *word)
{
	const unsigned step = word->piece & MADT_GUARD_STEP;
	const int32_t *values = word->displacement;
	if (needs_flags(step) && !guard->flags)
		flags_save(guard);
	if (step == MADT_GUARD_SWITCH)
		switch_ask(guard, values[0]);
	else if (step == MADT_GUARD_TURN)
		switch_turn(guard->plan, values[0], values[1] != 0);
	else if (step == MADT_GUARD_EVERY)
		every_take(guard, values[0], values[1]);
	else if (step == MADT_GUARD_HITS)
		hits_take(guard, values[0], values[1], values[2]);
	else if (step <= MADT_GUARD_NOWHERE)
		take(guard, word);
	else if (step <= MADT_GUARD_NOT)
		change(guard->plan, step);
	else if (step <= MADT_GUARD_UNEQUAL)
		join(guard, word);
	else if (step == MADT_GUARD_END)
		end(guard, values[0] != 0);
	else
		fork_off(guard, step == MADT_GUARD_EITHER);
}

static struct scratch fixed_take(struct plan *plan, register_set dead, unsigned number,
		unsigned slot)
{
	return scratch_take(plan, dead, (register_set) ~(1u << number), slot);
}

void plan_guard_begin(struct plan *plan, const struct probe *probe, register_set dead,
		struct guard *guard)
{
	const register_set free = (register_set)(dead & ~probe_registers(probe));
	const struct madtcode_word *last = probe->guard + probe->guards;
	*guard = (struct guard){ .plan = plan, .first_load = plan->emit.load_count };
	guard->rax = fixed_take(plan, free, REGISTER_RAX, SPILL_RAX);
	guard->rcx = fixed_take(plan, free, REGISTER_RCX, SPILL_RCX);
	for (const struct madtcode_word *word = probe->guard; word < last; word++)
		if (joins_constant(guard, word, last))
			word++;
		else
			step_emit(guard, word);
	guard->last_load = plan->emit.load_count;
	if (guard->flags)
		flags_restore(plan);
	scratch_give(plan, guard->rcx, SPILL_RCX);
	scratch_give(plan, guard->rax, SPILL_RAX);
}

void plan_guard_end(struct plan *plan, const struct guard *guard)
{
	if (!guard->refused.count && !guard->unsaved.count)
		return;
	const size_t taken = jump(plan);
	if (guard->refused.count) {
		holes_fill(plan, &guard->refused);
		for (size_t i = guard->first_load; i < guard->last_load; i++)
			plan->emit.loads[i].resume = (uint32_t)plan->emit.size;
		flags_restore(plan);
	}
	holes_fill(plan, &guard->unsaved);
	scratch_give(plan, guard->rcx, SPILL_RCX);
	scratch_give(plan, guard->rax, SPILL_RAX);
	hole_fill(plan, taken);
}
