/* What the parts of the gate are to each other; gate.c has the way in and out. */
#ifndef MADT_GATE_PARTS_H
#define MADT_GATE_PARTS_H

#include "base/state.h"
#include "gate/gate.h"

/* Where the six arguments of a system call are (System V ABI, A.2.1). */
extern const int gate_argument[6];
/* Leaves in the registers what the call has left behind there. */
void gate_registers_leave(const struct pending *pending, greg_t *registers);

#define DISPATCH_SET 59 /* PR_SET_SYSCALL_USER_DISPATCH */

/* True if MadT has answered the call itself. */
bool gate_answer(ucontext_t *context, struct pending *pending);
/* True: an exec that is to be made here. */
bool gate_prepare(struct pending *pending, ucontext_t *context);

/* Calls that return twice: `slot` is their stub's, and 0 that of all others. */
bool gate_clones(long number);
void gate_clone_prepare(struct pending *pending, ucontext_t *context);
/* It has been made, seen from the parent or from the child. Returns the thread's own call. */
struct pending *gate_clone_end(unsigned slot, long result, ucontext_t *context);
/* It failed: there is no child. */
void gate_clone_cancel(unsigned slot);
/* It has not been made yet, or is to be made again: the thread has its own mask until then. */
void gate_clone_interrupt(unsigned slot, ucontext_t *context);

void gate_open(struct pending *pending);
/*
 * Returns whether what a call touches is to be looked at: a window may also open while the kernel
 * has the call, and would close what it needs.
 */
bool gate_opens(void);
void gate_open_all(struct pending *pending);
void gate_open_range(struct pending *pending, uintptr_t start, size_t length);
void gate_close(struct pending *pending);
void gate_record(struct pending *pending, long result);

/*
 * Tells what a call hands to other threads, or has from them (handed.c). The kernel is about to make
 * it: returns whether its end is to be told.
 */
bool handed_begin(const struct pending *pending);
void handed_end(const struct pending *pending, long result);
bool handed_is_told(long number); /* whether anything may be told of such a call */

/* System calls that take long; see call_time.c. */
bool call_time_told(void); /* whether this session wants to know of them */
/* The kernel is about to make one; whether its end is to be told. */
bool call_time_begin(long number);
/* It has been made; -EINTR: a signal broke it off. Nothing if none has begun. */
void call_time_end(long number, long result);
/* It has not begun. */
void call_time_forget(void);

/* Waits that a signal of MadT's breaks off: see wait_limit.c. */
/* Returns whether anything is to be noted of such a call before it is made: wait_note does. */
bool wait_has_limit(long number, const long *argument);
void wait_note(const struct pending *pending);
/* Returns whether it is the one that has been broken off: it is to be made with what is left. */
bool wait_goes_on(const struct pending *pending);
/* The gate is about to make a call: any of these. */
void wait_pass(const struct pending *pending, greg_t *registers);
/* A signal of MadT's has broken off this call, which ended with EINTR and is to be made again. */
void wait_break(long number, const long *argument, uintptr_t next);
/* It is made again at once, in the gate's stub. */
void wait_again(const struct pending *pending, greg_t *registers);
/* One that is to go on has not been made: the thread is shown the target's instruction. */
void wait_shown(void);
void wait_forget(void);
/*
 * Returns whether the call that a signal of MadT's has broken off would have ended by its limit: then
 * the registers have its result.
 */
bool wait_is_over(const struct pending *pending, greg_t *registers);

/* Waits of sockets that have limits of their own; see socket_wait.c. */
/* Follows them, if the call gives a socket a limit. */
void sockets_note(long number, const long *argument);
/* Returns which of a socket's limits a call has, if they are noted; 0: none. */
int socket_option(long number);
/* Returns whether a descriptor is of a socket that has this limit. */
bool socket_limit(long descriptor, int option, uint64_t *nanos);
/* Returns what such a call returns when the limit is over. */
long socket_late(long number, long descriptor);
/* Signals the thread when so many nanoseconds are over, until this ends. */
void socket_timer_begin(uint64_t rest);
void socket_timer_end(void);
/* Calls that may wait so are looked at from now on. */
void direct_follow_sockets(void);

void gate_strip_set(struct pending *pending, greg_t *registers, int argument);
void gate_wait_mask(struct pending *pending, greg_t *registers, int argument);
void gate_wait_mask_pselect(struct pending *pending, greg_t *registers);
/* signalfd: whether it is about signals of MadT's is remembered. */
void gate_descriptor(const struct pending *pending);
/*
 * Returns whether the call may look at pending signals of MadT's through such a descriptor; then
 * all is prepared.
 */
