/*
 * The target's GS. The register leads to MadT's state of the thread, so the target's base is kept
 * here (arch_prctl(2)). It is 0 in almost all programs. MadT's base lies MADT_GS_AT bytes below
 * that state, where nothing is mapped: an instruction of the target's with a GS prefix faults, and
 * is then made alone under the trap flag with the base that it should have. Until its trap, or its
 * own fault, the thread does not know its state, and looks it up by its number.
 */
#include "thread/thread.h"

#include "region/region.h"

#include <asm/prctl.h>
#include <errno.h>

/* the end of user space, of four levels of page tables */
#define TASK_SIZE UINT64_C(0x7ffffffff000)

static uint32_t lent; /* threads that have the target's base at the moment */

void gs_set(struct madt_thread *thread)
{
	SYS2(__NR_arch_prctl, ARCH_SET_GS, (uintptr_t)thread - MADT_GS_AT);
}

void gs_back(void)
{
	struct madt_thread *thread;

	if (!__atomic_load_n(&lent, __ATOMIC_RELAXED))
		return;
	thread = thread_numbered((uint32_t)SYS0(__NR_gettid));
	if (!thread || !thread->thread.gs_lent)
		return;
	gs_set(thread);
	thread->thread.gs_lent = false;
	__atomic_fetch_sub(&lent, 1, __ATOMIC_RELAXED);
}

void gs_go(void)
{
	if (!attached) {
		if (!self.thread.keeps_gs)
			/* MadT has left the process */
			SYS2(__NR_arch_prctl, ARCH_SET_GS, self.thread.virtual_gs);
		return;
	}
	if (!self.thread.gs_wanted)
		return;
	self.thread.gs_lent = true;
	__atomic_fetch_add(&lent, 1, __ATOMIC_RELAXED);
	SYS2(__NR_arch_prctl, ARCH_SET_GS, self.thread.virtual_gs);
}

bool gs_call(const long *argument, greg_t *registers)
{
	uintptr_t address = (uintptr_t)argument[1];

	if (argument[0] == ARCH_SET_FS && address < TASK_SIZE)
		self.pointer = address; /* the kernel sets it next */
	if (argument[0] == ARCH_SET_GS) {
		registers[REG_RAX] = address < TASK_SIZE ? 0 : -EPERM;
		if (address < TASK_SIZE)
			self.thread.virtual_gs = address;
		return true;
	}
	if (argument[0] != ARCH_GET_GS)
		return false;
	registers[REG_RAX] = region_write(address, &self.thread.virtual_gs,
								 sizeof self.thread.virtual_gs)
			? 0
			: -EFAULT;
	return true;
}
