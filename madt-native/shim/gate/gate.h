/* The gate for the target's system calls, and what it knows of programs that are executed. */
#ifndef MADT_GATE_H
#define MADT_GATE_H

#include "madt_attach.h"

#include "base/base.h"

void gate_arm(void);
/*
 * A thread was stopped in this system call, which has not been made, and is to go on at `next`.
 * Returns where it goes on: a call with a time limit is made again by restart_syscall(2), at the
 * instruction in front of that place.
 */
uintptr_t gate_take_over(long number, long result, const int64_t *argument, uintptr_t next);
void gate_disarm(void);      /* this thread's system calls pass unseen */
void thread_name_tell(void); /* what the thread is called */
/* A handler of the target's is about to run at `code`, for a signal that somebody sent. */
void handed_signal(uintptr_t code);
void gate_heap_set(uintptr_t start, uintptr_t end);
/* The first thread's storage may lie in the break: that of the program has so many bytes. */
void gate_storage_is(size_t bytes);
/* In a program that runs already: it does, if the base of FS of this thread does. */
void gate_storage_find(uintptr_t base);
bool gate_in_stub(uintptr_t code);
/*
 * Out of the stub of calls with MadT's signals blocked: the context becomes what it would be in the
 * ordinary one.
 */
void gate_plain(ucontext_t *context);
/* The way of a call. */
/* a call of the target's, at its syscall instruction */
/* What becomes of a call by the target's own Syscall User Dispatch: see user_dispatch.c. */
enum user_dispatched { DISPATCH_PASSES, DISPATCH_SIGNALS, DISPATCH_ENDS };
enum user_dispatched user_dispatch(siginfo_t *info, ucontext_t *context);
void gate_call(const siginfo_t *info, ucontext_t *context);
/* it has been made, and a filter signals it */
void gate_refused(siginfo_t *info, ucontext_t *context);
void gate_return(ucontext_t *context); /* at the stub's int3 */
void gate_close_first(void);
/*
 * Tells the functions that a signal found the thread in (chain.h), before its handler is one of
 * them.
 */
void gate_open_tell(const ucontext_t *context);
/* A signal found a new thread or process behind its clone: it has no state yet. */
bool gate_newborn(const ucontext_t *context);
void gate_interrupt(ucontext_t *context); /* a signal found the thread in the stub */
/*
 * Returns whether it found it there because the call ended for it (EINTR); and the same call once
 * more.
 */
bool gate_interrupted(const ucontext_t *context);
void gate_repeat(ucontext_t *context);
/* The arguments, if that call is rt_sigtimedwait; else NULL. */
const long *gate_looks(const ucontext_t *context);
/*
 * A signal of the target's comes in front of a wait that one of MadT's has broken off, and that has
 * not been made again: it ends for this signal, with EINTR.
 */
void gate_wait_ends(ucontext_t *context);
/*
 * The thread came to MadT in the midst of this wait, and makes it again by the instruction at `code`:
 * it lasts until then, by CLOCK_MONOTONIC in nanoseconds.
 */
void gate_wait_goes_on(long number, const long *argument, uintptr_t code, uint64_t until);
/* From here on waits are noted that end by a socket's own limit: socket_wait.c. */
void gate_sockets_follow(void);
struct madt_thread;

/* A thread leaves MadT, in front of a wait that has been broken off, or elsewhere. */
void gate_wait_leaves(const ucontext_t *context);
/*
 * Returns until when that wait lasts, by CLOCK_MONOTONIC; 0: it is in none.
 *
 * @param switches how often the thread had waited before (getrusage(2), ru_nvcsw)
 */
uint64_t gate_wait_until(const struct madt_thread *thread, uint64_t *switches);
/* Returns whether it found it in a wait that has a mask of its own, or in front of one. */
bool gate_waits(const ucontext_t *context);

/* --------------------------------------------------- calls that are made at once; see direct.c */

void direct_set_up(void); /* the engine is known, and no thread has its state yet */
/* A signal found the thread on the way: it is shown at the target's instruction or behind it. */
void direct_show(ucontext_t *context);
/*
 * Returns whether it found it there because the call ended for it (EINTR); and the same call once
 * more.
 */
bool direct_interrupted(const ucontext_t *context);
bool direct_waits(uintptr_t code); /* whether the thread may wait there for the kernel */
void direct_repeat(ucontext_t *context);
void direct_refused(siginfo_t *info, ucontext_t *context); /* as gate_refused */
/* A call that direct.S hands over: shown behind the target's instruction, as gate_call wants it. */
void direct_hand_over(ucontext_t *context);
/* True: signals that were held arrive now. */
bool direct_on_trap(const siginfo_t *info, ucontext_t *context);
/*
 * The target steps itself into a call. The gate makes it, where the processor's steps are what they
 * are at the target's own instruction.
 */
bool direct_entered(const ucontext_t *context);
void gate_stepped(ucontext_t *context);

/* ----------------------------------------------------------- MadT leaves a process; see leave.c */

/* Returns whether the signal asks this thread to leave, and what it does then. */
bool leave_asked(const siginfo_t *info);
/* Nobody leaves, but all threads stand still, where instruments have come: leave.c. */
void leave_none(const ucontext_t *context);
void leave_on_signal(int number, siginfo_t *info, ucontext_t *context);
/*
 * Leaves in a thread that madt-inject has stopped in a wait, and to which it gives back afterwards
 * what `context` says then: no handler returns, which would end the wait.
 *
 * @param missing how many of the threads that it has stopped so have not come here yet
 */
enum madt_attach_leaves leave_stopped(ucontext_t *context, uint32_t *missing);

/* ---------------------------------------------------------------- programs that are executed */

/* Returns whether the new image will load libmadt.so; `flags` are those of execveat. */
enum madt_exec exec_image(long folder, uintptr_t path, long flags);
/*
 * Returns whether the new image will find the session: the process may have become another user's,
 * whose capabilities do not outlast the exec, or have shut itself in.
 */
bool exec_session_reachable(void);
/* Returns whether there is something that can be executed at all. */
bool exec_possible(long folder, uintptr_t path, long flags);
/*
 * False if the list cannot be read to its end: it ends nowhere, or a seccomp filter of the target's
 * forbids us to read it.
 */
bool exec_environment_count(uintptr_t list, size_t *n);
/* The same of madt-inject, which is executed in place of a static program. */
bool exec_injector_reachable(void);
#define EXEC_TEXTS 8192 /* bytes for the variables that are added or changed */
#define EXEC_ENVIRONMENT_SIZE(n) (EXEC_TEXTS + ((n) + 4) * sizeof(char *))
/*
 * The list of n entries with MadT's variables, in memory of that size. Entries other than
 * LD_PRELOAD stay where they are.
 */
char **exec_environment(char *memory, uintptr_t list, size_t n);
/*
 * The arguments with which madt-inject becomes the program at `path`, whose n arguments are in the
 * list; in memory of EXEC_ENVIRONMENT_SIZE(n + 1). The first is its own path.
 */
char **exec_arguments(char *memory, const char *path, uintptr_t list, size_t n);

#endif
