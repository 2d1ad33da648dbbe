/*
 * madt-inject: brings libmadt.so into a process that runs, and takes it out again. A program of its
 * own, so that the launcher's JVM traces nobody and the target outlives whatever ends the launcher.
 */
#ifndef MADT_INJECT_H
#define MADT_INJECT_H

#include "madt_attach.h"
#include "madt_layout.h"

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>
#include <sys/user.h>

/* Says on standard output why it was not done, and returns false. */
bool refuse(const char *format, ...) __attribute__((format(printf, 1, 2)));

#define KERNEL_SET 8 /* bytes of a signal mask, as the kernel has it */

/* Opens /proc/PID/name to be read; NULL if it cannot be. */
FILE *process_file(pid_t pid, const char *name);
/*
 * Reads a field of /proc/PID/task/TID/stat behind the name (proc(5)), counted from 1, cut at size - 1.
 * False: the thread is gone.
 */
bool thread_field(pid_t pid, pid_t tid, int number, char *field, size_t size);

/* ---------------------------------------------------------------- threads.c */

/*
 * In which order threads are stopped; they go on in the opposite one. The kernel drops a signal that
 * is ignored unless the thread is traced to which it is sent: a parent (SIGCHLD), or the first
 * thread. Then it may wake another thread for it, whose system call ends if that is not traced.
 */
enum turn {
	TURN_WAITS, /* one in a call that ends by a signal, to which none is sent */
	TURN_OTHERS,
	TURN_ENDS,   /* one to which signals are sent, in a call that ends by that */
	TURN_SIGNALS /* one to which signals are sent */
};

struct stopped {
	pid_t tid;
	enum turn turn;
	bool seized;
	struct user_regs_struct registers; /* as it was stopped; what is changed is put back */
	uint64_t mask;                     /* signals that it blocks */
	uintptr_t stack;                   /* of an errand, from where it finds back by itself */
	/* the call in which it waits since then (CLOCK_MONOTONIC); `begun` is 0 where nobody knows */
	long waits;
	uint64_t begun;
	uint64_t switches;
	/* of a socket of its own, by which the call ends with that result; or 0 */
	uint64_t limit;
	long late;
};

struct target {
	pid_t pid;
	struct stopped *threads;
	size_t count, room;
	pid_t late;          /* a thread that did not stop in time, or 0 */
	uint64_t stopped_at; /* nanoseconds of CLOCK_MONOTONIC: when the first was */
	bool stays;          /* a job that is stopped, and stays so */
	int signal;          /* by which an errand says that it has ended; 0: not chosen yet */
};

/*
 * Stops all threads; false, and all go on, where one does not stop in time. They make a system call
 * again that the stop has ended with EINTR, as if there had been none.
 */
bool threads_stop(struct target *target);
/*
 * Stops those that wait with a limit that the kernel counts on when they are stopped; false: there
 * are none.
 */
bool threads_stop_waiting(struct target *target);
/* The same for a process of one thread, which is traced already and stands at some event. */
bool thread_stop(struct target *target);
/* Lets all go on. Returns nanoseconds since the first was stopped. */
uint64_t threads_go(struct target *target);
/* Signals that it blocks until it goes on, a bit each as in `mask`. */
void thread_mask(pid_t tid, uint64_t mask);
/* Gives it the registers and the mask that stand here, which may have been changed. */
void thread_restore(struct stopped *thread);
/* Moves a thread that stands in a restartable sequence to where the kernel would (rseq(2)). */
void thread_abort_sequence(struct target *target, struct stopped *thread);
uint64_t now(void);
/*
 * Returns whether a signal that the thread handles and does not block waits for it: then EINTR is its
 * due. Others wait too where a thread is traced, which ignores them.
 */
bool signal_waits(const struct target *target, const struct stopped *thread);
/* Returns whether the process has a handler for that signal. */
bool signal_handled(const struct target *target, int number);
/* Lets one go on by itself that is not to go with the others. */
void thread_leave_out(struct target *target, size_t i);
/* Lets one go on whose registers and mask are its own again; the others stay stopped. */
void thread_go(const struct target *target, struct stopped *thread);

/* ---------------------------------------------------------------- stops.c */

/* Once, before threads are stopped: the kernel is to tell when one has. */
void threads_watch(void);
/*
 * Waits until the thread stands where its own code goes on. False: it is gone. Where it does not stop,
 * since it waits where nothing interrupts it, and it is past `until` (CLOCK_MONOTONIC), the target
 * says so.
 */
