/*
 * Emits an extended basic block: before each instruction what records it, then its copy, which does
 * at its new place what the original does at its own. A call is taken apart, so that it pushes the
 * original return address:
 *
 *   push callee            indirect; memory operands are read here     push 0      direct
 *   pop  gs:[callee]                                                   …
 *   push 0
 *   mov  gs:[spill], rax
 *   lea  rax, return address
 *   mov  [rsp], rax
 *   mov  rax, gs:[spill]
 *   jmp  gs:[callee]                                                   jmp callee
 *
 * A system call is made elsewhere (madt_plan.h, MADT_GS_CALL), which comes back behind it, or to
 * the original code if it is the last:
 *
 *   lea  r11, 1f              or, behind it:  mov r11, rcx
 *   lea  rcx, [the original address behind it]
 *   jmp  gs:[call]
 *   1:
 *
 * If the stack is full the first push faults, as the call would, with every register as it was. A
 * string instruction with a rep prefix becomes a loop of the same instruction without it; jrcxz and
 * loop touch no flags and decrement as it does:
 *
 *        jrcxz 1f
 *        jmp   2f
 *   1:   jmp   4f
 *   2:   record; movs
 *        loop  3f            loope, loopne where the prefix compares
 *        jmp   4f
 *   3:   jmp   2b
 *   4:
 */
#include <string.h>

#include "probe/plan.h"

#define PREFIX_REP 0xf3
#define PREFIX_REPNE 0xf2
#define PREFIX_ADDRESS 0x67
#define JUMP_LENGTH 5

/* The bytes, the one at `changed` replaced, RIP-relative operands leading where they did. */
static void bytes_copy(struct plan *plan, const struct insn *insn, const uint8_t *bytes)
{
	int32_t displacement;
	if (!insn->relative) {
		emit_bytes(&plan->emit, bytes, insn->length);
		return;
	}
	memcpy(&displacement, bytes + insn->relative, sizeof displacement);
	unsigned behind = insn->length - insn->relative - 4u;
	emit_bytes(&plan->emit, bytes, insn->relative);
	emit_displacement(&plan->emit, (int64_t)insn->address + insn->length + displacement, behind);
	emit_bytes(&plan->emit, bytes + insn->relative + 4, behind);
}

static void return_push(struct plan *plan, const struct insn *insn)
{
	static const uint8_t push_zero[] = { 0x6a, 0x00 };
	static const uint8_t store_rax[] = { 0x48, 0x89, 0x04, 0x24 };
	struct emit_address address = { MADT_REGISTER_RIP, MADT_REGISTER_NONE, 1,
		(int64_t)insn->address + insn->length };
	emit_bytes(&plan->emit, push_zero, sizeof push_zero);
	emit_gs_store(&plan->emit, REGISTER_RAX, MADT_GS_SPILL);
	emit_lea(&plan->emit, REGISTER_RAX, address, false);
	emit_bytes(&plan->emit, store_rax, sizeof store_rax);
	emit_gs_load(&plan->emit, REGISTER_RAX, MADT_GS_SPILL);
}

static void call_copy(struct plan *plan, const struct insn *insn)
{
	return_push(plan, insn);
	if (insn->target >= plan->module_start && insn->target < plan->module_end)
		emit_boundary(&plan->emit, insn->target);
	emit_jump(&plan->emit, insn->target);
}

static void call_indirect_copy(struct plan *plan, const struct insn *insn)
{
	static const uint8_t pop_callee[] = { 0x65, 0x8f, 0x04, 0x25, MADT_GS_CALLEE, 0, 0,
		MADT_GS_AT >> 24 };
	static const uint8_t jump_callee[] = { 0x65, 0xff, 0x24, 0x25, MADT_GS_CALLEE, 0, 0,
		MADT_GS_AT >> 24 };
	uint8_t bytes[15];
	memcpy(bytes, insn_bytes(plan, insn), insn->length);
	/* ff /2 call to ff /6 push */
	bytes[insn->modrm] = (uint8_t)((bytes[insn->modrm] & ~0x38u) | 6u << 3);
	bytes_copy(plan, insn, bytes);
	emit_bytes(&plan->emit, pop_callee, sizeof pop_callee);
	return_push(plan, insn);
	emit_bytes(&plan->emit, jump_callee, sizeof jump_callee);
}

/* `held`: of the record that still has words, or NULL; `last` of its trampoline. */
static void insn_copy(struct plan *plan, const struct insn *insn, const uint8_t *held, bool last)
{
	if (held)
		emit_boundary_open(&plan->emit, insn->address, held);
	else
		emit_boundary(&plan->emit, insn->address);
	switch (insn->kind) {
	case INSN_BRANCH:
		emit_branch(&plan->emit, insn->condition, insn->target);
		break;
	case INSN_JUMP:
		emit_jump(&plan->emit, insn->target);
		break;
	case INSN_CALL:
		call_copy(plan, insn);
		break;
	case INSN_CALL_INDIRECT:
		call_indirect_copy(plan, insn);
		break;
	case INSN_SYSTEM:
		plan_system_copy(plan, insn, last);
		break;
	default:
		bytes_copy(plan, insn, insn_bytes(plan, insn));
		break;
	}
}

