/* What system calls touch, as a table; gate_open.c acts on it. */
#ifndef MADT_CALLS_H
#define MADT_CALLS_H

#include "base/state.h"

enum touch_direction {
	TOUCH_READ = 1,  /* the kernel reads: a fetch, G */
	TOUCH_WRITE = 2, /* the kernel writes: a store, W */
	TOUCH_BROKEN = 4 /* only when the call was interrupted (EINTR) */
};

/* How many bytes, or what kind of list, stands where the argument points. */
enum touch_length {
	LENGTH_FIXED,    /* `size` bytes */
	LENGTH_ARGUMENT, /* argument `count` times `size` */
	/* as many units of `size` as the call returned, at most argument `count` */
	LENGTH_RESULT,
	LENGTH_TEXT, /* up to and with its NUL */
	/* an address or option; argument `count` points to its length, which the kernel changes */
	LENGTH_SOCKET,
	LENGTH_DESCRIPTORS, /* fd_set for argument `count` descriptors */
	LENGTH_PAGES,       /* a byte for each page of argument `count` bytes (mincore) */
	LENGTH_VECTOR,      /* argument `count` structs iovec, whose buffers take `direction` */
	LENGTH_MESSAGE,     /* struct msghdr */
	LENGTH_MESSAGES,    /* argument `count` structs mmsghdr */
	LENGTH_TEXTS,       /* a NULL-terminated list of texts */
	/* `size` structs futex_waitv, or argument `count` if that is 0; their futexes are read */
	LENGTH_WAITERS,
	/* a long more than argument `count` (msgsnd), or than the result (msgrcv) */
	LENGTH_PREFIXED
};

struct touch {
	uint8_t argument;  /* which argument is the pointer, from 0 */
	uint8_t direction; /* enum touch_direction, or several */
	uint8_t length;    /* enum touch_length */
	uint8_t count;
	uint16_t size;
};

#define TOUCHES_MAX 5 /* pointers of one system call */

struct call {
	bool known;
	uint8_t count;
	struct touch touch[TOUCHES_MAX];
};

#define TEXT(a)                          \
	{                                    \
		a, TOUCH_READ, LENGTH_TEXT, 0, 0 \
	}
#define TEXTS(a)                          \
	{                                     \
		a, TOUCH_READ, LENGTH_TEXTS, 0, 0 \
	}
#define IN(a, bytes)                          \
	{                                         \
		a, TOUCH_READ, LENGTH_FIXED, 0, bytes \
	}
#define OUT(a, bytes)                          \
	{                                          \
		a, TOUCH_WRITE, LENGTH_FIXED, 0, bytes \
	}
#define OUT_BROKEN(a, bytes)                                  \
	{                                                         \
		a, TOUCH_WRITE | TOUCH_BROKEN, LENGTH_FIXED, 0, bytes \
	}
#define IN_OUT(a, bytes)                                    \
	{                                                       \
		a, TOUCH_READ | TOUCH_WRITE, LENGTH_FIXED, 0, bytes \
	}
/* Neither is read or written, but the result depends on whether it could be. */
#define AT(a, bytes)                 \
	{                                \
		a, 0, LENGTH_FIXED, 0, bytes \
	}
#define AT_N(a, n, unit)               \
	{                                  \
		a, 0, LENGTH_ARGUMENT, n, unit \
	}
#define IN_N(a, n, unit)                        \
	{                                           \
		a, TOUCH_READ, LENGTH_ARGUMENT, n, unit \
	}
#define OUT_N(a, n, unit)                        \
	{                                            \
		a, TOUCH_WRITE, LENGTH_ARGUMENT, n, unit \
	}
#define IN_OUT_N(a, n, unit)                                  \
	{                                                         \
		a, TOUCH_READ | TOUCH_WRITE, LENGTH_ARGUMENT, n, unit \
	}
#define IN_RESULT(a, n)                    \
	{                                      \
		a, TOUCH_READ, LENGTH_RESULT, n, 1 \
	}
