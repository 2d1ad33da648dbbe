/*
 * The target's GS. The register leads to MadT's state of the thread, so the target's base is kept here (arch_prctl(2)). It is 0 in almost all
 * programs. MadT's base lies MADT_GS_AT bytes below that state, where nothing is mapped: an instruction of the target's with a GS
 * prefix faults, and is then made alone under the trap flag with the base that it should have. Until its trap, or its own fault, the
 * thread does not know its state, and looks it up by its number.
 */
#include "shim.h"

#include <asm/prctl.h>
#include <errno.h>

#define TASK_SIZE UINT64_C(0x7ffffffff000) /* the end of user space, of four levels of page tables */
#define INSN_BYTES_MAX 15

static uint32_t away; /* threads that have the target's base at the moment */

void gs_set(struct madt_thread *thread)
{
	SYS2(__NR_arch_prctl, ARCH_SET_GS, (uintptr_t)thread - MADT_GS_AT);
}

void gs_back(void)
{
	struct madt_thread *thread;

	if (!__atomic_load_n(&away, __ATOMIC_RELAXED))
		return;
	thread = thread_numbered((uint32_t)SYS0(__NR_gettid));
	if (!thread || !thread->gs_away)
		return;
	gs_set(thread);
	thread->gs_away = false;
	__atomic_fetch_sub(&away, 1, __ATOMIC_RELAXED);
}

void gs_go(void)
{
	if (!attached) {
		if (!self.keeps_gs)
			SYS2(__NR_arch_prctl, ARCH_SET_GS, self.virtual_gs); /* MadT has left the process */
		return;
	}
	if (!self.step.active || !self.step.gs)
		return;
	self.gs_away = true;
	__atomic_fetch_add(&away, 1, __ATOMIC_RELAXED);
	SYS2(__NR_arch_prctl, ARCH_SET_GS, self.virtual_gs);
}

uint8_t segment_prefix(uintptr_t code, uintptr_t fault)
{
	const uint8_t *byte = (const uint8_t *)code;
	uint8_t last = 0;

	for (unsigned i = 0; i < INSN_BYTES_MAX && (uintptr_t)(byte + i) != fault; i++)
		switch (byte[i]) {
		case PREFIX_FS:
		case PREFIX_GS:
			last = byte[i];
			break;
		case 0x26: /* ES, CS, SS, DS: without effect */
		case 0x2e:
		case 0x36:
		case 0x3e:
		case 0x66:
		case 0x67:
		case 0xf0:
		case 0xf2:
		case 0xf3:
			break;
		default:
			return last;
		}
	return 0;
}

bool gs_override(const siginfo_t *info, ucontext_t *context)
{
	if (info->si_code <= 0 || (self.step.active && self.step.gs) || (uintptr_t)info->si_addr == (uintptr_t)context_registers(context)[REG_RIP] ||
		segment_prefix((uintptr_t)context_registers(context)[REG_RIP], (uintptr_t)info->si_addr) != PREFIX_GS)
		return false;
	if (!self.step.active)
		trap_begin_step(context);
	self.step.gs = true;
	return true;
}

bool gs_call(const struct pending *pending, greg_t *registers)
{
	uintptr_t address = (uintptr_t)pending->argument[1];

	if (pending->argument[0] == ARCH_SET_GS) {
		registers[REG_RAX] = address < TASK_SIZE ? 0 : -EPERM;
		if (address < TASK_SIZE)
			self.virtual_gs = address;
		return true;
	}
	if (pending->argument[0] != ARCH_GET_GS)
		return false;
	registers[REG_RAX] = region_write(address, &self.virtual_gs, sizeof self.virtual_gs) ? 0 : -EFAULT;
	return true;
}