/* ---------------------------------------------------------------- rep */

/* A jump within the emitted code, to be led by jump_lead. Returns where its displacement is. */
static uint32_t jump_open(struct plan *plan)
{
	static const uint8_t jump[JUMP_LENGTH] = { 0xe9 };
	emit_bytes(&plan->emit, jump, sizeof jump);
	return (uint32_t)plan->emit.size - 4;
}

static void jump_lead(struct plan *plan, uint32_t at, uint32_t target)
{
	int32_t displacement = (int32_t)(target - (at + 4));
	if (!plan->emit.full)
		memcpy(plan->emit.bytes + at, &displacement, sizeof displacement);
}

/* jrcxz or loop, over what follows it if it jumps. */
static void counter_jump(struct plan *plan, bool address32, unsigned opcode, unsigned over)
{
	const uint8_t bytes[] = { PREFIX_ADDRESS, (uint8_t)opcode, (uint8_t)over };
	emit_bytes(&plan->emit, bytes + !address32, sizeof bytes - !address32);
}

/*
 * Copies the instruction without its rep prefix. Returns the opcode of the loop instruction that
 * goes with it.
 */
static unsigned single_copy(struct plan *plan, const struct insn *insn)
{
	const uint8_t *bytes = insn_bytes(plan, insn);
	unsigned compares = bytes[insn->length - 1] & 0xfe; /* a6, a7 cmps; ae, af scas */
	unsigned prefix = 0;
	emit_boundary(&plan->emit, insn->address);
	for (unsigned i = 0; i < insn->length; i++)
		if (bytes[i] == PREFIX_REP || bytes[i] == PREFIX_REPNE)
			prefix = bytes[i];
		else
			emit_bytes(&plan->emit, &bytes[i], 1);
	if (compares != 0xa6 && compares != 0xae)
		return 0xe2;
	return prefix == PREFIX_REPNE ? 0xe0 : 0xe1;
}

static bool counts_32(const struct plan *plan, const struct insn *insn)
{
	const struct madt_code_operand *operands;
	plan_operands(plan, insn, &operands);
	return operands[0].flags & MADT_OPERAND_ADDRESS32;
}

static void loop_emit(struct plan *plan, struct record *record, const struct insn *insn)
{
	static const uint8_t over_jump[] = { 0xeb, JUMP_LENGTH };
	bool address32 = counts_32(plan, insn);
	emit_boundary(&plan->emit, insn->address);
	counter_jump(plan, address32, 0xe3, sizeof over_jump);
	emit_bytes(&plan->emit, over_jump, sizeof over_jump);
	uint32_t none = jump_open(plan);
	uint32_t body = (uint32_t)plan->emit.size;
	record_emit(plan, record, insn);
	unsigned opcode = single_copy(plan, insn);
	counter_jump(plan, address32, opcode, JUMP_LENGTH);
	uint32_t done = jump_open(plan);
	/* a signal need not wait for the last iteration */
	emit_boundary(&plan->emit, insn->address);
	uint32_t again = jump_open(plan);
	jump_lead(plan, again, body);
	jump_lead(plan, none, (uint32_t)plan->emit.size);
	jump_lead(plan, done, (uint32_t)plan->emit.size);
}

/* ---------------------------------------------------------------- the whole */

static void block_emit(struct plan *plan, struct ebb *ebb, unsigned at)
{
	static const uint8_t none[] = { MADT_REGISTER_NONE, MADT_REGISTER_NONE };
	const struct insn *insn = ebb->insns[at];
	struct record *record = ebb->record_of[at] == RECORD_NONE ? NULL
															  : &ebb->records[ebb->record_of[at]];
	ebb->blocks[at] = (uint32_t)plan->emit.size;
	plan_probes_emit(plan, insn, false);
	if (record && record->first == at)
		record_begin(plan, record, ebb->insns);
	if (record && insn->flags & INSN_REP) {
		loop_emit(plan, record, insn);
	} else {
		if (record)
			record_emit(plan, record, insn);
		const struct record *open = ebb_open_record(ebb, at + 1);
		const uint8_t *held = !open ? NULL : at < open->last_stored ? open->held : none;
		insn_copy(plan, insn, held, at + 1 == ebb->count);
	}
	plan_probes_emit(plan, insn, true);
}

void ebb_emit(struct plan *plan, struct ebb *ebb)
{
	for (unsigned i = 0; i < ebb->count; i++)
		block_emit(plan, ebb, i);
	const struct insn *last = ebb->insns[ebb->count - 1];
	if (last->flags & INSN_ENDS || last->kind == INSN_CALL || last->kind == INSN_CALL_INDIRECT
			|| last->kind == INSN_SYSTEM)
		return;
	emit_boundary(&plan->emit, last->address + last->length);
	emit_jump(&plan->emit, (int64_t)last->address + last->length);
}
