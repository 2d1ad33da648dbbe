/*
 * The session that the process takes part in: its files, the engine, and what is written: events
 * and words.
 */
#ifndef MADT_SESSION_H
#define MADT_SESSION_H

#include "base/base.h"

struct module;

/* What makes accesses known, and what the other rooms leave to it. */
struct engine {
	bool closes; /* traced pages are closed, and opened for whoever may touch them */
	/*
	 * code records itself: records are led into chunks, behind each of which lies a page that
	 * cannot be touched
	 */
	bool leads;
	/*
	 * Asks the launcher for what it needs of a module, and takes it; false if that cannot be had.
	 */
	bool (*prepare)(struct module *module, struct madt_request *request);
	/* In the child of a fork, which keeps the template numbers. False: there is nothing to keep. */
	bool (*keep)(struct module *module);
	void (*drop)(struct module *module);
	/* The module has functions that open or close windows, as the answer says. */
	void (*watch)(struct module *module, const struct madt_request *request);
	/* A thread is about to take a chunk: what its next records need comes before them. */
	void (*claim)(void);
	/* Recording is about to begin: what was put off until then is done. */
	void (*begin)(void);
	/* A window of the recording has closed. */
	void (*rest)(void);
	/* The launcher has named functions that are called too often. */
	void (*rate_limit)(void);
	/* It has switched instruments. */
	void (*switched)(void);
	/* A fault: true if that was all, and the context goes on. */
	bool (*fault)(const siginfo_t *info, ucontext_t *context);
	/*
	 * A signal that found the thread where the target cannot be shown is held until it is
	 * elsewhere; false if it is not there.
	 */
	bool (*hold)(int number, const siginfo_t *info, ucontext_t *context);
	/*
	 * A fault of the target's own: registers and instruction pointer become those of the original
	 * instruction. Where a handler takes it, the access was not made; where none does, the original
	 * instruction faults again and ends the process.
	 */
	void (*show)(siginfo_t *info, ucontext_t *context, bool handled);
};
extern struct engine engine; /* from the session's opening on */

struct session {
	char folder[192];
	struct madt_session *page;
	struct madt_control *control;
	struct madt_trap_site *traps; /* in the control part */
	uint32_t serial;
	uint32_t pid; /* kept here, since a child after fork has no area yet */
	struct madt_buffer *buffer[MADT_BUFFERS_MAX];
	/*
	 * What is allocated, from the beginning: chunks of each buffer, slots of the ring, bytes of the
	 * names.
	 */
	uint32_t chunks[MADT_BUFFERS_MAX], slots, names;
	bool gone; /* the launcher ended, or there is no memory: everything goes on untraced */
};
extern struct session session;

bool session_open(const char *folder);
/*
 * After fork: an area of its own. `fork_ticket`: what ring_put gave for the
 * beginning of the fork.
 */
bool session_new_process(uint64_t fork_ticket);
/* The control part of another process, to be unmapped; NULL if there is none. */
struct madt_control *session_control_of(uint32_t serial);
/*
 * A copy of what the launcher has put there in this process's area, private, to be read and
 * written; NULL if there is no memory.
 */
void *session_copy(uint64_t at, size_t size);
/* The same as the launcher sees it, to be unmapped; NULL if it cannot be mapped. */
const void *session_shared(uint64_t at, size_t size);
/*
 * A file in memory with what the launcher has put there: a descriptor, to be closed; a negated
 * errno on failure.
 */
long session_copy_file(uint64_t at, size_t size);
void session_leave(void); /* this process goes on untraced */
bool session_alive(void); /* whether somebody reads what comes */
void session_ring(void);  /* wakes the launcher */
uint32_t session_name(const char *text);
bool session_add_buffer(void);
/*
 * Allocate what lies there: a chunk of a buffer; slots of the ring, from the first on. False where
 * there is no memory.
 */
bool session_back_chunk(uint32_t number, uint32_t chunk);
/* Nobody can wait any longer for memory that does not come: the process goes on untraced. */
void session_space_ended(enum madt_left reason);
#define SESSION_PATIENCE 20 /* tenths of a second: others may give memory back */
bool session_back_ring(uint64_t slot);
/* its words; a guard page follows with engine splice */
uint64_t *session_chunk(struct madt_buffer *buffer, uint32_t i);
/*
 * Maps the first page of the control part, to be read, at this address, in place of what is there
 * if `replace` is set.
 */
bool session_map_control(uintptr_t at, bool replace);
/*
 * Waits until *word is no longer `value`, the launcher has ended (then false) or 100 ms have
 * passed.
 */
