/* What MadT knows of a thread, and the sections in which no signal of the target's reaches it. */
#ifndef MADT_STATE_H
#define MADT_STATE_H

#include "base/base.h"
#include "chain/part.h"
#include "gate/part.h"
#include "module/part.h"
#include "session/part.h"
#include "signal/part.h"
#include "splice/part.h"
#include "thread/part.h"
#include "trap/part.h"

#include <asm/prctl.h>

/* The process ran already when MadT came: nothing is interposed (start/attach.c). */
extern bool ran_before;
extern bool attached; /* a launcher is there: threads have a state, wrappers record */

#define HANDLER_STACK_BYTES (128 * 1024)
#define HELD_MAX 16

/* Signals held back, see held.c. */
struct held {
	uint32_t count;
	/* beyond the critical section: the thread is on its way out of a trampoline */
	bool stays;
	uint64_t mask;
	siginfo_t signal[HELD_MAX];
};

/*
 * A part for each room, which its part.h describes. GS leads to it (MADT_GS_AT bytes behind its
 * base), and not the target's TLS: threads that raw clone makes may share one TLS. What the target
 * itself does with GS: see thread/gs.c.
 */
struct madt_thread {
	/* engine splice, see madt_plan.h: the first word leads to where the next record goes */
	uint64_t block[MADT_GS_SIZE / 8];
	struct madt_thread *address; /* its own: THREAD_ADDRESS bytes behind that */
	uint64_t masked_result;      /* sys.S, madt_stub_masked: what the call returned */
	uint64_t masked_set;         /* and the mask that the thread has otherwise */
	uint64_t calls_at;           /* MADT_GS_CALL: gate/direct.S */
	uint64_t counters[MADT_PROBE_COUNTERS];
	uint64_t out_at;      /* MADT_GS_OUT: splice/call_out.S */
	uint64_t counts_at;   /* MADT_GS_COUNTS: session/counts.c */
	uint64_t switches_at; /* MADT_GS_SWITCHES: session/switches.c */
	uint64_t pointer;     /* MADT_GS_POINTER: thread/thread.c, thread/gs.c */
	struct direct direct;
	uint32_t tid;
	uint32_t process; /* its getpid() */
	uint32_t number;  /* in the trace: its tid */
	/*
	 * A process of its own in the memory of its parent, which waits: it is recorded as a thread of
	 * the parent's.
	 */
	bool vfork_child;
	bool unseen;        /* such a child that MadT has let go: nothing of it is recorded */
	uint32_t critical;  /* above zero: in ring or chunk; signals are held back */
	bool tsc_forbidden; /* by the target; for MadT it is allowed for a moment */
	void *handler_stack;
	/* signals that the target ignores: MadT's handlers do not block them, see signal_table.c */
	const uint64_t *dropped;
	struct held held;

	struct session_part session;
	struct thread_part thread;
	struct module_part module;
	struct signal_part signal;
	struct splice_part splice;
	struct trap_part trap;
	struct gate_part gate;
	struct chain_part chain;
};

#define THREAD_ADDRESS 128
_Static_assert(offsetof(struct madt_thread, address) == THREAD_ADDRESS, "madt_thread.address");
_Static_assert(offsetof(struct madt_thread, masked_result) == 136
				&& offsetof(struct madt_thread, masked_set) == 144,
		"sys.S");
_Static_assert(MADT_GS_AT == 0x40000000, "sys.S");
_Static_assert(offsetof(struct madt_thread, calls_at) == MADT_GS_CALL, "madt_thread.calls_at");
_Static_assert(offsetof(struct madt_thread, out_at) == MADT_GS_OUT, "madt_thread.out_at");
_Static_assert(offsetof(struct madt_thread, counts_at) == MADT_GS_COUNTS, "madt_thread.counts_at");
_Static_assert(offsetof(struct madt_thread, switches_at) == MADT_GS_SWITCHES,
		"madt_thread.switches_at");
_Static_assert(offsetof(struct madt_thread, pointer) == MADT_GS_POINTER, "madt_thread.pointer");
_Static_assert(offsetof(struct madt_thread, counters) == MADT_GS_COUNTERS, "madt_thread.counters");

/*
 * Not before thread_begin. Volatile, for GS changes where a clone is seen to have become another
 * thread.
 */
static inline struct madt_thread *thread_self(void)
{
	struct madt_thread *thread;

	__asm__ volatile("movq %%gs:%c1, %0" : "=r"(thread) : "i"(MADT_GS_AT + THREAD_ADDRESS));
	return thread;
}
#define self (*thread_self())

/*
 * The base of FS: the calling thread's control block, by which pthread_join(3) and others know the
 * thread. It may lie in traced memory, so it is not asked for its own address.
 */
static inline uintptr_t thread_block(void)
{
	uintptr_t base = 0;

	SYS2(__NR_arch_prctl, ARCH_GET_FS, &base);
	return base;
}

/*
 * The time stamp counter, for a thread too that has forbidden itself to read it: prctl(2),
 * PR_SET_TSC.
 */
uint64_t tsc_forced(void);
static inline uint64_t tsc_now(void)
{
	return __builtin_expect(self.tsc_forbidden, false) ? tsc_forced() : __builtin_ia32_rdtsc();
}
long tsc_set(unsigned long mode); /* for the target */

/* ---------------------------------------------------------------- signals held back */

/*
 * Has only faults interrupt the code that is returned to. What the target ignores and does not
 * block is left out for the reason in signal_table.c: it passes unseen.
 */
static inline void mask_but_faults(ucontext_t *context)
{
	uint64_t *mask = context_mask(context);

	*mask = ~(SIGNALS_FAULT | (__atomic_load_n(self.dropped, __ATOMIC_RELAXED) & ~*mask));
}

/*
 * Keeps a signal until held_send or held_release, with all others blocked in the context; false if
 * there is no room.
 */
bool held_add(int number, const siginfo_t *info, ucontext_t *context);
/* The word of a request of MadT's (madt_layout.h); 0: it is a signal of the target's. */
uintptr_t own_word(const siginfo_t *info);
/* Returns whether such a one is held. */
bool held_has(bool (*is_such)(const siginfo_t *));
/* They arrive when the handler at hand returns. */
void held_release(ucontext_t *context);
/* They arrive at once. */
void held_send(void);

/*
 * The target's stack may lie in traced memory, where the kernel finds a closed page and a change of
 * protection hits the ground it stands on. Work that takes the region lock or hands its own
 * variables to the kernel runs on MadT's stack; in a critical section, since a signal must not find
 * it there.
 */
void on_own_stack(void (*work)(void *), void *argument);
static inline void critical_enter(void)
{
	self.critical++;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
}
static inline void critical_leave(void)
{
	struct madt_thread *thread = thread_self();

	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	if (--thread->critical == 0 && thread->held.count && !thread->held.stays)
		held_send();
}

#endif