#define OUT_RESULT(a, n, unit)                 \
	{                                          \
		a, TOUCH_WRITE, LENGTH_RESULT, n, unit \
	}
#define SOCKET(a, n)                        \
	{                                       \
		a, TOUCH_WRITE, LENGTH_SOCKET, n, 0 \
	}
#define DESCRIPTORS(a, n)                                     \
	{                                                         \
		a, TOUCH_READ | TOUCH_WRITE, LENGTH_DESCRIPTORS, n, 0 \
	}
#define IN_VECTOR(a, n)                    \
	{                                      \
		a, TOUCH_READ, LENGTH_VECTOR, n, 0 \
	}
#define OUT_VECTOR(a, n)                    \
	{                                       \
		a, TOUCH_WRITE, LENGTH_VECTOR, n, 0 \
	}
#define OUT_PAGES(a, n)                    \
	{                                      \
		a, TOUCH_WRITE, LENGTH_PAGES, n, 0 \
	}
#define IN_MESSAGE(a)                       \
	{                                       \
		a, TOUCH_READ, LENGTH_MESSAGE, 0, 0 \
	}
#define OUT_MESSAGE(a)                       \
	{                                        \
		a, TOUCH_WRITE, LENGTH_MESSAGE, 0, 0 \
	}
#define IN_MESSAGES(a, n)                    \
	{                                        \
		a, TOUCH_READ, LENGTH_MESSAGES, n, 0 \
	}
#define OUT_MESSAGES(a, n)                    \
	{                                         \
		a, TOUCH_WRITE, LENGTH_MESSAGES, n, 0 \
	}
#define WAITERS(a, n)                       \
	{                                       \
		a, TOUCH_READ, LENGTH_WAITERS, n, 0 \
	}
#define TWO_WAITERS(a)                      \
	{                                       \
		a, TOUCH_READ, LENGTH_WAITERS, 0, 2 \
	}
#define IN_PREFIXED(a, n)                    \
	{                                        \
		a, TOUCH_READ, LENGTH_PREFIXED, n, 0 \
	}
#define OUT_PREFIXED(a, n)                    \
	{                                         \
		a, TOUCH_WRITE, LENGTH_PREFIXED, n, 0 \
	}
/* Linux 6.7; older headers lack them. */
#ifndef __NR_futex_wake
#define __NR_futex_wake 454
#define __NR_futex_wait 455
#define __NR_futex_requeue 456
#endif

#define C0(nr) [__NR_##nr] = { true, 0, { { 0 } } }
#define C1(nr, a) [__NR_##nr] = { true, 1, { a } }
#define C2(nr, a, b) [__NR_##nr] = { true, 2, { a, b } }
#define C3(nr, a, b, c) [__NR_##nr] = { true, 3, { a, b, c } }
#define C4(nr, a, b, c, d) [__NR_##nr] = { true, 4, { a, b, c, d } }
#define C5(nr, a, b, c, d, e) [__NR_##nr] = { true, 5, { a, b, c, d, e } }

/* NULL for a call that the table does not know, or an operation of it. */
const struct call *call_find(long number, const long *arguments);
/* Returns whether what is recorded of it depends on a length that the kernel overwrites. */
bool call_has_limit(const struct call *call);
/*
 * Calls whose pointers depend on an operation: fcntl, futex, ioctl, madvise, prctl …; false if the
 * call is none of them.
 */
bool call_by_operation(long number, const long *arguments, const struct call **call);

/*
 * Tells `visit` of each range that the call touches, in the order of its arguments. `result` is
 * NULL before the call: then the lengths are the largest possible; afterwards they are what the
 * kernel did.
 */
typedef void call_visit(struct pending *pending, uintptr_t start, size_t length,
		unsigned direction);
bool call_walk(struct pending *pending, const long *result, call_visit *visit);
/*
 * Returns whether a call that has been made may have touched memory: one that woke nobody, brought
 * nothing or failed did not (-EINTR: what is left of its time may have been written).
 */
bool call_has_touched(long number, const long *arguments, long result);

#endif