bool session_wait(uint32_t *word, uint32_t value);

/*
 * Takes a slot, fills in ticket, thread and marker, and publishes. The rest is that of `event`.
 * Returns the ticket and 1; 0 if it was lost.
 */
uint64_t ring_put(const struct madt_event *event);
/* The same for another thread, which is gone. */
uint64_t ring_put_of(uint32_t thread, const struct madt_event *event);
/* The thread has waited for MadT since then: told where calls have times. */
void ring_pause(uint64_t begun);
static inline uint64_t ring_epoch(void)
{
	return LOAD_ACQUIRE(&session.control->ring_write);
}

void record_write(uint32_t number, const uint64_t *words, uint32_t count);
/* The same, of an epoch that has passed. */
void record_write_of(uint32_t number, uint32_t epoch, const uint64_t *words, uint32_t count);
void record_copy(uintptr_t code, const void *to, const void *from, size_t length);
void record_block(enum madt_builtin_template number, uintptr_t code, const void *address,
		size_t length);
void record_flush(void); /* publishes the thread's chunk */
struct madt_thread;
void record_flush_of(struct madt_thread *thread); /* one that is gone */
/* The thread goes into a system call, and is out of it: so the launcher knows where it ended. */
void record_call_begin(uint64_t begun, uint64_t number);
void record_call_end(void);
/* engine splice: publishes it and takes another; false if there is none */
bool record_renew(void);
void record_after_fork(void); /* in the child: nobody is about to add a buffer */

/* ---------------------------------------------------------------- counts of instruments */

/* between the session's opening, or a fork, and the next fork */
extern bool counts_ready;
/* Bytes of the counts of a thread; 0: there are no instruments. */
size_t counts_bytes(void);
/* The thread's own, which it takes if it has none; never NULL. */
uint64_t *counts_of(struct madt_thread *thread);
/* Counts that nobody reads; NULL if there is no memory. */
uint64_t *counts_unread(void);
/* Opens those of all threads as a window begins, or closes them behind its end. */
void counts_open(bool open);
/* Returns whether a thread's counts are there, and opens them, if it is told so. */
bool counts_closed(uintptr_t address, bool opens);
/* The thread ends: the next one goes on from there. */
void counts_give_back(struct madt_thread *thread);
/* In the child of a fork, before it has an area of its own. */
void counts_after_fork(void);

/* ---------------------------------------------------------------- switches of instruments */

/* Returns where they are, or 0. */
uintptr_t switches_place(void);
/* Returns whether the instrument is on, or the program itself may switch it on. */
bool switch_may_be_on(uint32_t instrument);
/* The process has its area, and no plan is applied yet; false: there is no memory. */
bool switches_set_up(void);
/* In the child of a fork, which has its own area now. */
bool switches_after_fork(void);

/* ---------------------------------------------------------------- where words go */

/* between start and stop: pages are closed, or records led into chunks */
extern bool recording;
/* Time stamps of the last window, and of the end of the one before it; 0: there was none. */
extern struct recording_time {
	uint64_t begun, ended, ended_before;
} recording_time;
/* To be called where a window begins or ends, before `recording` says so. */
void recording_time_note(bool begins);

/* before the first plan is applied, with the thread's state made */
bool lead_set_up(void);
/* a thread begins: nothing is led anywhere yet */
void lead_begin(void);
/*
 * So it is with the child of a fork. Whoever was about to begin or end the recording is not there:
 * the sinks become what `recording` says, as no other thread will see to it.
 */
void lead_after_fork(void);
/*
 * Leads the thread's records into its chunk or, where nothing is recorded, into the sink: after
 * whatever may have changed that.
 */
void lead_follow(void);
/*
 * Nothing is recorded from here on; or it is, and threads whose records nobody reads are to follow.
 */
void lead_idle(bool idle);
/*
 * Returns whether a fault at this address was that of a thread in the midst of a record, or of
 * counting, which began before the recording. It goes on where nobody reads: its registers are
 * changed.
 */
bool lead_was_idle(uintptr_t address, greg_t *registers);
/* Returns whether it is where counts are while nothing is recorded. */
bool lead_counts_idle(uintptr_t address);
/*
 * Has a thread follow that found its own counts closed; in the midst of a hit it goes on there.
 * False: the fault is about something else.
 */
bool lead_counts_closed(uintptr_t address, bool midst);
/* A thread that is there follows, or counts where nobody reads, since it is none of those counted. */
void lead_counts_follow(void);
void lead_position_take(void); /* `position` is where the block's first word leads */
void lead_position_give(void); /* and the other way round */

#endif
