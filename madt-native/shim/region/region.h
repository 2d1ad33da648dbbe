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
	REGION_SHARED = 16
};

struct region {
	uintptr_t start, end;
	uint32_t protection; /* what the target asked for */
	uint32_t flags;      /* enum region_flag */
};

bool region_find(uintptr_t address, struct region *out);
bool region_traced(uintptr_t address);
bool region_any_traced(struct range range);
void region_add(uintptr_t start, uintptr_t end, uint32_t protection, uint32_t flags);
void region_remove(uintptr_t start, uintptr_t end);
void region_protect(uintptr_t start, uintptr_t end, uint32_t protection);
void region_untrace(uintptr_t start, uintptr_t end);
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

void recording_begin(uintptr_t caller); /* `caller`: of the marker, or 0 */
void recording_end(uintptr_t caller);
void recording_stop_all(void);
/* Stops it where the launcher says so or has ended; false then. */
bool recording_goes_on(void);

#endif
