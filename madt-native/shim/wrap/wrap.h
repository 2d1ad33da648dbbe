/*
 * Interposed functions. Each runs the real one in a frame, so that what happens inside is one
 * event; the real one is the next in the loader's search order, found when the shim starts or a
 * library is loaded.
 */
#ifndef MADT_WRAP_H
#define MADT_WRAP_H

#include "base/base.h"
#include "module/operators.h"
#include "session/session.h"
#include "thread/thread.h"

#include <link.h>
#include <stdio.h>
#include <wchar.h>

/* stdio.h has macros for these when optimising. */
#undef fread_unlocked
#undef fwrite_unlocked
#undef fgets_unlocked
#undef fputs_unlocked

#define FRAME ((uintptr_t)__builtin_frame_address(0))

/* Functions with a real counterpart: type, name, parameters. */
#define WRAP_ALLOCATION(X)                                   \
	X(void *, malloc, (size_t))                              \
	X(void *, calloc, (size_t, size_t))                      \
	X(void *, realloc, (void *, size_t))                     \
	X(void *, reallocarray, (void *, size_t, size_t))        \
	X(void, free, (void *))                                  \
	X(int, posix_memalign, (void **, size_t, size_t))        \
	X(void *, aligned_alloc, (size_t, size_t))               \
	X(void *, memalign, (size_t, size_t))                    \
	X(void *, valloc, (size_t))                              \
	X(void *, pvalloc, (size_t))                             \
	X(size_t, malloc_usable_size, (void *))                  \
	X(void *, mmap, (void *, size_t, int, int, int, long))   \
	X(void *, mremap, (void *, size_t, size_t, int, void *)) \
	X(int, munmap, (void *, size_t))                         \
	X(int, brk, (void *))                                    \
	X(void *, sbrk, (intptr_t))

#define WRAP_MEMORY(X)                                               \
	X(void *, memcpy, (void *, const void *, size_t))                \
	X(void *, memmove, (void *, const void *, size_t))               \
	X(void *, mempcpy, (void *, const void *, size_t))               \
	X(void *, memset, (void *, int, size_t))                         \
	X(void, bzero, (void *, size_t))                                 \
	X(void, explicit_bzero, (void *, size_t))                        \
	X(void, bcopy, (const void *, void *, size_t))                   \
	X(void *, memccpy, (void *, const void *, int, size_t))          \
	X(char *, strcpy, (char *, const char *))                        \
	X(char *, strncpy, (char *, const char *, size_t))               \
	X(char *, stpcpy, (char *, const char *))                        \
	X(char *, stpncpy, (char *, const char *, size_t))               \
	X(char *, strcat, (char *, const char *))                        \
	X(char *, strncat, (char *, const char *, size_t))               \
	X(void *, __memcpy_chk, (void *, const void *, size_t, size_t))  \
	X(void *, __memmove_chk, (void *, const void *, size_t, size_t)) \
	X(void *, __mempcpy_chk, (void *, const void *, size_t, size_t)) \
	X(void *, __memset_chk, (void *, int, size_t, size_t))           \
	X(char *, __strcpy_chk, (char *, const char *, size_t))          \
	X(char *, __strncpy_chk, (char *, const char *, size_t, size_t)) \
	X(char *, __stpcpy_chk, (char *, const char *, size_t))          \
	X(char *, __stpncpy_chk, (char *, const char *, size_t, size_t)) \
	X(char *, __strcat_chk, (char *, const char *, size_t))          \
	X(char *, __strncat_chk, (char *, const char *, size_t, size_t)) \
	X(wchar_t *, wmemcpy, (wchar_t *, const wchar_t *, size_t))      \
	X(wchar_t *, wmemmove, (wchar_t *, const wchar_t *, size_t))     \
	X(wchar_t *, wmemset, (wchar_t *, wchar_t, size_t))

#define WRAP_TRANSFER(X)                                                      \
	X(ssize_t, read, (int, void *, size_t))                                   \
	X(ssize_t, __read_chk, (int, void *, size_t, size_t))                     \
	X(ssize_t, write, (int, const void *, size_t))                            \
	X(ssize_t, pread, (int, void *, size_t, long))                            \
	X(ssize_t, pread64, (int, void *, size_t, long))                          \
	X(ssize_t, pwrite, (int, const void *, size_t, long))                     \
	X(ssize_t, pwrite64, (int, const void *, size_t, long))                   \
	X(ssize_t, recv, (int, void *, size_t, int))                              \
	X(ssize_t, send, (int, const void *, size_t, int))                        \
	X(size_t, fread, (void *, size_t, size_t, FILE *))                        \
	X(size_t, fread_unlocked, (void *, size_t, size_t, FILE *))               \
	X(size_t, __fread_chk, (void *, size_t, size_t, size_t, FILE *))          \
	X(size_t, __fread_unlocked_chk, (void *, size_t, size_t, size_t, FILE *)) \
	X(size_t, fwrite, (const void *, size_t, size_t, FILE *))                 \
	X(size_t, fwrite_unlocked, (const void *, size_t, size_t, FILE *))        \
	X(char *, fgets, (char *, int, FILE *))                                   \
	X(char *, fgets_unlocked, (char *, int, FILE *))                          \
	X(char *, __fgets_chk, (char *, size_t, int, FILE *))                     \
	X(char *, __fgets_unlocked_chk, (char *, size_t, int, FILE *))            \
	X(int, fputs, (const char *, FILE *))                                     \
	X(int, fputs_unlocked, (const char *, FILE *))

