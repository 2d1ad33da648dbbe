/*
 * A hundred triggers, which orders on standard input lead to: hundred COUNTS. In the file COUNTS,
 * which whoever switches them may read, it says for each thread and trigger how often it came there,
 * and how often it has come past.
 *
 *   pass N      the first thread comes N times to each
 *   windows N   the same once in each of N windows, and once between two
 *   open, close one window
 *   threads     from now on eight threads do so without end, and the first one no more
 *   fork N      a child comes N times to each
 */
#define _GNU_SOURCE
#include "orders.h"

#include <madt.h>

static int windows;

#define TRIGGER(tens, ones)                                    \
	own[10 * (tens) + (ones)].come++;                          \
	MADT_EVENT(t##tens##ones, i, ~i, 1000 + 10 * tens + ones); \
	own[10 * (tens) + (ones)].passed++;
#define TEN(tens)    \
	TRIGGER(tens, 0) \
	TRIGGER(tens, 1) \
	TRIGGER(tens, 2) \
	TRIGGER(tens, 3) \
	TRIGGER(tens, 4) \
	TRIGGER(tens, 5) TRIGGER(tens, 6) TRIGGER(tens, 7) TRIGGER(tens, 8) TRIGGER(tens, 9)

__attribute__((noinline)) static void pass(struct count *own, long i)
{
	TEN(0)
	TEN(1)
	TEN(2)
	TEN(3)
	TEN(4)
	TEN(5)
	TEN(6)
	TEN(7)
	TEN(8)
	TEN(9)
}

__attribute__((noinline)) void open_up(void)
{
	windows++;
	__asm__ volatile("" : : : "memory");
}

__attribute__((noinline)) void shut(void)
{
	windows--;
	__asm__ volatile("" : : : "memory");
}

static void obey_more(const char *order, long times)
{
	for (long i = 0; i < times && strcmp(order, "windows") == 0; i++) {
		open_up();
		pass(counts[0], i);
		shut();
		pass(counts[0], i);
	}
	if (strcmp(order, "open") == 0)
		open_up();
	if (strcmp(order, "close") == 0)
		shut();
}
