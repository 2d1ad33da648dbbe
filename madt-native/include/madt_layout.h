/*
 * The one definition of everything that libmadt.so (in the target), libmadtcode.so (in the JVM) and
 * the Java side share: the session file, in it the session page, the control file, the event ring,
 * the chunk buffers and the code map. docs/FORMAT.md says how they are used;
 * dev.madt.trace.layout.SharedLayout is the Java mirror, and a test compares the two number by
 * number.
 *
 * All integers are little-endian. Offsets are bytes from the start of the structure.
 */
#ifndef MADT_LAYOUT_H
#define MADT_LAYOUT_H

#include "madt_events.h"

#include <assert.h>
#include <stddef.h>
#include <stdint.h>

#define MADT_LAYOUT_VERSION 28u
#define MADT_PAGE 4096u

#define MADT_SESSION_MAGIC UINT64_C(0x535345535444414d) /* "MADTSESS" */
#define MADT_CONTROL_MAGIC UINT64_C(0x4c5254435444414d) /* "MADTCTRL" */
#define MADT_BUFFER_MAGIC UINT64_C(0x464655425444414d)  /* "MADTBUFF" */
#define MADT_CODEMAP_MAGIC UINT64_C(0x45444f435444414d) /* "MADTCODE" */

#define MADT_LAYOUT_AT(type, field, offset) \
	static_assert(offsetof(struct type, field) == (offset), #type "." #field)
#define MADT_LAYOUT_SIZE(type, size) static_assert(sizeof(struct type) == (size), #type)

/* --------------------------------------------------- session file, made by the launcher
 *
 *   area 0             session page, switches, and functions of the user's
 *   area 1 + SERIAL    of a process, from its begin:
 *
 *     0                control
 *     MADT_SWITCHES_AT       struct madt_switch of each instrument, as many as the session page says.
 *                      In area 0 are those that a process begins with
 *     MADT_RATE_LIMIT_AT     struct madt_rate_limit, ascending; the launcher adds some, and says so
 *     MADT_LIBRARY_AT  in area 0: struct madt_library, what the functions of the user's need, and
 *                      at MADT_LIBRARY_PLACES_AT where they are called; the launcher adds places
 *     MADT_POINTS_AT   struct madt_point: what the launcher answers a request with, beside the
 *                      request's own fields
 *     MADT_ANSWER_AT   likewise: a code map or plan, where a process cannot open the file
 *     MADT_PREPARED_AT struct madt_prepared: answers for a process that runs already, which then
 *                      need not be asked for while it stands still
 *     MADT_BUFFERS_AT  buffers, MADT_BUFFER_BYTES each
 *     MADT_COUNTS_AT   counts of instruments: for each thread as many as the session page says, 8
 *                      bytes each. The next thread goes on where one that has ended left off
 *
 * The file has holes where nobody has been, and each page is allocated before it is used. A process
 * maps all that it ever needs from what it has mapped, by mremap(2) and remap_file_pages(2). So it
 * opens nothing, and neither its user, its root, its namespaces, its limits nor its filters matter.
 */
#define MADT_AREA_BYTES (UINT64_C(1) << 31)
#define MADT_AREA(serial) ((1 + (uint64_t)(serial)) * MADT_AREA_BYTES)
#define MADT_SWITCHES_AT (UINT64_C(3) << 19)
#define MADT_SWITCHES_BYTES (UINT64_C(1) << 19)
#define MADT_RATE_LIMIT_AT (UINT64_C(2) << 20)
#define MADT_RATE_LIMIT_BYTES (UINT64_C(2) << 20)
#define MADT_POINTS_AT (UINT64_C(4) << 20)
#define MADT_POINTS_BYTES (UINT64_C(28) << 20)
#define MADT_ANSWER_AT (UINT64_C(32) << 20)
#define MADT_PREPARED_AT (UINT64_C(248) << 20)
#define MADT_BUFFERS_AT (UINT64_C(256) << 20)
#define MADT_BUFFER_BYTES (UINT64_C(4) << 20)
#define MADT_ANSWER_BYTES (MADT_PREPARED_AT - MADT_ANSWER_AT)
#define MADT_PREPARED_BYTES (MADT_BUFFERS_AT - MADT_PREPARED_AT)
#define MADT_COUNTS_AT (UINT64_C(1536) << 20)
#define MADT_COUNTS_BYTES (UINT64_C(512) << 20)
#define MADT_COUNTS_MOST 262144u /* of a thread; a multiple of 512 */
#define MADT_SWITCHES_MOST 32768u
#define MADT_LIBRARY_AT (UINT64_C(32) << 20)
#define MADT_LIBRARY_MOST (UINT64_C(32) << 20)
#define MADT_LIBRARY_PLACES_AT (UINT64_C(64) << 20)
#define MADT_LIBRARY_PLACES 65536u
#define MADT_LIBRARY_COUNTS 65u

/* ---------------------------------------------- session page, made by the launcher */

enum madt_engine { MADT_ENGINE_TRAP = 1, MADT_ENGINE_SPLICE = 2 };
/* What opens a window of the recording, and what closes it. */
enum madt_start {
	MADT_START_MAIN = 0,     /* the program's main begins; of what closes: nothing does */
	MADT_START_LOAD = 1,     /* the program begins */
	MADT_START_MARKER = 2,   /* MadT_start, MadT_stop */
	MADT_START_FUNCTION = 3, /* a function of struct madt_point is entered */
	MADT_START_RETURN = 4,   /* the first call of such a function returns */
	MADT_START_AFTER = 5,    /* some time has passed */
	MADT_START_SIGNAL = 6,   /* a signal comes */
	MADT_START_READ = 7,     /* a read gives these bytes */
	MADT_START_CONTROL = 8,  /* the launcher says so */
	MADT_START_FOR = 9,      /* closes: the window has been open for long enough */
	MADT_START_FORK = 10     /* opens: the process that forked this one has one open */
};
enum madt_session_flag {
	MADT_SESSION_LOSSY = 1,
	MADT_SESSION_FOLLOW = 2,
	MADT_SESSION_TIMES = 4,    /* calls have times */
	MADT_SESSION_EVERY = 8,    /* with them: system calls are told however short they are */
	MADT_SESSION_TLS = 16,     /* accesses to thread-local storage are recorded, too */
	MADT_SESSION_HANDED = 32,  /* what threads hand over through the kernel is told */
	MADT_SESSION_LIBRARY = 64, /* instruments call functions of the user's: MADT_LIBRARY_AT */
	MADT_SESSION_PAUSES = 128, /* what a thread waits for MadT is told */
	MADT_SESSION_OPEN = 256 /* functions that are open when a thread's recording begins are told */
};
/*
 * What is to be traced besides modules, for which the answers to requests say it; the collector
 * knows more exactly.
 */
enum madt_scope { MADT_SCOPE_HEAP = 1, MADT_SCOPE_MAPPED = 2 };

/* With what a window opens or closes. */
#define MADT_TRIGGER_BYTES 52u
struct madt_trigger {
	uint64_t nanos;  /* AFTER: since the first process began, or the last window closed */
	uint32_t number; /* SIGNAL: its number; READ: how many bytes */
	uint8_t text[MADT_TRIGGER_BYTES]; /* READ */
};
MADT_LAYOUT_AT(madt_trigger, number, 8);
MADT_LAYOUT_AT(madt_trigger, text, 12);
MADT_LAYOUT_SIZE(madt_trigger, 64);

struct madt_windows {
	struct madt_trigger opens;
	struct madt_trigger closes;
	uint64_t lasts; /* FOR: nanoseconds of each window; 0: it is not asked for */
	uint64_t begun; /* CLOCK_MONOTONIC in nanoseconds when the first process began; 0: not yet */
	uint32_t most;  /* windows of each process, 0: any number */
	uint32_t stop;  /* enum madt_start: what closes them besides, 0: nothing */
};
MADT_LAYOUT_AT(madt_windows, closes, 64);
MADT_LAYOUT_AT(madt_windows, lasts, 128);
MADT_LAYOUT_AT(madt_windows, begun, 136);
MADT_LAYOUT_AT(madt_windows, most, 144);
MADT_LAYOUT_AT(madt_windows, stop, 148);
MADT_LAYOUT_SIZE(madt_windows, 152);

/* Whether an instrument is switched on; all zeros: it is. The target and the launcher change it. */
struct madt_switch {
	uint32_t off;
	uint32_t turns; /* 1: an instrument of the program's may switch it on (MADT_GUARD_TURN) */
	uint64_t hits;  /* so far, if somebody wants to know */
};
MADT_LAYOUT_AT(madt_switch, turns, 4);
MADT_LAYOUT_AT(madt_switch, hits, 8);
MADT_LAYOUT_SIZE(madt_switch, 16);

/*
 * The user's functions that instruments call (madt_probe.h): a piece of memory that each process
 * has for itself, made of shared libraries. Its parts and moves follow, and from a multiple of 4096
 * on its bytes.
 */
struct madt_library {
	uint64_t size;  /* bytes of the memory, a multiple of 4096 */
	uint32_t parts; /* struct madt_library_part */
	uint32_t moves; /* struct madt_library_move */
};
MADT_LAYOUT_AT(madt_library, parts, 8);
MADT_LAYOUT_AT(madt_library, moves, 12);
MADT_LAYOUT_SIZE(madt_library, 16);

/* What may be done there; elsewhere nothing. Multiples of 4096. */
struct madt_library_part {
	uint64_t start;
	uint64_t end;
	uint64_t protection; /* as of mmap(2) */
};
MADT_LAYOUT_SIZE(madt_library_part, 24);

/* What libmadt.so has for such functions. */
enum madt_import {
	MADT_IMPORT_NONE = 0,    /* it is the memory itself */
	MADT_IMPORT_READ = 1,    /* madt_probe_read */
	MADT_IMPORT_TEXT = 2,    /* madt_probe_text */
	MADT_IMPORT_COPY = 3,    /* memcpy, memmove */
	MADT_IMPORT_FILL = 4,    /* memset */
	MADT_IMPORT_COMPARE = 5, /* memcmp */
	MADT_IMPORT_LENGTH = 6,  /* strlen */
	MADT_IMPORT_SMASHED = 7, /* __stack_chk_fail */
	MADT_IMPORT_NOWHERE = 8, /* 0: what may be missing */
	MADT_IMPORTS = 9
};

/* A word that is an address. */
struct madt_library_move {
	uint64_t at;
	uint64_t import; /* enum madt_import */
	uint64_t addend; /* behind the beginning of that */
};
MADT_LAYOUT_SIZE(madt_library_move, 24);

/* A place at which a function is called. */
#define MADT_LIBRARY_NAME 112u
struct madt_library_place {
	uint64_t function; /* behind the beginning of the memory */
	/* the thread's first count for it: MADT_PROBE_NUMBERS, and one of faults */
	uint32_t counts;
	uint32_t instrument;          /* whose switch goes off with a fault in it */
	char name[MADT_LIBRARY_NAME]; /* cut, with a NUL */
};
MADT_LAYOUT_AT(madt_library_place, counts, 8);
MADT_LAYOUT_AT(madt_library_place, instrument, 12);
MADT_LAYOUT_AT(madt_library_place, name, 16);
MADT_LAYOUT_SIZE(madt_library_place, 128);

#define MADT_PROGRAMS_SIZE 3788u

/*
 * The launcher holds flock(2) on the page from before its magic is there to its own end: who can
 * lock it may delete the directory.
 */
struct madt_session {
	uint64_t magic;
	uint32_t version;
	/* as the launcher sees itself: targets may live in another PID namespace */
	uint32_t launcher_pid;
	/*
	 * field 22 of /proc/PID/stat: madt before version 6 of this layout deletes the session if it
	 * is another
	 */
	uint64_t launcher_start;
	uint32_t engine;
	uint32_t start;
	uint32_t flags;
	uint32_t doorbell; /* futex: a target adds one and wakes; the launcher waits */
	uint32_t waiting;  /* 1 while the launcher waits on the doorbell */
	/* next serial; a process takes one with fetch-and-add, then fills its area */
	uint32_t processes;
	uint32_t failures;   /* processes that could not set themselves up and run untraced */
	uint32_t last_errno; /* why the last of them could not */
	uint64_t max_events; /* accesses to record in each process, 0: no limit */
	uint32_t scope;      /* enum madt_scope, or several */
	uint32_t disowned;   /* 1: the launcher lives and reads no more */
	/*
	 * A robust, process-shared pthread_mutex_t that a thread of the launcher holds from before
	 * `magic` is set to the end of the session. Its first word is the thread's number while the
	 * launcher lives; however the launcher ends, the kernel marks it (MADT_LAUNCHER_*). So a target
	 * sees it in any namespace, behind any root and filter, without a system call.
	 */
	uint32_t launcher[10];
	uint64_t matched; /* bit n: the pattern n of `programs` has named a program */
	uint32_t passed;  /* programs in DIR/passed */
	/* of these, those that are on their way into another program, which has not decided yet */
	uint32_t executing;
	struct madt_windows windows;
	/* bytes of freed blocks that are kept back from the allocator, 0: none */
	uint64_t quarantine;
	/* calls of a chain that are told, at most; below 2: no chains */
	uint32_t chain;
	/* counts that each thread has for instruments, a multiple of 512; 0: there are none */
	uint32_t counts;
	/* room for so many switches of instruments; 0: there are none */
	uint32_t switches;
	uint32_t counting; /* 1: some instrument counts */
	/*
	 * How often instruments have come while the recording goes on. Each process then asks for plans
	 * anew (MADT_REQUEST_RENEW), until madt_control.plans is the same.
	 */
	uint32_t plans;
	/* patterns of the programs to record, each with its NUL; none: all programs */
	char programs[MADT_PROGRAMS_SIZE];
};
#define MADT_LAUNCHER_THREAD 0x3fffffffu /* FUTEX_TID_MASK; none: the session is over */
#define MADT_LAUNCHER_DIED 0x40000000u   /* FUTEX_OWNER_DIED */
MADT_LAYOUT_AT(madt_session, launcher_start, 16);
MADT_LAYOUT_AT(madt_session, engine, 24);
MADT_LAYOUT_AT(madt_session, start, 28);
MADT_LAYOUT_AT(madt_session, flags, 32);
MADT_LAYOUT_AT(madt_session, doorbell, 36);
MADT_LAYOUT_AT(madt_session, waiting, 40);
MADT_LAYOUT_AT(madt_session, processes, 44);
MADT_LAYOUT_AT(madt_session, failures, 48);
MADT_LAYOUT_AT(madt_session, last_errno, 52);
MADT_LAYOUT_AT(madt_session, max_events, 56);
MADT_LAYOUT_AT(madt_session, scope, 64);
MADT_LAYOUT_AT(madt_session, disowned, 68);
MADT_LAYOUT_AT(madt_session, launcher, 72);
MADT_LAYOUT_AT(madt_session, matched, 112);
MADT_LAYOUT_AT(madt_session, passed, 120);
MADT_LAYOUT_AT(madt_session, executing, 124);
MADT_LAYOUT_AT(madt_session, windows, 128);
MADT_LAYOUT_AT(madt_session, quarantine, 280);
MADT_LAYOUT_AT(madt_session, chain, 288);
MADT_LAYOUT_AT(madt_session, counts, 292);
MADT_LAYOUT_AT(madt_session, switches, 296);
MADT_LAYOUT_AT(madt_session, counting, 300);
MADT_LAYOUT_AT(madt_session, plans, 304);
MADT_LAYOUT_AT(madt_session, programs, 308);
MADT_LAYOUT_SIZE(madt_session, 4096);

/*
 * DIR/passed, if there are patterns: a line "PID PARENT FILE" and a NUL for each program image that
 * no pattern names. It keeps the file mapped, with a shared flock(2) on it; so do its children,
 * until they execute something. The lock ends with the last of them.
 */

/* ------------------------------------------------------------------ control: begin of an area
 *
 *   0        struct madt_control
 *   4096     names: NUL-terminated strings, appended, named by their offset from 4096; offset 0 is
 *            the empty string
 *   266240   event ring: MADT_RING_SLOTS slots of 64 bytes
 *   1314816  MadT's own mappings in the target: MADT_OWN_RANGES times struct madt_range
 *   1380352  where patches trapped: MADT_TRAP_SITES times struct madt_trap_site
 */
#define MADT_NAMES_OFFSET 4096u
#define MADT_NAMES_SIZE 262144u
#define MADT_RING_OFFSET (MADT_NAMES_OFFSET + MADT_NAMES_SIZE)
#define MADT_RING_SLOTS 16384u
#define MADT_OWN_OFFSET (MADT_RING_OFFSET + MADT_RING_SLOTS * 64u)
#define MADT_OWN_RANGES 4096u
#define MADT_TRAPS_OFFSET (MADT_OWN_OFFSET + MADT_OWN_RANGES * 16u)
#define MADT_TRAP_SITES 1024u
#define MADT_CONTROL_SIZE (MADT_TRAPS_OFFSET + MADT_TRAP_SITES * 16u)

enum madt_state {
	MADT_STATE_EMPTY = 0,
	MADT_STATE_ATTACHED = 1,
	MADT_STATE_READY = 2, /* it can be asked */
	MADT_STATE_CLOSED = 3 /* no more: it is about to execute another image, or to leave MadT */
};
enum madt_stop {
	MADT_STOP_ACCESSES = 1,
	MADT_STOP_EVERYTHING = 2 /* nobody reads what comes: on untraced */
};
/* Why a module has no plan of instruments that came while it was recorded. */
enum madt_plans {
	MADT_PLANS_TAKEN = 0,
	MADT_PLANS_BUSY = 1,     /* not all threads could be brought to stand still */
	MADT_PLANS_NO_PLACE = 2, /* there is no room for its code, or no memory */
	MADT_PLANS_CHANGED = 3,  /* the program has changed the module's text, or the file has */
	MADT_PLANS_NAMED = 4     /* it has functions of allocators that the user has named */
};
enum madt_request_state {
	MADT_REQUEST_IDLE = 0,
	MADT_REQUEST_ASKED = 1,
	MADT_REQUEST_ANSWERED = 2
};

/* In the flags of a REGION_MAP event: the C library has mapped it as the stack of a thread. */
#define MADT_MAP_OF_THREAD 0x100000000l

/*
 * The target asks for the code map of one module, with engine splice for its plan, and waits on
 * `state`; the launcher answers.
 */
/* Engine trap, in `variant`: a plan of hooks alone is asked for; there are no templates in it. */
#define MADT_REQUEST_HOOKS 0x40000000u
/*
 * In `variant`: the child of a fork asks whether its modules have the template numbers that they
 * had in its parent. They need not be asked for then.
 */
#define MADT_REQUEST_INHERIT 0x20000000u
/*
 * In `variant`: the module's text is not what the answer before was for. Refused if its file is
 * still the same.
 */
#define MADT_REQUEST_ANEW 0x10000000u
/*
 * In `variant`: what `map_path` names cannot be opened here (another user, another root). It is
 * wanted at MADT_ANSWER_AT.
 */
#define MADT_REQUEST_COPY 0x08000000u
/*
 * In `variant`: the module has a plan, of instruments up to the session's `plans` in
 * `first_template`. EALREADY: there is no newer one.
 */
#define MADT_REQUEST_RENEW 0x04000000u
#define MADT_PLANS_NEWEST UINT32_MAX

struct madt_request {
	uint32_t state;     /* futex */
	uint32_t status;    /* answer: 0, or an errno value: the module runs without a map */
	uint64_t load_bias; /* run-time address minus ELF virtual address */
	uint64_t start;     /* first mapped byte of the module */
	uint64_t end;       /* one past its last */
	/*
	 * Answer: template number of code map entry 0. With engine splice the target says up to which of
	 * the session's `plans` instruments are wanted.
	 */
	uint32_t first_template;
	uint32_t untraced; /* answer: 1 if its data are out of scope */
	/* answer: bytes of the code map file, with engine splice of the plan */
	uint64_t map_length;
	char path[1024];     /* the module's file; "linux-vdso.so.1" for the vDSO */
	char map_path[1024]; /* answer: the code map file, with engine splice the plan */
	/* engine splice: of the plan that is asked for, enum madt_plan_variant */
	uint32_t variant;
	uint32_t hooks; /* answer: 1 for a program with an allocator of its own */
	/* answer: how many struct madt_point it has: from MADT_POINTS_AT on */
	uint32_t points;
};
MADT_LAYOUT_AT(madt_request, load_bias, 8);
MADT_LAYOUT_AT(madt_request, start, 16);
MADT_LAYOUT_AT(madt_request, end, 24);
MADT_LAYOUT_AT(madt_request, first_template, 32);
MADT_LAYOUT_AT(madt_request, untraced, 36);
MADT_LAYOUT_AT(madt_request, map_length, 40);
MADT_LAYOUT_AT(madt_request, path, 48);
MADT_LAYOUT_AT(madt_request, map_path, 1072);
MADT_LAYOUT_AT(madt_request, variant, 2096);
MADT_LAYOUT_AT(madt_request, hooks, 2100);
MADT_LAYOUT_AT(madt_request, points, 2104);
MADT_LAYOUT_SIZE(madt_request, 2112);

/* Answers, each with the request that it is for. */
struct madt_prepared {
	uint64_t count;
	struct madt_request request[];
};
MADT_LAYOUT_AT(madt_prepared, request, 8);

/*
 * A function of a module that opens or closes windows: an int3 stands at its entry while it is
 * awaited. Sorted by address.
 */
enum madt_point_role { MADT_POINT_OPENS = 1, MADT_POINT_CLOSES = 2 };
struct madt_point {
	uint32_t address; /* ELF virtual address of the function */
	uint8_t roles;    /* enum madt_point_role, or both */
	uint8_t armed;    /* in the target: the int3 is there */
	uint8_t saved;    /* and what it stands on */
	uint8_t lifted;   /* it was, and will be */
};
MADT_LAYOUT_AT(madt_point, roles, 4);
MADT_LAYOUT_AT(madt_point, armed, 5);
MADT_LAYOUT_AT(madt_point, saved, 6);
MADT_LAYOUT_SIZE(madt_point, 8);

enum madt_asked { MADT_ASKED_NOTHING = 0, MADT_ASKED_OPEN = 1, MADT_ASKED_CLOSE = 2 };
#define MADT_ASK_VALUE UINT64_C(0x4d41445457494e44)
/*
 * What the launcher and timers send to one thread, with a value of MadT's. Of two signals with one
 * number and one thread the kernel drops the second, also where one is sent and the other is due to
 * what the thread does. So it is not SIGSYS: that would take the place of a system call, which would
 * never be made. Where it takes that of a fault, the instruction faults again; where a fault takes
 * its, the launcher sends it again.
 */
#define MADT_ASKED_BY 11 /* SIGSEGV */

/* Why a process went on without MadT, before its end; 0: it did not. */
enum madt_left {
	MADT_LEFT_DEBUGGED = 1,
	MADT_LEFT_FILTERED = 2 /* a seccomp filter */,
	MADT_LEFT_I386 = 3,  /* a call by int $0x80 */
	MADT_LEFT_SPACE = 4, /* there was no shared memory for what it records */
	MADT_LEFT_THREADS = 5 /* other threads held all chunks that a process can have */,
	MADT_LEFT_DETACHED = 6 /* the user wished so: MADT_LEAVE_DETACHED */
};

/* Who asks a process to leave MadT, in `leave`. */
enum madt_leave {
	MADT_LEAVE_TRACED = 1,
	MADT_LEAVE_DETACHED = 2, /* the launcher, which sends the signal again as long as it stays so */
	MADT_LEAVE_SEEN = 3,     /* likewise, and a thread has begun with it */
	MADT_LEAVE_TAKEN = 4     /* it has left, and madt-inject has begun to take everything out */
};
/*
 * With MADT_ASKED_BY, behind a word in `leave`: to one thread from the launcher, to the process from
 * whoever is about to trace it. No other sender has it.
 */
#define MADT_LEAVE_VALUE UINT64_C(0x4d4144544c454156)

struct madt_control {
	uint64_t magic;
	uint32_t version;
	uint32_t pid;
	uint32_t parent;
	uint32_t serial;
	uint32_t state;        /* enum madt_state */
	uint32_t stop;         /* set by the launcher: enum madt_stop, or 0 */
	uint32_t buffers;      /* buffers made */
	uint32_t names_used;   /* bytes of the names area in use */
	uint32_t recording;    /* 1 while accesses are recorded */
	uint32_t chunk_signal; /* futex: the collector adds one when it has freed chunks */
	uint32_t chunk_waiters;
	uint32_t ring_signal; /* futex: the collector adds one when it has freed slots */
	uint32_t ring_waiters;
	uint32_t parent_serial; /* of a fork's child: its parent's serial */
	/* f: free slots; below zero while writers find it full */
	int64_t ring_free __attribute__((aligned(64)));
	/* w: next ticket; the allocation epoch now */
	uint64_t ring_write __attribute__((aligned(64)));
	/* r: next ticket to be read; the collector moves it by several at a time */
	uint64_t ring_read __attribute__((aligned(64)));
	/* e: ring events dropped (--lossy, or the collector is gone) */
	uint64_t ring_errors __attribute__((aligned(64)));
	uint64_t access_errors;  /* accesses dropped for the same reasons */
	uint64_t chunk_ticket;   /* next ticket of a READY chunk */
	uint64_t faults;         /* page faults taken by the engine */
	uint64_t unknown_sites;  /* accesses by code that no code map knows */
	uint64_t calls_gated;    /* system calls that passed the gate */
	uint64_t calls_opened;   /* of these, calls for which everything was opened */
	uint64_t unsynchronised; /* steps and calls during which another thread existed */
	/* modules without a code map; engine splice: without a plan that fits */
	uint64_t unmapped_modules;
	/* accesses that other threads may have made in those windows; an estimate, see missed.c */
	uint64_t missed;
	/* of a fork's child: 1 + ticket of the parent's MADT_EVENT_FORK_BEGIN; 0: it is none */
	uint64_t fork_ticket;
	/* engine splice: executable bytes outside proven code, and of modules without a plan */
	uint64_t unplanned_bytes;
	/* engine splice: traps at sites of one byte and at instruction starts within patches */
	uint64_t patch_traps;
	/* enum madt_leave: this process has been asked to leave MadT, or does so by itself */
	uint32_t leave;
	uint32_t left; /* enum madt_left */
	/*
	 * Set by the launcher, which then sends MADT_ASKED_BY by rt_tgsigqueueinfo(2) with
	 * MADT_ASK_VALUE, until this is 0: open a window, or close it.
	 */
	uint32_t asked; /* enum madt_asked */
	/*
	 * 1 from before the launcher looks at the state until it has sent the signal. Whoever leaves
	 * MADT_STATE_READY waits for that, since the signal would end an image that is not MadT's.
	 */
	uint32_t asking;
	/*
	 * Functions that are called too often, by --rate-limit: so many struct madt_rate_limit are at
	 * MADT_RATE_LIMIT_AT, those of before among them; with MADT_RATE_LIMIT_SECOND in the second
	 * half of that place. The halves take turns, so that a list is whole until two have come. To be
	 * looked at when asked.
	 */
	uint32_t rate_limit;
	uint32_t
			rate_limited; /* how many of them the process has taken; it is asked again until then */
	/* children of vfork that are no longer recorded, though they run in this process's memory */
	uint64_t vfork_unseen;
	uint32_t counted;   /* threads that have had counts at a time, those at MADT_COUNTS_AT */
	uint32_t uncounted; /* threads that found no room for theirs */
	/*
	 * 1: triggers of the source (struct madt_plan_trigger) follow switches. Then the launcher adds
	 * one to `switched` behind each change of these, and asks until `followed` is the same.
	 */
	uint32_t triggers;
	uint32_t switched;
	uint32_t followed;
	uint32_t plans;         /* of the session's, up to which its modules have plans */
	uint32_t plans_refused; /* enum madt_plans: why some are not there, at the last try */
	uint32_t opened;        /* windows so far; a child of fork begins with its parent's */
	uint64_t chains_cut;    /* chains of calls that end where no unwind table tells who called */
	struct madt_request request __attribute__((aligned(512)));
};
MADT_LAYOUT_AT(madt_control, pid, 12);
MADT_LAYOUT_AT(madt_control, parent, 16);
MADT_LAYOUT_AT(madt_control, serial, 20);
MADT_LAYOUT_AT(madt_control, state, 24);
MADT_LAYOUT_AT(madt_control, stop, 28);
MADT_LAYOUT_AT(madt_control, buffers, 32);
MADT_LAYOUT_AT(madt_control, names_used, 36);
MADT_LAYOUT_AT(madt_control, recording, 40);
MADT_LAYOUT_AT(madt_control, chunk_signal, 44);
MADT_LAYOUT_AT(madt_control, chunk_waiters, 48);
MADT_LAYOUT_AT(madt_control, ring_signal, 52);
MADT_LAYOUT_AT(madt_control, ring_waiters, 56);
MADT_LAYOUT_AT(madt_control, parent_serial, 60);
MADT_LAYOUT_AT(madt_control, ring_free, 64);
MADT_LAYOUT_AT(madt_control, ring_write, 128);
MADT_LAYOUT_AT(madt_control, ring_read, 192);
MADT_LAYOUT_AT(madt_control, ring_errors, 256);
MADT_LAYOUT_AT(madt_control, access_errors, 264);
MADT_LAYOUT_AT(madt_control, chunk_ticket, 272);
MADT_LAYOUT_AT(madt_control, faults, 280);
MADT_LAYOUT_AT(madt_control, unknown_sites, 288);
MADT_LAYOUT_AT(madt_control, calls_gated, 296);
MADT_LAYOUT_AT(madt_control, calls_opened, 304);
MADT_LAYOUT_AT(madt_control, unsynchronised, 312);
MADT_LAYOUT_AT(madt_control, unmapped_modules, 320);
MADT_LAYOUT_AT(madt_control, missed, 328);
MADT_LAYOUT_AT(madt_control, fork_ticket, 336);
MADT_LAYOUT_AT(madt_control, unplanned_bytes, 344);
MADT_LAYOUT_AT(madt_control, patch_traps, 352);
MADT_LAYOUT_AT(madt_control, leave, 360);
MADT_LAYOUT_AT(madt_control, left, 364);
MADT_LAYOUT_AT(madt_control, asked, 368);
MADT_LAYOUT_AT(madt_control, asking, 372);
MADT_LAYOUT_AT(madt_control, rate_limit, 376);
MADT_LAYOUT_AT(madt_control, rate_limited, 380);
MADT_LAYOUT_AT(madt_control, vfork_unseen, 384);
MADT_LAYOUT_AT(madt_control, counted, 392);
MADT_LAYOUT_AT(madt_control, uncounted, 396);
MADT_LAYOUT_AT(madt_control, triggers, 400);
MADT_LAYOUT_AT(madt_control, switched, 404);
MADT_LAYOUT_AT(madt_control, followed, 408);
MADT_LAYOUT_AT(madt_control, plans, 412);
MADT_LAYOUT_AT(madt_control, plans_refused, 416);
MADT_LAYOUT_AT(madt_control, opened, 420);
MADT_LAYOUT_AT(madt_control, chains_cut, 424);
MADT_LAYOUT_AT(madt_control, request, 512);
static_assert(sizeof(struct madt_control) <= MADT_NAMES_OFFSET, "control page");

#define MADT_RATE_LIMIT_SECOND 0x40000000u

/* A function whose text is to be the file's again: addresses in the process, ascending. */
struct madt_rate_limit {
	uint64_t start;
	uint64_t end;
};
MADT_LAYOUT_SIZE(madt_rate_limit, 16);

/*
 * A mapping that MadT made in the target. It is no part of the address space that a trace tells of.
 * Start 0: the place is free.
 */
struct madt_range {
	uint64_t start;
	uint64_t end; /* one past the last address */
};
MADT_LAYOUT_AT(madt_range, end, 8);
MADT_LAYOUT_SIZE(madt_range, 16);

/* Why control comes to a trap. */
enum madt_trap_kind {
	MADT_TRAP_INSIDE = 0, /* an instruction start within a patch: nobody foresaw a jump to it */
	MADT_TRAP_SITE = 1,   /* the patch of one byte */
	MADT_TRAP_STEP = 2    /* likewise, and the handler records */
};

/*
 * How often a place trapped: a table of hashes. What finds no room there is in `patch_traps` alone.
 *
 *   place = first template of the module << 33 | ELF virtual address << 2 | enum madt_trap_kind
 */
struct madt_trap_site {
	uint64_t place; /* 0: this slot is free */
	uint64_t count;
};
MADT_LAYOUT_AT(madt_trap_site, count, 8);
MADT_LAYOUT_SIZE(madt_trap_site, 16);

/* -------------------------------------------------------- event ring (Feather-Trace's protocol) */

enum madt_marker { MADT_FREE = 0, MADT_BUSY = 1, MADT_READY = 2 };

/* Whether the new image will take part, or why not. */
enum madt_exec {
	MADT_EXEC_TRACED = 0,
	MADT_EXEC_UNTRACED = 1, /* it loads no libraries, or is no 64-bit program */
	MADT_EXEC_SECURE = 2,   /* it gets rights that who executes it has not: ld.so(8), secure mode */
	MADT_EXEC_APART = 3,    /* the session's files are out of its reach */
	MADT_EXEC_MEMORY = 4,   /* there is no memory for its environment, or it cannot be read */
	MADT_EXEC_STATIC = 5    /* never told: no loader prepares it, so madt-inject does */
};

/* Why a chain of calls has no further caller. */
enum madt_cut {
	MADT_CUT_NONE = 0,  /* nobody called: a thread or the process began here */
	MADT_CUT_TABLE = 1, /* no unwind table tells who called */
	MADT_CUT_DEPTH = 2  /* the chain has as many calls as are to be told */
};
#define MADT_CHAIN_CALLS 64u /* of a chain, at most */

#define MADT_EVENT_CALLERS 1
/* A signal broke the system call off. */
#define MADT_CALL_BROKEN (UINT64_C(1) << 32)
/* Trace file only: the process ended in it. */
#define MADT_CALL_OPEN (UINT64_C(1) << 33)

/* One line of the processor's cache. */
struct madt_event {
	/* enum madt_marker; futex-free: only the collector waits for it, by coming back */
	uint32_t marker;
	uint16_t type;
	uint16_t callers; /* return addresses that follow, innermost first */
	uint64_t ticket;  /* the allocation epoch of this event */
	uint32_t thread;
	uint32_t name; /* offset into the names area */
	uint64_t address;
	uint64_t size;
	uint64_t old;
	uint64_t old_size;
	uint64_t caller[MADT_EVENT_CALLERS];
};
MADT_LAYOUT_AT(madt_event, type, 4);
MADT_LAYOUT_AT(madt_event, callers, 6);
MADT_LAYOUT_AT(madt_event, ticket, 8);
MADT_LAYOUT_AT(madt_event, thread, 16);
MADT_LAYOUT_AT(madt_event, name, 20);
MADT_LAYOUT_AT(madt_event, address, 24);
MADT_LAYOUT_AT(madt_event, size, 32);
MADT_LAYOUT_AT(madt_event, old, 40);
MADT_LAYOUT_AT(madt_event, old_size, 48);
MADT_LAYOUT_AT(madt_event, caller, 56);
MADT_LAYOUT_SIZE(madt_event, 64);

/* ------------------------------------------------------------------ buffers of an area
 *
 *   0     struct madt_buffer, then one struct madt_chunk_state per chunk
 *   4096  chunks of MADT_CHUNK_WORDS 8-byte words; the first MADT_CHUNK_HEADER_WORDS are
 *         struct madt_chunk; behind each a page that is never allocated, and with engine splice
 *         cannot be touched
 */
#define MADT_CHUNK_WORDS 16384u
#define MADT_CHUNK_BYTES (MADT_CHUNK_WORDS * 8u)
#define MADT_CHUNK_HEADER_WORDS 8u
#define MADT_FIRST_BUFFER_CHUNKS 31u /* with the header page 4 MiB */
/*
 * 9,920 chunks. Each thread that sleeps may hold one; with its guard page, a chunk is two of the
 * 65,530 mappings that the kernel lets a process have.
 */
#define MADT_BUFFERS_MAX 320u
#define MADT_CHUNK_STRIDE (MADT_CHUNK_BYTES + MADT_PAGE)
#define MADT_BUFFER_SIZE(chunks) ((uint64_t)MADT_PAGE + (uint64_t)(chunks)*MADT_CHUNK_STRIDE)
static_assert(MADT_BUFFER_SIZE(MADT_FIRST_BUFFER_CHUNKS) <= MADT_BUFFER_BYTES, "buffer");
static_assert(MADT_CONTROL_SIZE <= MADT_SWITCHES_AT, "area");
static_assert(MADT_SWITCHES_MOST * sizeof(struct madt_switch) <= MADT_SWITCHES_BYTES, "area");
static_assert(MADT_BUFFERS_AT + MADT_BUFFERS_MAX * MADT_BUFFER_BYTES <= MADT_COUNTS_AT, "area");
static_assert(MADT_COUNTS_AT + MADT_COUNTS_BYTES <= MADT_AREA_BYTES, "area");

struct madt_chunk_state {
	uint32_t state;  /* enum madt_marker */
	uint32_t thread; /* owner while BUSY */
	uint64_t ticket; /* READY: order of publication within the process */
};
MADT_LAYOUT_SIZE(madt_chunk_state, 16);

struct madt_buffer {
	uint64_t magic;
	uint32_t version;
	uint32_t chunks;
	uint32_t chunk_words;
	uint32_t number; /* K */
	uint64_t reserved[5];
	struct madt_chunk_state chunk[];
};
MADT_LAYOUT_AT(madt_buffer, chunks, 12);
MADT_LAYOUT_AT(madt_buffer, chunk_words, 16);
MADT_LAYOUT_AT(madt_buffer, number, 20);
MADT_LAYOUT_AT(madt_buffer, chunk, 64);

/*
 * The head of a chunk. `filled` is 0 until the words behind the head are all ones and the head is
 * complete: the owner fills a chunk before its first use (files start as zeros), the collector
 * after every later one, leaving `filled` at MADT_CHUNK_CLEAN, and the owner sets MADT_CHUNK_LIVE.
 * The collector looks into BUSY chunks only when they are LIVE.
 */
enum madt_chunk_filled { MADT_CHUNK_RAW = 0, MADT_CHUNK_CLEAN = 1, MADT_CHUNK_LIVE = 2 };

struct madt_chunk {
	uint32_t thread;
	uint32_t process;
	uint64_t epoch;  /* full epoch when the chunk was claimed */
	uint64_t tsc;    /* time stamp counter then */
	uint32_t filled; /* enum madt_chunk_filled */
	uint32_t reserved0;
	/*
	 * Where calls have times: the time stamp counter when the thread went into the system call that
	 * it is in, and its number; 0: it is in none, or in one that does not come back. The number is
	 * there first.
	 */
	uint64_t call_begun;
	uint64_t call_number;
	uint64_t reserved[2];
};
MADT_LAYOUT_AT(madt_chunk, process, 4);
MADT_LAYOUT_AT(madt_chunk, epoch, 8);
MADT_LAYOUT_AT(madt_chunk, tsc, 16);
MADT_LAYOUT_AT(madt_chunk, filled, 24);
MADT_LAYOUT_AT(madt_chunk, call_begun, 32);
MADT_LAYOUT_AT(madt_chunk, call_number, 40);
MADT_LAYOUT_SIZE(madt_chunk, MADT_CHUNK_HEADER_WORDS * 8);

/* ------------------------------------------------------------------ words
 *
 *   63 62           32 31                 0
 *   +-+---------------+-------------------+
 *   |1|template number| epoch, low 32 bits|   header of a record
 *   +-+---------------+-------------------+
 *   |        address (or length)          |   as many as the record has words
 *   +-------------------------------------+
 *
 * All ones is no word: outside a record the end of what was written, inside a record an access that
 * was not made.
 */
#define MADT_WORD_NONE UINT64_MAX
#define MADT_RECORD_HEADER(number, epoch) \
	((UINT64_C(1) << 63) | (uint64_t)(number) << 32 | (uint32_t)(epoch))
#define MADT_TEMPLATE_RESERVED 0x7fffffffu

/*
 * Built-in templates. The code address is the first word of their records, since it is known only
 * when they happen.
 */
enum madt_builtin_template {
	MADT_TEMPLATE_EVENT = 0, /* trace file only: a ring event among the words, docs/FORMAT.md */
	MADT_TEMPLATE_COPY = 1,  /* Y: code, destination, source, length */
	MADT_TEMPLATE_STORE = 2, /* W: code, address, length */
	MADT_TEMPLATE_FETCH = 3, /* G: code, address, length */
	MADT_TEMPLATE_LOAD_UNKNOWN = 4, /* code, address: by code without a map; size 0 */
	/* code, address: a store, or a modify: the fault does not tell */
	MADT_TEMPLATE_WRITE_UNKNOWN = 5,
	MADT_TEMPLATE_THREAD = 6, /* trace file only: the thread of the records behind it */
	/* in no file: index of a template of the frame, and how many records of it were left out */
	MADT_TEMPLATE_TIMES = 7,
	MADT_TEMPLATE_SITE = 12, /* trace file only: a malloc, calloc or free of a site, in columns */
	MADT_TEMPLATE_FIRST_MODULE = 16 /* the first number given to a module */
};
/*
 * The code word of templates 1 to 3 is a return address in the buffer; with this bit it is the
 * address of the instruction itself (a system call). Templates 4 and 5 always hold the instruction
 * itself.
 */
#define MADT_CODE_EXACT (UINT64_C(1) << 63)

/* ------------------------------------------------------------------ code map: a file, cached
 *
 *   struct madt_codemap | entries, sorted by offset | operands | functions
 *
 * Entry N of a module is template first_template + N: one word per site, in the order of the
 * operands; an operand has `elements` sites (1 but for gathers, scatters and masked moves).
 */
#define MADT_CODEMAP_VERSION 5u

struct madt_codemap {
	uint64_t magic;
	uint32_t version;
	uint32_t header_size; /* sizeof(struct madt_codemap) */
	uint64_t file_size;   /* of the code map */
	uint64_t text_bytes;  /* executable bytes of the module */
	/* of these outside every function known from .eh_frame or symbols */
	uint64_t gap_bytes;
	uint64_t bad_bytes; /* of these not decodable */
	uint32_t entries;
	uint32_t operands;
	uint32_t instructions; /* decoded in all */
	uint32_t checksum;     /* CRC32C of all bytes behind the header */
	uint32_t build_id_length;
	uint32_t functions; /* rows of struct madt_code_function */
	uint8_t build_id[32];
	uint64_t text_sum; /* of the code that it is a map of: madt_sum.h */
	uint64_t reserved[2];
};
MADT_LAYOUT_AT(madt_codemap, header_size, 12);
MADT_LAYOUT_AT(madt_codemap, file_size, 16);
MADT_LAYOUT_AT(madt_codemap, text_bytes, 24);
MADT_LAYOUT_AT(madt_codemap, gap_bytes, 32);
MADT_LAYOUT_AT(madt_codemap, bad_bytes, 40);
MADT_LAYOUT_AT(madt_codemap, entries, 48);
MADT_LAYOUT_AT(madt_codemap, operands, 52);
MADT_LAYOUT_AT(madt_codemap, instructions, 56);
MADT_LAYOUT_AT(madt_codemap, checksum, 60);
MADT_LAYOUT_AT(madt_codemap, build_id_length, 64);
MADT_LAYOUT_AT(madt_codemap, functions, 68);
MADT_LAYOUT_AT(madt_codemap, build_id, 72);
MADT_LAYOUT_AT(madt_codemap, text_sum, 104);
MADT_LAYOUT_SIZE(madt_codemap, 128);

enum madt_code_flag {
	MADT_CODE_CALL = 1,        /* a call */
	MADT_CODE_CALL_DIRECT = 2, /* with its target in `target` */
	/* string instruction with a rep prefix: the trap flag traps after each iteration */
	MADT_CODE_REP = 4,
	MADT_CODE_GAP = 8,    /* lies in no function known from .eh_frame or symbols */
	MADT_CODE_PUSHF = 16, /* pushes the flags */
	MADT_CODE_POPF = 32   /* pops the flags */
};

struct madt_code_entry {
	uint32_t offset; /* ELF virtual address of the instruction */
	uint8_t length;  /* bytes */
	uint8_t flags;   /* enum madt_code_flag */
	uint8_t operands;
	uint8_t words; /* sum of the operands' elements */
	uint32_t first_operand;
	uint32_t target; /* of a direct call: ELF virtual address */
};
MADT_LAYOUT_AT(madt_code_entry, length, 4);
MADT_LAYOUT_AT(madt_code_entry, flags, 5);
MADT_LAYOUT_AT(madt_code_entry, operands, 6);
MADT_LAYOUT_AT(madt_code_entry, words, 7);
MADT_LAYOUT_AT(madt_code_entry, first_operand, 8);
MADT_LAYOUT_AT(madt_code_entry, target, 12);
MADT_LAYOUT_SIZE(madt_code_entry, 16);

enum madt_function_kind {
	MADT_FUNCTION_UNWIND = 1, /* .eh_frame has this range; `where`: the FDE */
	MADT_FUNCTION_SYMBOL = 2, /* a function symbol has it, in .dynsym or .symtab; or Go's table */
	MADT_FUNCTION_START = 4,  /* the loader enters it: entry, constructor, resolver */
	MADT_FUNCTION_CALLED = 8, /* .eh_frame: the stack is there as a call leaves it */
	MADT_FUNCTION_PART = 16,  /* a symbol calls it .cold: a part of another function */
	MADT_FUNCTION_STUB = 32, /* entry of the PLT; `where`: its slot, 0 for what enters the loader */
	MADT_FUNCTION_ENTRY = 64,  /* where calls are recorded, they are recorded here */
	MADT_FUNCTION_WHOLE = 128, /* Go's table: all of it is code, but for what is no instruction */
	MADT_FUNCTION_OUTERMOST = 256 /* Go's table: stacks begin with it, whatever called it */
};

/*
 * Where a function is, as the module itself tells it: its debug file may know more. By start, of
 * one start the longer first; several rows of one address may overlap or nest. An unknown length is
 * 0.
 */
struct madt_code_function {
	uint32_t start; /* ELF virtual addresses */
	uint32_t end;
	uint32_t kinds; /* enum madt_function_kind */
	uint32_t where; /* ELF virtual address, or 0 */
};
MADT_LAYOUT_AT(madt_code_function, end, 4);
MADT_LAYOUT_AT(madt_code_function, kinds, 8);
MADT_LAYOUT_AT(madt_code_function, where, 12);
MADT_LAYOUT_SIZE(madt_code_function, 16);

enum madt_access {
	MADT_LOAD = 1,
	MADT_STORE = 2,
	MADT_MODIFY = 3 /* what else words of records tell: madt_payload.h */
};

/*
 * How the address (or the addresses) of an operand come from the registers before the instruction.
 */
enum madt_shape {
	MADT_SHAPE_PLAIN = 0, /* segment + base + index * scale + displacement */
	/*
	 * bt family with a register: PLAIN + size * (signed register `mask`, of size bytes, / (8 *
	 * size))
	 */
	MADT_SHAPE_BIT = 1,
	MADT_SHAPE_XLAT = 2, /* PLAIN, index is al alone */
	/* VSIB: element i at base + sign-extended index element i * scale + displacement */
	MADT_SHAPE_VECTOR = 3,
	/* element i at PLAIN + i * size, where mask element i is set */
	MADT_SHAPE_MASKED = 4,
	/* expand and compress: the n-th set mask element at PLAIN + n * size, n from 0 */
	MADT_SHAPE_COMPRESSED = 5
};

#define MADT_REGISTER_RIP 16u   /* base: displacement is the ELF virtual address itself */
#define MADT_REGISTER_FS 19u    /* base of what a probe loads: displacement is from FS on */
#define MADT_REGISTER_NONE 255u /* base or index: none; mask: none */
/* mask: 0 to 7 opmask register k0 to k7, 128 + n: sign bits of the elements of vector register n */
#define MADT_MASK_VECTOR 128u

enum madt_operand_flag {
	/* rsp-based, or rbp-based where the function sets rbp up as frame pointer */
	MADT_OPERAND_STACK = 1,
	MADT_OPERAND_ADDRESS32 = 2, /* the sum is cut to 32 bits (67 prefix) */
	MADT_OPERAND_IMPLICIT = 4   /* not written in the instruction (push, call, movs …) */
};
enum madt_segment { MADT_SEGMENT_NONE = 0, MADT_SEGMENT_FS = 1, MADT_SEGMENT_GS = 2 };

/*
 * General registers are numbered as in instruction encodings: rax 0, rcx 1, rdx 2, rbx 3, rsp 4,
 * rbp 5, rsi 6, rdi 7, r8 to r15. For VECTOR, `index` is the vector register, 0 to 31, and
 * `index_size` the bytes of its elements. For VECTOR with an opmask and for MASKED, COMPRESSED,
 * `mask` says which elements take part; 255 means all. A vector mask has elements of `mask_size`
 * bytes.
 */
struct madt_code_operand {
	uint8_t access; /* enum madt_access */
	uint8_t shape;  /* enum madt_shape */
	uint8_t base;
	uint8_t index;
	uint8_t scale;
	uint8_t segment;
	uint8_t flags;
	uint8_t mask;
	uint16_t size;    /* bytes of one element */
	uint8_t elements; /* 1 to 64 */
	uint8_t index_size;
	uint8_t mask_size;
	uint8_t number; /* operand number as Zydis counts them */
	uint16_t reserved;
	int64_t displacement;
};
MADT_LAYOUT_AT(madt_code_operand, shape, 1);
MADT_LAYOUT_AT(madt_code_operand, base, 2);
MADT_LAYOUT_AT(madt_code_operand, index, 3);
MADT_LAYOUT_AT(madt_code_operand, scale, 4);
MADT_LAYOUT_AT(madt_code_operand, segment, 5);
MADT_LAYOUT_AT(madt_code_operand, flags, 6);
MADT_LAYOUT_AT(madt_code_operand, mask, 7);
MADT_LAYOUT_AT(madt_code_operand, size, 8);
MADT_LAYOUT_AT(madt_code_operand, elements, 10);
MADT_LAYOUT_AT(madt_code_operand, index_size, 11);
MADT_LAYOUT_AT(madt_code_operand, mask_size, 12);
MADT_LAYOUT_AT(madt_code_operand, number, 13);
MADT_LAYOUT_AT(madt_code_operand, displacement, 16);
MADT_LAYOUT_SIZE(madt_code_operand, 24);

#endif
