/*
 * For functions of your own that MadT calls at a point of a program:
 *
 *   madt run --at 'PLACE' 'call FUNC@my.so' -- PROG
 *
 *   #include <madt_probe.h>
 *
 *   void FUNC(const struct madt_probe *probe)
 *   {
 *       probe->numbers[madt_probe_slot(madt_probe_argument(probe, 1))]++;
 *   }
 *
 *   gcc -O2 -shared -fPIC -I $(madt --include-dir) -o my.so my.c
 *
 * The function runs in the program, in the thread that comes to the point, on a stack of MadT's of
 * 64 KiB. All registers, flags and vector registers are the program's again when it returns.
 * Meanwhile the thread's signals wait, and nothing of what it does is recorded. It has variables of
 * its own, one copy for each process, which its threads share; a child of a fork begins with its
 * parent's.
 *
 * What it may call: the functions below; memcpy, memmove, memset, memcmp, strlen; and what is in the
 * library itself. A library that needs anything else, such as printf or malloc, that makes system
 * calls or has constructors or thread-local variables, is refused before the program runs. It
 * must not wait for another thread of the program: the point may be where that one cannot go on.
 *
 * A function that reads or writes where nothing is, or runs into an instruction that is none, is
 * ended there and then, its instrument is switched off in this process, and `madt points` shows it
 * as a fault; the program goes on. A division by zero ends the program.
 *
 * A library that uses nothing but general registers (-mgeneral-regs-only), or the instructions of
 * SSE besides, is called in some ten nanoseconds. For any other, all registers that the processor
 * has are saved, which takes a few hundred.
 *
 * C99 or newer, C++98 or newer (extern "C"), gcc or clang.
 */
#ifndef MADT_PROBE_H
#define MADT_PROBE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* General registers as instructions number them. */
enum madt_register {
	MADT_RAX = 0,
	MADT_RCX = 1,
	MADT_RDX = 2,
	MADT_RBX = 3,
	MADT_RSP = 4,
	MADT_RBP = 5,
	MADT_RSI = 6,
	MADT_RDI = 7,
	MADT_R8 = 8,
	MADT_R9 = 9,
	MADT_R10 = 10,
	MADT_R11 = 11,
	MADT_R12 = 12,
	MADT_R13 = 13,
	MADT_R14 = 14,
	MADT_R15 = 15
};

/* Numbers that each thread has for each action. */
#define MADT_PROBE_NUMBERS 64

/* A point at which the program is: valid until the function returns. */
struct madt_probe {
	/* enum madt_register: as they are in front of the next instruction; rsp without a red zone */
	const uint64_t *general;
	uint64_t flags;
	uint64_t code;     /* the address of the next instruction */
	const char *place; /* the point's name, "add:block(2)"; its first 111 bytes */
	/*
	 * The thread's own for this action, at all its places: MADT_PROBE_NUMBERS of them, 0 in the
	 * beginning. MadT adds up those of all threads, modulo 2 to the 64th, and `madt points` shows
	 * the sums that are not 0. They are in shared memory: known of a process that was killed, too.
	 */
	uint64_t *numbers;
};

/*
 * Copies `size` bytes of the program's memory at the address `from`. Returns how many there were:
 * fewer where one cannot be read; those behind them are not written.
 */
size_t madt_probe_read(void *to, uint64_t from, size_t size);

/*
 * Copies a text that a NUL ends, up to `size` - 1 bytes of it, and puts a NUL behind them. Returns
 * its length there: less where a byte cannot be read; 0 if `size` is 0.
 */
size_t madt_probe_text(char *to, uint64_t from, size_t size);

/*
 * The argument of a function that has just been entered, by number from 0 to 5; they are counted as
 * integers and pointers are passed. Others: 0.
 */
static inline uint64_t madt_probe_argument(const struct madt_probe *probe, unsigned number)
{
	static const unsigned char at[] = { MADT_RDI, MADT_RSI, MADT_RDX, MADT_RCX, MADT_R8, MADT_R9 };

	return number < sizeof at ? probe->general[at[number]] : 0;
}

/* The result of a function that is about to return, func:return. */
static inline uint64_t madt_probe_result(const struct madt_probe *probe)
{
	return probe->general[MADT_RAX];
}

/*
 * The slot of a value in a histogram by powers of two: 0 for 0, n for values from 2^(n-1) on, and
 * MADT_PROBE_NUMBERS - 1 for all from 2^62 on.
 */
static inline unsigned madt_probe_slot(uint64_t value)
{
	const unsigned slot = value ? 64u - (unsigned)__builtin_clzll(value) : 0;

	return slot < MADT_PROBE_NUMBERS ? slot : MADT_PROBE_NUMBERS - 1;
}

#ifdef __cplusplus
}
#endif

#endif
