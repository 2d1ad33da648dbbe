/* What MadT knows of a thread, and the sections in which no signal of the target's reaches it. */
#ifndef MADT_STATE_H
#define MADT_STATE_H

#include "base/base.h"

#include <linux/futex.h>

extern bool attached; /* a launcher is there: threads have a state, wrappers record */

/* What runs on a thread between the target's own frames, innermost last; see thread/frame.c. */
enum frame_kind { FRAME_ALLOCATION, FRAME_BLOCK, FRAME_SIGNAL };

struct frame {
	uintptr_t stack; /* its stack pointer: a frame below the thread's is gone */
	enum frame_kind kind;
	size_t moved;     /* bytes that read(2) gave to what runs in it */
	uintptr_t code;   /* operator new and delete: the real one */
	size_t size;      /* operator new: what was asked for, and by whom, or 0: an exception ends it without an event */
	uintptr_t caller;
};

#define FRAMES_MAX 64
#define HANDLER_STACK_BYTES (128 * 1024)
#define KEPT_MAX 48
#define STEP_PAGES_MAX 72
#define HELD_MAX 16
#define OPEN_MAX 32 /* ranges that one system call holds open; beyond them, everything */

/* A system call of the target on its way through the stub. */
struct pending {
	bool everything;    /* all regions were opened for it */
	bool silent;        /* records no events: inside a wrapper, or recording is off */
	bool waits;         /* with a signal mask of its own */
	bool masked;        /* MadT's signals that the target blocks are blocked in the kernel too */
	bool changes_map;   /* no other thread's call does until it is over */
	bool makes_thread;  /* clone: the child shares this memory and runs beside it */
	bool clears;        /* clone: the child's handlers are reset, by itself */
	bool lends;         /* clone: it shares this memory, and the caller waits until it is gone */
	bool i386;          /* made by int $0x80; number and arguments say what it means here, see gate_i386.c */
	uint64_t mask;      /* clone: the target's signal mask, full meanwhile */
	uint64_t wait_mask; /* that one, as the target passed it */
	uint8_t slot;       /* of the stub */
	uint8_t opened;     /* ranges in `open` */
	uintptr_t next;     /* address behind the target's syscall instruction */
	long made;          /* the number as the target passed it */
	long number;        /* -1: an i386 call without a meaning */
	long argument[6];   /* as the target passed them */
	uint32_t limit;     /* a length that the kernel will overwrite, as it was before the call */
	uint64_t fork_ticket;
	uint64_t begun;      /* time stamp */
	uintptr_t clear_tid; /* clone: where the kernel clears the child's number at its end */
	struct range open[OPEN_MAX];
};

#define SIGNALS_OWN_COUNT 4

struct action_table;

/* What the child of a clone takes over of its creator, which may have gone on or ended when the child begins. */
struct inherited {
	uint64_t virtual_mask;
	stack_t virtual_stack;
	struct action_table *actions;
	uint32_t number; /* 0: the child has one of its own */
	uintptr_t virtual_gs;
	bool tsc_forbidden;
};

struct pace_page {
	uintptr_t page;
	uint64_t count;
};
#define PACE_PAGES 64
#define MISSED_UNIT 256 /* parts of an access */

struct step {
	bool active;
	uint64_t begun; /* time stamp */
	uint8_t pages;
	uint64_t mask;  /* the target's signal mask */
	uintptr_t code; /* the instruction */
	bool flag;      /* the target had set the trap flag itself */
	bool gs;        /* with the target's GS, see thread/gs.c */
	uintptr_t page[STEP_PAGES_MAX];
};

/*
 * GS leads to it (MADT_GS_AT bytes behind its base), and not the target's TLS: threads that raw clone makes may share one TLS. What the target itself does with GS: see thread/gs.c.
 */
struct madt_thread {
	uint64_t block[MADT_GS_SIZE / 8]; /* engine splice, see madt_plan.h: the first word leads to where the next run goes */
	struct madt_thread *address; /* its own: THREAD_ADDRESS bytes behind that */
	uint64_t masked_result;      /* sys.S, madt_stub_masked: what the call returned */
	uint64_t masked_set;         /* and the mask that the thread has otherwise */
	uint32_t tid;
	uint32_t process; /* its getpid() */
	uint32_t number;  /* in the trace: that of the parent for a vfork child, else the tid */
	uint32_t last_module; /* the one looked up last */
	uint32_t critical; /* above zero: in ring or chunk; signals are held back */
	uint32_t frames;
	struct frame frame[FRAMES_MAX];
	uint32_t kept;     /* ranges that a wrapper's faults opened; they close when it ends */
	struct range kept_open[KEPT_MAX];
	bool kept_all;