bool stop_await(struct target *target, pid_t tid, uint64_t until);
/* Waits until a thread may have stopped, a millisecond at most. */
void moment(void);
/* Returns once whether a SIGSTOP was not let through. */
bool stop_held(void);
/*
 * Lets the thread run until it stops for another reason than a stop of all threads, which sets its
 * wait status; or only waits, where it runs already. False if it is gone.
 */
bool thread_proceed(pid_t tid, int request, int *status);
bool thread_await(pid_t tid, int request, int *status);
enum look { LOOK_NOTHING, LOOK_STOPPED, LOOK_GONE };
/* The same, for a thread that runs already, and does not wait. */
enum look thread_look(pid_t tid, int request);
/*
 * Takes note of a thread that has ended, if there is one: where all are killed, nobody is told of the
 * first one before the others have been waited for.
 */
void ends_take(void);
/*
 * Has the library look in that thread, once it goes on, whether the time for something has come, if
 * a request for that was held back.
 */
void thread_ask(const struct target *target, pid_t tid);

/* ---------------------------------------------------------------- waited.c */

/* Notes since when a thread waits in that call, if it does and is stopped there. */
void waited_look(pid_t pid, struct stopped *thread, long number);
/* Forgets it, unless the thread has been stopped in that very wait, and makes the call again. */
void waited_end(pid_t pid, struct stopped *thread, long number);
/* Returns until when the wait lasts that it makes again (CLOCK_MONOTONIC); 0: nobody knows, for ever. */
uint64_t waited_until(pid_t pid, const struct stopped *thread);
/*
 * A thread is known to wait until then, if it is in the wait in front of which it was let go.
 *
 * @param switches how often it had waited before
 */
void waited_note(pid_t tid, uint64_t until, uint64_t switches);
/* Returns how often a thread has waited; 0: nobody knows. */
uint64_t waited_switches(pid_t pid, pid_t tid);
/* A thread that was stopped in a wait is let go, in the same one: it lasts until then all the same. */
void waited_go_on(pid_t pid, const struct stopped *thread);

/* Where the limit of a call is: in a register, or in memory to which one points. */
struct limit_place {
	size_t at; /* of struct user_regs_struct */
	/* nanoseconds, of the second of two words in memory; 0: milliseconds in the register */
	uint32_t unit;
	bool written; /* the kernel writes there what is left, when the wait is broken off */
};

/* False: the call is none whose limit begins anew when it is made again. */
bool limit_place(long number, struct limit_place *place);
static inline unsigned long long *limit_register(const struct user_regs_struct *registers,
		const struct limit_place *place)
{
	return (unsigned long long *)((uintptr_t)registers + place->at);
}

/* ---------------------------------------------------------------- sockets.c */

/*
 * Returns the limit, in nanoseconds, of the socket at which a thread waits in that call, and what the
 * call returns when it is over; 0: there is none, or the kernel does not tell.
 */
uint64_t socket_limit(pid_t pid, pid_t tid, long number, long *result);
/* Returns whether any socket of the process has a limit. */
bool sockets_limited(pid_t pid);

/* ---------------------------------------------------------------- follow.c */

/*
 * By SIGTERM it is asked to let go. Before it does, it says until when a thread waits, in milliseconds
 * of CLOCK_MONOTONIC, and how often it has waited: twice a value with the thread's number behind it.
 */
#define FOLLOW_SIGNAL SIGRTMIN /* such signals are queued */
#define FOLLOW_TID_BITS 22     /* the kernel has 2^22 at most */

/*
 * Has a stopped thread make the call again that it is at, with what is left of its limit, and traces
 * it until that has ended. False: it is as it was.
 */
bool follow(const struct target *target, const struct stopped *thread);
/* Follows them until then. Returns how many are left. */
size_t follow_until(const struct target *target, uint64_t until);
/* Lets go of them, as if this process had asked itself to: it is to stop them for something else. */
void follow_end(const struct target *target);
/* Returns until when the last of them waits. */
uint64_t follow_longest(void);

/* ---------------------------------------------------------------- restarted.c */

/*
 * Finds out which call restart_syscall(2) stands for, if a thread is to make that, and gives it its
 * number. The thread's code must be its own still.
 */
void thread_call_known(const struct target *target, struct stopped *thread);
/* Returns whether a system call may go on in that way, or does. */
bool is_restarted(long number);

/* ---------------------------------------------------------------- remote.c */

struct remote {
	struct target *target;
	struct stopped *thread; /* whose calls these are */
	uintptr_t instruction;  /* a `syscall` in the vDSO */
	/* how the thread finds back without madt-inject: back.c */
	uintptr_t returning; /* a `syscall; ret` */
	uintptr_t back;      /* code that makes rt_sigreturn(2) */
	uintptr_t scratch;   /* the far end of the first thread's stack */
	uintptr_t stack;     /* what lies there; 0: nothing */
};

