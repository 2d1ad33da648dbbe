/*
 * What is mapped, which of it is traced, and whether it is open; start and stop of the recording.
 */
#ifndef MADT_REGION_H
#define MADT_REGION_H

#include "base/base.h"

enum region_flag {
	REGION_TRACED = 1,
	REGION_STACK = 2,
	REGION_HEAP = 4,
	REGION_PRIVATE = 8 /* anonymous too */,
	REGION_SHARED = 16,
	REGION_APART = 32 /* no child of a fork has it (MADV_DONTFORK) */,
	REGION_OF_THREAD = 64 /* a stack that the C library has mapped, and the launcher knows it */
};

struct region {
	uintptr_t start, end;
	uint32_t protection; /* what the target asked for */
	uint32_t flags;      /* enum region_flag */
};

bool region_find(uintptr_t address, struct region *out);
/* The first region that ends behind the address. */
bool region_next(uintptr_t address, struct region *out);
bool region_traced(uintptr_t address);
bool region_any_traced(struct range range);
void region_add(uintptr_t start, uintptr_t end, uint32_t protection, uint32_t flags);
void region_remove(uintptr_t start, uintptr_t end);
void region_protect(uintptr_t start, uintptr_t end, uint32_t protection);
void region_untrace(uintptr_t start, uintptr_t end);
void region_set_apart(uintptr_t start, uintptr_t end, bool apart);
/*
 * Gives the pages of the range that are traced their own protection, or none. False if the kernel
 * refused.
 */
bool region_open(uintptr_t start, uintptr_t end);
void region_close(uintptr_t start, uintptr_t end);
/* the first time after it was mapped */
void region_close_new(uintptr_t start, uintptr_t end);
void region_open_all(void);
void region_close_all(void);
/*
 * A pinned range stays open whatever other threads close, until the call in the kernel that needs
 * it is over: the kernel does not fault and come again, it answers EFAULT. Pinning opens, unpinning
 * closes.
 */
bool region_pin(struct range range); /* false: too many pins */
void region_unpin(struct range range);
void region_pin_all(void);
void region_unpin_all(void);
/*
 * A call of this thread's is about to change what is mapped there (empty ranges are none), until
 * region_change_end: meanwhile no other thread opens or closes it, and a fault of theirs in it is
 * to be made again.
 */
void region_change_begin(const struct range range[2]);
void region_change_end(void);
bool region_changing(uintptr_t address); /* by another thread */
void region_after_fork(void);
/*
 * Copies from the target's memory, whatever is closed there; stops at memory that does not exist.
 */
size_t region_read(void *to, uintptr_t from, size_t n);
/* A NUL-terminated text, cut at size - 1. */
bool region_read_text(char *to, uintptr_t from, size_t size);
bool region_write(uintptr_t to, const void *from, size_t n);

/* ---------------------------------------------------------------- recording */

/* Both tell of it with the address that madt_layout.h says. False: nothing is recorded. */
bool recording_begin(enum madt_start cause, uintptr_t code);
void recording_end(enum madt_start cause, uintptr_t code);
void recording_note(enum madt_event_type type, enum madt_start cause, uintptr_t code);
void recording_stop_all(void);
/* Stops it where the launcher says so or has ended; false then. */
bool recording_goes_on(void);

/* ---------------------------------------------------------------- windows, see window.c */

void window_set_up(void); /* the process takes part: it may begin with a window */
/* Whatever the options say; they do nothing where one is open, or none is. */
void window_open(enum madt_start cause, uintptr_t code);
void window_close(enum madt_start cause, uintptr_t code);
/* Returns whether this would open one now, or close the one that is open. */
bool window_awaits(enum madt_start cause);
/* It has come: opens one, or closes it, if it is awaited. */
void window_turn(enum madt_start cause, uintptr_t code);
bool window_opens_again(void); /* whether there may be another one */
/* Returns whether the signal is a timer's or the launcher's, and what is to be done then. */
bool window_asked(const siginfo_t *info);
void window_answer(void);
/*
 * Takes a request that waits for this thread, or comes by then: what is still on its way when
 * MadT's handlers are gone would kill it. A signal of the target's is sent again.
 */
void request_take(long seconds);
/*
 * From here on the launcher asks no more, since MadT's handlers are about to be gone; nothing that
 * it has asked is on its way. And again: that did not come about.
 */
void window_asks_end(void);
void window_asks_again(void);
void window_leave(void);        /* the same for good: nothing comes by time either */
bool window_signal(int number); /* whether it opens windows, or closes them */
void window_signalled(int number);
/* The thread ends; what comes by time is for this one from now on, 0: there is none. */
void window_thread_ends(uint32_t heir);
void window_after_fork(void); /* in the child */
void window_in_child(void);   /* once it takes part */

#endif