	uint64_t *chunk;   /* words of the chunk that this thread owns, or NULL */
	struct madt_chunk_state *chunk_state;
	uint32_t position; /* next free word in it; with engine splice while `led` is not set */
	bool led;          /* engine splice: the block's first word leads into the chunk */
	bool stepping;     /* engine splice: on the way out of a trampoline, signals held */
	uintptr_t stepped; /* the instruction of that step */
	bool step_own;      /* the target's own trap flag takes it there */
	uintptr_t own_from; /* the target steps itself, here in a trampoline; 0: not yet */
	uintptr_t own_due;  /* its instruction that is done and has not been shown yet; 0: none */
	bool own_last;      /* which took the trap flag back */

	struct step step;
	uintptr_t past_code, past_address; /* the last fault that was over before it was looked at */
	struct pending pending;
	bool vfork_child;    /* its parent waits and this memory is the parent's: nothing of it is recorded */
	bool first_frame; /* what was opened for the thread's birth is still open */
	uintptr_t clear_tid;

	uint64_t kept_since; /* time stamp of the first of them */

	struct pace_page pace[PACE_PAGES]; /* where this thread's accesses went, see missed.c */
	uint64_t pace_all, pace_last;
	uintptr_t pace_page; /* the last page */
	uint64_t pace_row;   /* how often in a row */
	uint64_t missed_rest;

	struct action_table *actions; /* shared as the kernel's is: CLONE_SIGHAND */
	uint64_t virtual_mask; /* signals of MadT's that the target believes blocked */
	uint64_t own_pending;  /* and that were sent to it meanwhile */
	siginfo_t own_signal[SIGNALS_OWN_COUNT];
	stack_t virtual_stack; /* the target's sigaltstack */
	void *handler_stack;
	uintptr_t virtual_gs; /* the base that the target believes in */
	bool gs_away;         /* it is in place: GS does not lead here */
	bool tsc_forbidden; /* by the target; for MadT it is allowed for a moment */
	uint32_t held;
	uint64_t held_mask;
	siginfo_t held_signal[HELD_MAX];

	bool asked;  /* to leave, by a signal that is on its way */
	bool parked; /* it has come, and waits: see leave.c */
	bool keeps_gs; /* it has left, in an interposed function or a trampoline, which still look here */
	bool leaves; /* it has done its part, and returns from its handler to the signal mask `leaves_to` */
	uint64_t leaves_to;

	uint8_t scratch[256];  /* signal sets and such handed to the kernel in place of the target's */
	uintptr_t robust;      /* engine trap: the head of the target's list, see robust.c */
	uintptr_t robust_first, robust_pending; /* what it held at the last look */
	struct robust_list_head robust_own; /* the one that the kernel has, if there are nodes */
	uintptr_t robust_nodes;
	uint32_t robust_changes;
	void *environment;     /* envp handed to execve */
	size_t environment_size;
};

#define THREAD_ADDRESS 128
_Static_assert(offsetof(struct madt_thread, address) == THREAD_ADDRESS, "madt_thread.address");
_Static_assert(offsetof(struct madt_thread, masked_result) == 136 && offsetof(struct madt_thread, masked_set) == 144, "sys.S");
_Static_assert(MADT_GS_AT == 0x40000000, "sys.S");

/* Not before thread_begin. Volatile, for GS changes where a clone is seen to have become another thread. */
static inline struct madt_thread *thread_self(void)
{
	struct madt_thread *thread;

	__asm__ volatile("movq %%gs:%c1, %0" : "=r"(thread) : "i"(MADT_GS_AT + THREAD_ADDRESS));
	return thread;
}
#define self (*thread_self())

/* The time stamp counter, for a thread too that has forbidden itself to read it: prctl(2), PR_SET_TSC. */
uint64_t tsc_forced(void);
static inline uint64_t tsc_now(void)
{
	return __builtin_expect(self.tsc_forbidden, false) ? tsc_forced() : __builtin_ia32_rdtsc();
}
long tsc_set(unsigned long mode); /* for the target */

/* ---------------------------------------------------------------- signals held back */

/* Keeps a signal until held_send or held_release, with all others blocked in the context; false if there is no room. */
bool held_add(int number, const siginfo_t *info, ucontext_t *context);
/* They arrive when the handler at hand returns. */
void held_release(ucontext_t *context);
/* They arrive at once. */
void held_send(void);

/*
 * The target's stack may lie in traced memory, where the kernel finds a closed page and a change of protection hits the ground it stands
 * on. Work that takes the region lock or hands its own variables to the kernel runs on MadT's stack; in a critical section, since a
 * signal must not find it there.
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
	if (--thread->critical == 0 && thread->held && !thread->stepping)
		held_send();
}

#endif