/* Finds the instruction, if the process runs or stands still; or says that there is none. */
bool remote_find(struct remote *remote, pid_t pid);
/* Finds it, unless that was done before. */
bool remote_begin(struct remote *remote, struct target *target, struct stopped *thread);
/* From here on calls are made by the library's code, and the thread finds back as it is now. */
void remote_by_library(struct remote *remote, uintptr_t call, uintptr_t back);
/* A system call in the thread: what the kernel returns. */
long remote_call(struct remote *remote, long number, long a, long b, long c, long d, long e,
		long f);
/*
 * A function with one argument, which runs on a stack until it has sent itself a signal behind its
 * end: then it is at `ended`, and would find back by itself. Signals that the thread gets meanwhile
 * wait until it goes on.
 */
struct errand {
	uintptr_t function, argument, top, end, ended;
	bool alone; /* no handler may run meanwhile, not even of a fault's */
};

/* False: it cannot be begun, or did not come there. */
bool remote_start(struct target *target, struct stopped *thread, const struct errand *errand);
/* The same, but for its start: only where madt-inject is killed does it begin. */
bool remote_prepare(struct target *target, struct stopped *thread, const struct errand *errand);
bool remote_await(struct remote *remote, const struct errand *errand,
		struct user_regs_struct *after);

#define HELD_MOST 32
/* Signals of the program's, or sent to it, that an errand has met; what has no room is lost. */
struct held {
	size_t count, faults;
	siginfo_t info[HELD_MOST];
};
/* One of several errands, each of another thread, that run at a time. */
struct trip {
	struct remote remote;
	struct errand errand;
	struct held held;
	struct user_regs_struct after;
	bool over, ended; /* it came to its end */
};
/*
 * Waits for all that have been started, in the order in which they stop: the one may wait for
 * another, which a signal has stopped. `over`, unless it is NULL, is told of each that is over.
 */
void errands_await(struct trip *trips, size_t count, void (*over)(void *context, struct trip *trip),
		void *context);
/* Returns whether a system call has failed that returned this. */
static inline bool is_failure(long result)
{
	return (unsigned long)result > -4096ul;
}

bool memory_read(pid_t pid, uintptr_t from, void *to, size_t size);
bool memory_write(pid_t pid, uintptr_t to, const void *from, size_t size);

/* ---------------------------------------------------------------- back.c */

#define BACK_BYTES 16384 /* at most, of what a thread needs to find back */

/*
 * Writes what lets the thread find back, in front of `top`. Returns the stack pointer with which
 * code is to run that returns to `next`, which makes rt_sigreturn(2); 0: it cannot be written.
 */
uintptr_t back_write(const struct stopped *thread, uintptr_t top, uintptr_t next);
/* Returns where the context lies within. */
uintptr_t back_context(uintptr_t stack);
/* Takes from there what an errand has made of the thread's registers and mask. */
bool back_read(struct stopped *thread);
/* Returns where the mask lies within, that the thread gets with that. */
uintptr_t back_mask(uintptr_t stack);
/* Finds code of the process's own that makes the call. */
void back_find(struct remote *remote, pid_t pid);
/* Has the calls of the thread return to it, from here on; all threads are stopped. */
void back_begin(struct remote *remote);

/* ---------------------------------------------------------------- seccomp.c */

/*
 * Says why MadT cannot come into a process whose seccomp filters forbid its system calls; nothing of
 * the process's has changed.
 */
bool process_suits(pid_t pid);
/* The same of one whose threads are all stopped, and stay so. */
bool filters_suit(const struct target *target);

/* ---------------------------------------------------------------- image.c */

struct image {
	char *bytes; /* as they are to be in the target, from its first page on */
	size_t size; /* with what is not in the file, a multiple of 4096 */
	size_t filled;
	struct segment {
		size_t from, to;
		int protection;
	} segments[8];
	size_t segment_count;
	/* from its first byte */
	uintptr_t attach_ready, attach, attach_thread, attach_rest, attach_leave, attach_end,
			attach_ended, attach_call, attach_stacks, attach_unmap;
	const char *file;
};

bool image_read(struct image *image, const char *file);
/* Puts the addresses in, for an image that begins there. */
bool image_relocate(struct image *image, uintptr_t base);

/* ---------------------------------------------------------------- pages.c */

/* What was last read of a process's /proc/PID/pagemap; it begins with none. */
struct pages {
	uintptr_t first;
	size_t count;
	uint64_t entry[2048];
	size_t passed; /* entries that were read to pass over memory */
};