/*
 * What a program's own allocator may define, or any in a process that runs already: constant of enum
 * madt_hook, name.
 */
#define WRAP_HOOKS(X)                 \
	X(MALLOC, malloc)                 \
	X(CALLOC, calloc)                 \
	X(REALLOC, realloc)               \
	X(REALLOCARRAY, reallocarray)     \
	X(FREE, free)                     \
	X(POSIX_MEMALIGN, posix_memalign) \
	X(ALIGNED_ALLOC, aligned_alloc)   \
	X(MEMALIGN, memalign)             \
	X(VALLOC, valloc)                 \
	X(PVALLOC, pvalloc)               \
	X(USABLE, malloc_usable_size)     \
	X(MMAP, mmap)                     \
	X(MREMAP, mremap)                 \
	X(MUNMAP, munmap)                 \
	X(BRK, brk)                       \
	X(SBRK, sbrk)

#define WRAP_POINTER(type, name, parameters) type(*name) parameters;
struct real_functions {
	WRAP_ALLOCATION(WRAP_POINTER)
	WRAP_MEMORY(WRAP_POINTER)
	WRAP_TRANSFER(WRAP_POINTER)
};
extern struct real_functions real;

/*
 * Block wrappers: `work` runs in the frame, then the event, if one is due and its length is not 0.
 * Frames that were left by longjmp are forgotten before they are asked whether anything is
 * recorded.
 */
#define BLOCK(type, length, work, record)         \
	({                                            \
		uintptr_t frame_ = FRAME;                 \
		bool record_ = frame_enter_block(frame_); \
		type result_ = (work);                    \
		size_t length_ = record_ ? (length) : 0;  \
		if (length_)                              \
			record;                               \
		frame_leave(frame_);                      \
		result_;                                  \
	})
#define TRANSFER(type, number, address, length, work) \
	BLOCK(type, length, work, record_block(number, CALLER, address, length_))

typedef int start_function(int (*)(int, char **, char **), int, char **, void (*)(void),
		void (*)(void), void (*)(void), void *);
extern start_function *real_libc_start_main;

void real_find(void);

/*
 * The program's own function is at `code` from now on, for the wrapper. Returns the wrapper, or 0
 * for a function that it does not know.
 */
uintptr_t wrap_hook(uint32_t function, uintptr_t code);
/*
 * In a process that runs already, whose modules come in the order in which the loader looks into
 * them: whether an allocator that a plan has hooks for is the one that is called. `has`: whether
 * the plan has one for malloc.
 */
bool wrap_hooks_are(const void *plan, bool has);
/* Another plan has taken that one's place. */
void wrap_hooks_move(const void *from, const void *to);

/*
 * In a process that runs already, all of whose threads stand still: calls of functions that copy and
 * fill memory come to the wrappers, and no longer.
 */
void slots_take(void);
void slots_give_back(void);

/* A function that is an allocator by another name. */
struct named {
	uintptr_t code;    /* where it goes on behind the wrapper */
	uint32_t function; /* of struct madt_plan_hook */
};
const struct named *named_at(uint64_t number); /* by its stub */
bool named_any(void);                          /* whether there is one */
extern const char named_stubs[];
void named_stubs_are(const char *code);
/*
 * The wrapper of a function that is an allocator by another name, at `code`; `function`:
 * MADT_HOOK_NAMED. That is the function itself where there is no room for more of them.
 */
uintptr_t named_wrapper(uint32_t function, uintptr_t code);
/*
 * Go's allocator is there, is entered, and left: the latter two in critical sections, on MadT's
 * stack.
 */
struct madt_probe_state;
void go_set_up(void);
void go_enter(const struct madt_probe_state *state);
void go_leave(const struct madt_probe_state *state);
/* CPython begins: its table of allocators gets wrappers. */
void cpython_begin(void);
/*
 * Takes the event of an allocation within such an allocator; false: it is to be put. What another
 * call of the thread holds back is put first. The event's type may change.
 */
bool named_takes(struct madt_event *event);

/*
 * The definition that the caller would call without MadT, or 0, where MadT is not attached. Takes
 * the loader's lock.
 */
uintptr_t operator_ask(enum operator_name name);
/*
 * The definition that `caller` would call without MadT, or 0; the loader is asked, with its lock
 * taken, where none is known yet.
 */
static inline uintptr_t operator_code(enum operator_name name, uintptr_t caller)
{
	uintptr_t code = operator_next(name, caller);

	return code == OPERATOR_UNKNOWN ? operator_ask(name) : code;
}

/*
 * Calls `code` with five words in a frame that was entered before. An exception that passes ends
 * the frame. Returns what `code` does.
 */
long madt_call(const void *code, long a, long b, long c, long d, long e);
extern const char madt_called[]; /* where `code` returns to */
#define CALL5(code, a, b, c, d, e, ...) \
	madt_call((const void *)(code), (long)(a), (long)(b), (long)(c), (long)(d), (long)(e))
/* A cancellation point (pthreads(7)): a thread may leave from within the real function. */
#define CALL(code, a, b, ...) CALL5(code, a, b, ##__VA_ARGS__, 0, 0, 0)

#endif
