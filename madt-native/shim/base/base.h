/*
 * What every room uses: the layouts, system calls, ranges of addresses, signals and their contexts.
 */
#ifndef MADT_BASE_H
#define MADT_BASE_H

#include "base/sys.h"
#include "madt_layout.h"
#include "madt_plan.h"

#include <signal.h>
#include <ucontext.h>

#define PAGE_DOWN(a) ((uintptr_t)(a) & ~(uintptr_t)(MADT_PAGE - 1))
#define PAGE_UP(a) PAGE_DOWN((uintptr_t)(a) + MADT_PAGE - 1)
#define EXPORT __attribute__((visibility("default")))
#define CALLER ((uintptr_t)__builtin_return_address(0))
#define LOAD_ACQUIRE(p) __atomic_load_n(p, __ATOMIC_ACQUIRE)
#define STORE_RELEASE(p, v) __atomic_store_n(p, v, __ATOMIC_RELEASE)

struct range {
	uintptr_t start, end;
};

#define SIGNAL_BIT(n) (UINT64_C(1) << ((n)-1))
#define SIGNALS_OWN \
	(SIGNAL_BIT(SIGSEGV) | SIGNAL_BIT(SIGTRAP) | SIGNAL_BIT(SIGSYS) | SIGNAL_BIT(SIGILL))
#define SIGNALS_FAULT (SIGNALS_OWN | SIGNAL_BIT(SIGBUS) | SIGNAL_BIT(SIGFPE))
/* Bits of a page fault's error code (Intel SDM volume 3, 4.7). */
#define FAULT_WRITE 2
#define FAULT_FETCH 16
#define TRAP_FLAG 0x100
#define KERNEL_SET 8 /* bytes of the kernel's signal set */

static inline uint64_t *context_mask(ucontext_t *context)
{
	return (uint64_t *)&context->uc_sigmask;
}
static inline greg_t *context_registers(ucontext_t *context)
{
	return context->uc_mcontext.gregs;
}

#define INSN_BYTES_MAX 15
#define PUSHF 0x9c
#define POPF 0x9d
/*
 * pushf and popf show the trap flag to the target, or take it from it; 0 for every other
 * instruction.
 */
uint8_t trap_flag_instruction(uintptr_t code);
#define PREFIX_FS 0x64
#define PREFIX_GS 0x65
/*
 * The prefix of an instruction that decides on its segment, or 0. Legacy prefixes come first, and
 * the last one of a segment counts (Intel SDM volume 2, 2.1.1). The bytes in front of `fault` can
 * be read; 0: all of them, for the processor has read the instruction.
 */
uint8_t segment_prefix(uintptr_t code, uintptr_t fault);
/*
 * Returns whether the instruction flushes a line of the caches: it faults as a load does, and is
 * none.
 */
bool flushes_line(uintptr_t code);

#endif