int pagemap_open(pid_t pid);
/*
 * Returns whether a page is there that is no file's, by its number; true where the kernel does not
 * say. Others up to `end` may be asked for next.
 */
bool pages_own(struct pages *pages, int pagemap, uintptr_t page, uintptr_t end);
/* Returns the first such page from there on, or `end`; that, too, where looking takes too long. */
uintptr_t pages_next(struct pages *pages, int pagemap, uintptr_t page, uintptr_t end);

/* ---------------------------------------------------------------- texts.c */

#define TEXT_PARTS 8 /* executable segments of a module */

/* The text of a module, and its sum. */
struct text {
	uint64_t sum;
	size_t count;
	struct text_part {
		uintptr_t start, end;
	} part[TEXT_PARTS];
};

struct texts {
	size_t count;
	struct text text[MADT_ATTACH_TEXTS];
};

/* Sums the texts of the modules of a process that runs. */
void texts_sum(struct texts *texts, pid_t pid);
/* Tells those that are the file's now, when the process stands still. Returns how many. */
uint32_t texts_still(const struct texts *texts, pid_t pid, struct madt_attach_text *to);

/* ---------------------------------------------------------------- names.c */

struct names {
	char **name;
	size_t count;
};

/* Reads the names of modules that are prepared: FOLDER/modules, a line for each. */
void names_read(struct names *names, const char *folder);
/* Returns whether all names are known; tells the launcher of others, which then are. */
bool names_all_known(struct names *names, pid_t pid, const struct madt_attach_ready *ready);
/* Waits until the launcher has prepared those of which it was told. */
void names_await(void);

/* ---------------------------------------------------------------- attach.c */

/*
 * Where the library is asked to lie, away from modules, whose patches lead to code not far from
 * them. Behind it is a stack for each thread, with its argument at its begin.
 */
#define ATTACH_WISH 0x7e9e00000000ul
#define ATTACH_STACK_BYTES (64ul * 1024)

/* Brings the library into a process that runs. */
bool attach(pid_t pid, const char *library, const char *folder);
/* The same for one that stands in front of its first instruction: threads_stop has been done. */
bool attach_stopped(struct target *target, const char *library, const char *folder);

/* ---------------------------------------------------------------- execute.c */

/*
 * Becomes a program into which the library is brought at its first instruction; or without it,
 * unless it must be. Returns a status if there is no program.
 */
int execute(const char *library, const char *folder, const char *path, char **arguments, bool must);

/* ---------------------------------------------------------------- blocks.c */

/*
 * Writes the blocks that are alive, at most, to a file: two words of 8 bytes each, address and size.
 *
 * @param maps file that holds the process's map as proc(5) has it
 */
void blocks_tell(pid_t pid, const char *maps, const char *path);

/* ---------------------------------------------------------------- take_out.c */

/*
 * Unmaps ranges out of a process that has left MadT, once no thread needs them; false, and they
 * stay.
 */
bool take_out(pid_t pid, const char *library, uintptr_t base, const char *ranges);
/*
 * Unmaps a range in a stopped thread, and takes back its mark, which lies there, or at 0: nowhere. Of
 * the two, the mark goes first where the program may map something else as soon as the range is free;
 * where MadT maps, nobody does who is not asked to.
 */
void range_unmap(struct remote *remote, struct madt_range range, uintptr_t mark);

#define RANGES_LEFT_MOST 256

struct ranges_left {
	size_t count;
	struct madt_range range[RANGES_LEFT_MOST];
};

/*
 * The same for ranges as the library marks them: so many of struct madt_range.
 *
 * @param base of the library; 0: no thread needs it, and a part of it may be gone
 * @param control where the process has its part of the session's file, with the marks
 * @param more ranges that may be without a mark
 */
bool take_out_marked(pid_t pid, const char *library, uintptr_t base, uintptr_t control,
		const struct madt_range marks[MADT_OWN_RANGES], const struct ranges_left *more);

/* Unmaps a range that no thread needs, and no library knows. */
bool take_out_range(pid_t pid, const struct madt_range *range);

/* ---------------------------------------------------------------- leave.c */

/* Has a process leave that has been told to, with its threads that wait with a limit. */
bool leave(pid_t pid, const char *library, uintptr_t base);

/* ---------------------------------------------------------------- left_over.c */

/* Returns where a process has its part of the session's file; 0: nowhere. */
uintptr_t control_find(pid_t pid);
/* Takes out what an earlier recording has left in a process, if any; false: it stays. */
bool left_over_take_out(pid_t pid, const char *library);

#endif
