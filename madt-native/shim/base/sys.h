/*
 * Raw system calls and small freestanding functions: the shim calls no libc function that could
 * read libc's data.
 */
#ifndef MADT_SYS_H
#define MADT_SYS_H

#include "madt_layout.h"

#include <asm/unistd.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/resource.h>

/* Where system calls pass Syscall User Dispatch; the linker names the ends of a section so. */
#define madt_sys_begin __start_madt_sys
#define madt_sys_end __stop_madt_sys
extern const char madt_sys_begin[], madt_sys_end[], madt_stub[];
extern const char madt_stub_masked[], madt_stub_masked_kept[], madt_stub_masked_end[];
extern const char madt_restore_own[], madt_restore_target[];

#define MADT_STUB_SLOTS 64 /* of either kind: syscall, and behind them int $0x80 */
#define MADT_STUB_STRIDE 4

/* Returns the kernel's result: a negative errno value on failure. */
long sys_call(long number, long a, long b, long c, long d, long e, long f);

#define SYS0(n) sys_call(n, 0, 0, 0, 0, 0, 0)
#define SYS1(n, a) sys_call(n, (long)(a), 0, 0, 0, 0, 0)
#define SYS2(n, a, b) sys_call(n, (long)(a), (long)(b), 0, 0, 0, 0)
#define SYS3(n, a, b, c) sys_call(n, (long)(a), (long)(b), (long)(c), 0, 0, 0)
#define SYS4(n, a, b, c, d) sys_call(n, (long)(a), (long)(b), (long)(c), (long)(d), 0, 0)
#define SYS5(n, a, b, c, d, e) sys_call(n, (long)(a), (long)(b), (long)(c), (long)(d), (long)(e), 0)
#define SYS6(n, a, b, c, d, e, f) \
	sys_call(n, (long)(a), (long)(b), (long)(c), (long)(d), (long)(e), (long)(f))

/* The kernel returns errors as -4095 to -1 (x86-64 ABI, A.2.1). */
static inline bool sys_failed(long result)
{
	return (unsigned long)result > -4096UL;
}

/*
 * Lifts a limit of the process for a moment, as far as it may; `before` is to be set again. False
 * if there is nothing to lift.
 */
bool sys_limit_lift(int resource, struct rlimit *before);
void sys_limit_restore(int resource, const struct rlimit *before);

/*
 * mmap for MadT itself, away from where the target's memory is and marked as MadT's; a negated
 * errno on failure.
 */
long sys_map(size_t bytes, int protection, int flags, long fd);
/* The same, of a file from this byte on. */
long sys_map_at(size_t bytes, int protection, int flags, long fd, size_t offset);
/* Returns where such a mapping of so many bytes, a multiple of 4096, may lie. */
uintptr_t sys_wish(size_t size);
/* Anonymous private memory, zeroed; NULL when there is none. */
void *sys_pages(size_t bytes);
/* Unmaps a whole mapping of MadT's, and the mark goes with it. */
void sys_unmap(uintptr_t at, size_t bytes);

/*
 * The marks of MadT's own mappings (own.c). A mapping for which there is no room has no mark. Any
 * thread may call these functions, in handlers too.
 */
void own_add(uintptr_t at, size_t bytes);
void own_remove(uintptr_t at);
/* Unmaps all that is marked, but for what begins there: nothing of MadT's runs any more. */
void own_unmap(uintptr_t kept);
bool own_covers(uintptr_t start, uintptr_t end); /* they leave out no byte of it */
/*
 * From here on the marks stand in `shared` as well, MADT_OWN_RANGES of them; NULL: nowhere but in
 * MadT's own memory.
 */
void own_share(struct madt_range *shared);

void bytes_copy(void *to, const void *from, size_t n);
void bytes_set(void *to, int value, size_t n);
int bytes_compare(const void *a, const void *b, size_t n);
size_t text_length(const char *s);
bool text_begins(const char *s, const char *prefix);
/* Copies at most size - 1 characters and the NUL; returns false if it had to cut. */
bool text_copy(char *to, const char *from, size_t size);
char *text_number(char *to, uint64_t value); /* decimal; returns the NUL's place */

/* One line on descriptor 2: "madt: " and up to two texts. */
void say(const char *what, const char *detail);

#endif
