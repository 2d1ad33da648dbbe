/* A thread's state: its system call. */
#ifndef MADT_GATE_PART_H
#define MADT_GATE_PART_H

#include "base/base.h"

#define OPEN_MAX 32 /* ranges that one system call holds open; beyond them, everything */

/* A system call of the target on its way through the stub. */
struct pending {
	bool everything;   /* all regions were opened for it */
	bool silent;       /* records no events: inside a wrapper, or recording is off */
	bool changes_map;  /* no other thread's call does until it is over */
	bool makes_thread; /* clone: the child shares this memory and runs beside it */
	bool clears;       /* clone: the child's handlers are reset, by itself */
	/* clone: it shares this memory, and the caller waits until it is gone */
	bool lends;
	bool parts; /* vfork: the child gets memory of its own, see vfork_part() in gate_clone.c */
	/* made by int $0x80; number and arguments say what it means here, see gate_i386.c */
	bool i386;
	uint64_t mask;    /* clone: the target's signal mask, full meanwhile */
	uint8_t slot;     /* of the stub */
	uint8_t opened;   /* ranges in `open` */
	uintptr_t next;   /* address behind the target's syscall instruction */
	long made;        /* the number as the target passed it */
	long number;      /* -1: an i386 call without a meaning */
	long argument[6]; /* as the target passed them */
	/* a length that the kernel will overwrite, as it was before the call */
	uint32_t limit;
	uint64_t fork_ticket;
	uint64_t begun;      /* time stamp */
	uintptr_t clear_tid; /* clone: where the kernel clears the child's number at its end */
	struct range open[OPEN_MAX];
};

/* A system call of the target on its way through direct.S, from its instruction on. */
struct direct {
	uintptr_t next;  /* address behind the instruction */
	uintptr_t back;  /* where the thread goes on: there, or in a trampoline */
	uint64_t made;   /* the number as the target passed it */
	uint32_t looked; /* 1: direct_look has noted its arguments */
	bool told;       /* and what it found says that memory is recorded behind it */
	uint64_t left; /* direct.S: how far the stack pointer is above the innermost frame, less one */
};

/* What the target asked for by prctl(PR_SET_SYSCALL_USER_DISPATCH): see user_dispatch.c. */
struct user_dispatch {
	bool on;
	uintptr_t start, size; /* code whose calls pass */
	uintptr_t selector;    /* address of a byte, or 0 */
};

enum wait_state {
	WAIT_NONE,
	WAIT_BROKEN, /* a signal of MadT's has broken it off, and the target's own instruction is next */
	WAIT_GOES_ON /* the gate makes it again, with what is left of its limit if it has one */
};

/* The wait at hand, or the one that has been broken off: see wait_limit.c. */
struct gate_wait {
	uint8_t state; /* enum wait_state */
	bool keeps;    /* `kept` is what was where the kernel may write what is left */
	uint64_t kept[2];
	uint64_t begun; /* time stamp */
	uint64_t until; /* by CLOCK_MONOTONIC, of one that has been broken off; 0: it has no limit */
	uintptr_t next; /* address behind its instruction */
	long number;
	long argument[6]; /* as the target passed them */
	/* the time stamp and CLOCK_MONOTONIC in front of the thread's first wait */
	uint64_t first_ticks, first_nanos;
	/* the thread has left MadT in front of this wait: how often it had waited before, and 1; or 0 */
	uint64_t left;
	bool timed; /* a timer ends it when it is due: see socket_wait.c */
	int timer;
};

/* A request to leave MadT: on its way, or taken, so that none is sent again. */
enum gate_asked { ASKED_NOT, ASKED_SENT, ASKED_SEEN };

struct gate_part {
	struct pending pending;
	struct gate_wait wait;
	struct user_dispatch dispatch;
	/* time stamp in front of the system call that the kernel carries out, if it is told; else 0 */
	uint64_t called;
	bool first_frame; /* what was opened for the thread's birth is still open */
	uintptr_t clear_tid;
	/* signal sets and such handed to the kernel in place of the target's */
	uint8_t scratch[256];

	uint8_t asked; /* to leave: enum gate_asked */
	bool parked;   /* it has come, and waits: see leave.c */
	/* it has done its part, and returns from its handler, in which it has this signal mask */
	bool leaves;
	uint64_t leaves_from;
	bool stopped; /* madt-inject holds it in a wait: leave_stopped */
};

#endif
