/*
 * What madt-inject and libmadt.so say to each other where a process runs already: the injector
 * maps the library into it by hand, stops all threads and has each of them enter the library.
 *
 *   at first        madt_attach_ready(struct madt_attach_ready *)   in the first thread
 *   once            madt_attach(struct madt_attach *)           in the first thread
 *   in each other   madt_attach_thread(struct madt_attach_thread *)
 *   in some         madt_attach_leave(struct madt_attach_leave *)
 *   before it goes  madt_attach_rest(struct madt_attach_rests *)
 *                   madt_attach_unmap(const struct madt_attach_pieces *)
 *
 * All run on a stack of the injector's, with all signals blocked but those that cannot be, and
 * return to madt_attach_end, where the thread sends itself the signal that r12 names: the injector
 * stops it at madt_attach_ended. Where the injector has been killed, the threads go on from there to
 * what they did before, by the frame of a signal that lies on that stack.
 */
#ifndef MADT_ATTACH_H
#define MADT_ATTACH_H

#include <stdint.h>

#define MADT_ATTACH_FOLDER 192u
#define MADT_ATTACH_TEXTS 512u
#define MADT_ATTACH_MODULES_MOST 1024u

/* What madt_attach and madt_attach_ready return. Unless it is done, nothing of the target's has changed. */
enum madt_attach_result {
	MADT_ATTACH_DONE = 0,
	MADT_ATTACH_SESSION = 1, /* the session cannot be opened, or has no room */
	MADT_ATTACH_LOADER = 2,  /* the loader is about to change its list: another time */
	MADT_ATTACH_MODULES = 3, /* the list of modules cannot be read */
	MADT_ATTACH_MEMORY = 4,
	MADT_ATTACH_PASSED = 5, /* the session does not record this program */
	MADT_ATTACH_LEFT = 6    /* the injector was killed before all threads had been prepared */
};

/* Where the names are that the loader has for the modules; not of the program. */
struct madt_attach_ready {
	uint64_t state; /* answer: address of the loader's r_state (link.h), an int */
	uint64_t count; /* answer; others are not told */
	uint64_t name[MADT_ATTACH_MODULES_MOST];
};

/* A module's text as it is in memory: where its first part is, and the sum of all (madt_sum.h). */
struct madt_attach_text {
	uint64_t start, sum;
};

struct madt_attach_thread {
	uint64_t mask;  /* its signal mask, of signal(7)'s number n the bit n - 1 */
	uint64_t next;  /* where it goes on */
	int64_t number; /* of the system call that it was stopped in; -1: in none */
	int64_t result; /* what rax holds: a negated errno */
	int64_t argument[6];
	/* the call at `next` that it makes again, and until when it waits (CLOCK_MONOTONIC, ns); or 0 */
	int64_t waits;
	uint64_t until;
	uint64_t mask_back; /* where the mask lies that it gets if the injector is gone */
	/*
	 * Set by the library: where it goes on. The kernel makes a call with a time limit again by
	 * restart_syscall(2), which is to be made in the library.
	 */
	uint64_t goes_on;
};

struct madt_attach {
	char folder[MADT_ATTACH_FOLDER];  /* of the session, as the target sees it */
	uint64_t image, image_bytes;      /* where libmadt.so is */
	uint64_t text_count;              /* modules whose sums are known; the others are summed */
	uint64_t summed;                  /* answer: how many those are */
	uint64_t all;                     /* 1: all threads have been prepared */
	uint64_t limited;                 /* 1: sockets have limits of their own (SO_RCVTIMEO …) */
	uint64_t asked;                   /* answer: for how many modules no answer was prepared */
	struct madt_attach_thread thread; /* the first one */
	struct madt_attach_text text[MADT_ATTACH_TEXTS];
};

/*
 * A thread that leaves MadT while it is stopped in a wait whose rest the kernel knows, and which a
 * handler's return would end. The result is an enum madt_attach_leaves.
 */
struct madt_attach_leave {
	uint64_t context; /* where its registers and its mask lie, as rt_sigreturn(2) has them */
	uint64_t missing; /* where it says how many such threads have not come yet: 32 bits */
};

enum madt_attach_leaves {
	MADT_ATTACH_STAYS = 0,    /* it takes part still; the context is to be given back */
	MADT_ATTACH_GONE = 1,     /* it has left; the wait may go on where the context says */
	MADT_ATTACH_ELSEWHERE = 2 /* nothing has been done: it is not in a call of the target's */
};

/*
 * A thread of a process that has left MadT: whether it will still come back to this library, in
 * which it was when MadT left, or by the return from a handler that it was in.
 */
struct madt_attach_rest {
	uint32_t tid;
	uint32_t needed;   /* answer */
	uint64_t stack;    /* its stack pointer */
	uint64_t gs;       /* answer: the base of GS that it is to have, if `keeps_gs` */
	uint64_t keeps_gs; /* answer: it has MadT's */
	/*
	 * Answer: until when it is to wait in the call in front of which it left MadT (CLOCK_MONOTONIC),
	 * or 0; and how often it had waited before (getrusage(2), ru_nvcsw).
	 */
	uint64_t until, switches;
};

struct madt_attach_rests {
	uint64_t count;
	struct madt_attach_rest thread[];
};

/*
 * What no thread needs any more and is to be unmapped, but for the library and the marks. A thread
 * that has begun with it comes to its end, whether madt-inject lives or not: so each mark goes with
 * what it marks.
 */
struct madt_attach_piece {
	uint64_t start, end;
	uint64_t mark; /* where its struct madt_range stands, or 0 */
};

struct madt_attach_pieces {
	uint64_t count;
	uint64_t leave; /* where enum madt_leave stands, for MADT_LEAVE_TAKEN, or 0 */
	struct madt_attach_piece piece[];
};

#endif