bool gate_masked(struct pending *pending, ucontext_t *context);
/* Puts right what such a call read: codes of signals that another thread passed on. */
void gate_masked_end(const struct pending *pending, long result);
long gate_mask_change(ucontext_t *context, const struct pending *pending);

/* Looks at what a call read: it may open or close a window; see gate_reads.c. */
void gate_reads(struct pending *pending, long result);
bool gate_reads_watched(void);

/* A call that waited for children: what became of the one that it names is an event. */
void gate_waited(const struct pending *pending, long result);

/* A call by int $0x80, from the registers, and whether MadT cannot follow what it does. */
void gate_i386_read(struct pending *pending, const greg_t *registers);
bool gate_i386_leaves(const struct pending *pending);

/* of which it is known; those beyond them belong to no set */
#define DESCRIPTORS_KNOWN 4096

struct descriptor_set {
	uint32_t bits[DESCRIPTORS_KNOWN / 32];
};
/* Returns whether a descriptor just opened belongs to the set. */
typedef bool descriptor_kind(uintptr_t path, long folder, long descriptor);

bool descriptor_marked(const struct descriptor_set *set, long descriptor);
/* After a call. */
void descriptors_follow(struct descriptor_set *set, const struct pending *pending, long result,
		descriptor_kind *kind);

/* Makes what a call read from this process's /proc/PID/status what it would be without MadT. */
void gate_status(const struct pending *pending, long result, ucontext_t *context);

bool gate_opens_status(uintptr_t path); /* whether a file of that name may be such a one */

/* Names of threads: see thread_name.c. */
void gate_names(const struct pending *pending, long result);
bool gate_opens_name(uintptr_t path); /* whether a file of that name may name a thread */
void gate_names_after_fork(void);
/* Calls that may write to such a file go to the gate, or no longer. */
void direct_follow_names(bool follow);

/* From now on calls that may meet a descriptor of such a file, or of signalfd, go to the gate. */
void direct_leave_status(void);
void direct_leave_all(void); /* every call goes to the gate */

/* prctl(PR_SET_SYSCALL_USER_DISPATCH) of the target. Returns its result. */
long user_dispatch_set(const long *arguments);
void user_dispatch_after_fork(void);

void direct_leave_signals(void);

/*
 * False: the new image will not load libmadt.so, and is to be given what the target ignores and
 * blocks by gate_exec_here.
 */
bool gate_exec_prepare(struct pending *pending, greg_t *registers);
long gate_exec_here(const struct pending *pending, ucontext_t *context);
void gate_exec_failed(void);
/*
 * A call that changes the address space, or copies it: from before it until the table has followed
 * no other thread makes one.
 */
void gate_map_begin(struct pending *pending);
void gate_map_end(struct pending *pending);
/* Tells of the stack of the calling thread, which is new, if the launcher does not know it. */
void gate_map_stack(void);

void gate_map_follow(const struct pending *pending, long result);

/*
 * Returns whether the call transfers something from or to a file of /proc, and which descriptors
 * are such files.
 */
bool gate_proc_file(const struct pending *pending);
void gate_proc_follow(const struct pending *pending, long result);
/*
 * Makes the call on whose way the thread is once more, by the target's own instruction: not begun,
 * or broken off by MadT's own signal.
 */
void gate_again(ucontext_t *context);
bool gate_stub_empty(void); /* no clone or fork is on its way */

/* Returns whether the call installs a seccomp filter that MadT cannot go on under. */
bool filter_shuts_out(const struct pending *pending);

/* leave.c. False if that is not possible: nothing has changed. */
bool leave_all(enum madt_left why, ucontext_t *context);
/*
 * A thread of another process of the session is about to be traced: the process leaves, or does not
 * within a second.
 */
void leave_for_tracer(uint32_t thread);
/* This process traces others. */
void tracer_note(void);
/*
 * Returns whether the thread is about to stop itself, by the arguments of kill or tgkill, so that
 * its parent can trace it: it is the child of a fork, of a program that traces.
 */
bool tracer_awaited(const long *argument, bool of_thread);

/*
 * Says what becomes of MadT in the child of a fork; and ends its part of this process, of which
 * each thread has its own besides. See process.c.
 */
void process_after_fork(ucontext_t *context);
void process_leave(void);
void gate_map_after_fork(void);
void gate_clones_after_fork(void);
void gate_status_after_fork(void);
void leave_after_fork(void);

/*
 * Pins what the kernel will still write in this thread's memory when it is gone; see exit_pins.c.
 */
void exit_pins_make(void);
void exit_pins_release(void);
void exit_pins_after_fork(void);

#endif
