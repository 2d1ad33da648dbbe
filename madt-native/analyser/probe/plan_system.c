/* System calls: which ones are copied, and how. */
#include "probe/plan.h"

#include <string.h>

/*
 * By the bytes of `mov rax, 15; syscall` debuggers and unwinders know the frame of a signal
 * handler: they stay. Engine trap's plans have nothing to do with system calls.
 */
bool plan_copies_call(const struct plan *plan, const struct insn *insn)
{
	static const uint8_t move_rax[] = { 0x48, 0xc7, 0xc0, 15, 0, 0, 0 };
	static const uint8_t move_eax[] = { 0xb8, 15, 0, 0, 0 };
	const uint8_t *bytes = insn_bytes(plan, insn);
	const uint64_t before = insn->address - plan->text.start;
	bool returns = (before >= sizeof move_rax
						   && memcmp(bytes - sizeof move_rax, move_rax, sizeof move_rax) == 0)
			|| (before >= sizeof move_eax
					&& memcmp(bytes - sizeof move_eax, move_eax, sizeof move_eax) == 0);
	return !returns && !plan->options.hooks;
}

void plan_system_copy(struct plan *plan, const struct insn *insn, bool last)
{
	enum { LEA_LENGTH = 7 };
	static const uint8_t jump[] = { 0x65, 0xff, 0x24, 0x25, MADT_GS_CALL, 0, 0, MADT_GS_AT >> 24 };
	static const uint8_t lea_behind[] = { 0x4c, 0x8d, 0x1d, LEA_LENGTH + sizeof jump, 0, 0, 0 };
	static const uint8_t copy_rcx[] = { 0x49, 0x89, 0xcb };
	struct emit_address next = { MADT_REGISTER_RIP, MADT_REGISTER_NONE, 1,
		(int64_t)insn->address + insn->length };
	if (!last)
		emit_bytes(&plan->emit, lea_behind, sizeof lea_behind);
	emit_lea(&plan->emit, REGISTER_RCX, next, false);
	if (last)
		emit_bytes(&plan->emit, copy_rcx, sizeof copy_rcx);
	emit_bytes(&plan->emit, jump, sizeof jump);
}
