/*
 * Waiting that makes no access to memory: how often a thread looks depends on the machine, and
 * would change what is counted.
 */
#ifndef OWN_THREAD_H
#define OWN_THREAD_H

#include <linux/futex.h>
#include <sys/syscall.h>

static inline __attribute__((always_inline)) long call_kernel(long number, long a, long b, long c,
		long d)
{
	register long r10 __asm__("r10") = d;
	long result;

	__asm__ volatile("syscall"
					 : "=a"(result)
					 : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10)
					 : "rcx", "r11", "memory");
	return result;
}

/* Waits until the word is no longer 0: only the kernel looks at it. */
static inline __attribute__((always_inline)) void wait_for_word(const int *word)
{
	while (call_kernel(SYS_futex, (long)word, FUTEX_WAIT, 0, 0) != -11)
		;
}

static inline __attribute__((always_inline)) void wake_word(const int *word)
{
	call_kernel(SYS_futex, (long)word, FUTEX_WAKE, 1000, 0);
}

static inline __attribute__((always_inline)) int thread_id(void)
{
	return (int)call_kernel(SYS_gettid, 0, 0, 0, 0);
}

/* Waits until the thread is gone, so that whoever joins it finds it gone. */
static inline __attribute__((always_inline)) void wait_for_end(int thread)
{
	long process = call_kernel(SYS_getpid, 0, 0, 0, 0);

	while (call_kernel(SYS_tgkill, process, thread, 0, 0) == 0)
		call_kernel(SYS_sched_yield, 0, 0, 0, 0);
}

#endif
