/* The life of threads, what runs on them, and their GS. */
#ifndef MADT_THREAD_H
#define MADT_THREAD_H

#include "base/state.h"

extern uint32_t thread_count;     /* of this process */
extern uintptr_t thread_calls_at; /* what gs:MADT_GS_CALL holds in each thread */
extern uintptr_t thread_out_at;   /* and gs:MADT_GS_OUT */

/* Gives the calling thread its state and handler stack; `from` is NULL for the first. */
void thread_begin(const struct inherited *from);
void thread_end(void);
void thread_after_fork(void); /* in the child */
/*
 * sigaltstack(2) out of a handler that runs on the alternate stack of this moment: the call is made
 * from the stack that ends at `top`.
 */
void thread_stack_set(const stack_t *stack, void *top);
/* A vfork child is gone, by exec or exit: called by its parent. */
void thread_forget(struct madt_thread *child);
struct madt_thread *thread_numbered(uint32_t tid); /* without GS; NULL if there is none */
/* Returns whether it is so of a thread that lives. */
bool thread_any(bool (*is)(const struct madt_thread *thread, const void *argument),
		const void *argument);
/* The state of another thread with an index from *i up, and that index; NULL if there is none. */
struct madt_thread *thread_other(uint32_t *i);

/* ---------------------------------------------------------------- frames */

void frame_enter(uintptr_t stack, enum frame_kind kind);
void frame_leave(uintptr_t stack);
/* Forgets the frames that the thread has left without returning: longjmp and unwinding. */
void frame_prune(uintptr_t stack);
/*
 * These enter a frame and say whether what is called is to be recorded: a bulk transfer, one of a
 * stream, an allocation.
 */
bool frame_enter_block(uintptr_t stack);
bool frame_enter_stream(uintptr_t stack);
bool frame_enter_allocation(uintptr_t stack);
/* Returns whether a call of an allocator by another name is recorded: in no allocation. */
bool frame_may_name(void);
/*
 * Enters the frame of such a call, within which allocations are recorded as well. It has ended `old`,
 * or all that ends within it.
 */
#define FRAME_ENDS_ALL UINTPTR_MAX
void frame_enter_named(uintptr_t stack, uintptr_t old);
/* Returns whether the thread is in such an allocator. */
bool frame_is_named(void);
/* Returns whether it is in one that has ended this block. */
bool frame_has_ended(uintptr_t old);
/*
 * The frame just entered is an operator's, which runs `code`; if a caller is given, an exception
 * that ends it is a failed allocation.
 */
void frame_note(uintptr_t code, size_t size, uintptr_t caller);
uintptr_t frame_code(void); /* of the innermost frame */
/* The frame just entered maps a block: so what the thread maps now is none of the C library's. */
void frame_maps(void);
bool frame_is_mapping(void);
/* Bytes that the innermost frame's calls of read(2) gave; the gate notes them. */
void frame_move(size_t bytes);
size_t frame_moved(void);
/* An exception ends the innermost wrapper. */
void frame_unwound(void);
bool frame_silent(void); /* in a wrapper: accesses are not recorded */
void kept_close_now(void);
void kept_close_of(struct madt_thread *thread); /* one that is gone */
static inline void kept_close(void)
{
	if (self.thread.kept || self.thread.kept_all)
		kept_close_now();
}

/* ----------------------------------------- missed: an estimate of what other threads did unseen */

void missed_begin(struct madt_thread *thread); /* it has come into being */
void missed_note(uintptr_t page);              /* this thread accessed it, seen */
void missed_step(uint64_t cycles);             /* a step took so long */
/*
 * A range, or everything, was open for this thread from time stamp `begun` to now. What was not
 * recorded of that time does not count.
 */
void missed_window(struct range range, uint64_t begun);
void missed_everywhere(uint64_t begun);

/* ---------------------------------------------------------------- gs */

void gs_set(struct madt_thread *thread); /* GS of the calling thread */
/* The first thing in a handler, before any use of `self`: GS leads to MadT's state again. */
void gs_back(void);
/*
 * The last thing in a handler: the target's base, for an instruction of the target's that uses GS,
 * and for good where MadT has left.
 */
void gs_go(void);
/* arch_prctl for the target, by its arguments; false if it is not about GS. */
bool gs_call(const long *argument, greg_t *registers);

#endif
