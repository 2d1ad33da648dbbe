/*
 * The same short work again and again, for a tracer (trampoline_signals.c) that sends a signal at
 * each of its machine instructions. The handler returns, jumps out, or changes to another context
 * and back, by turns. Says whether the work's result was right, whether every signal found the
 * thread in the program's own text, below main, and where its code and the round's number are.
 *
 * trampolines FIFO      waits until the tracer has opened the FIFO; "-" instead: one round of each
 * kind
 */
#define _GNU_SOURCE
#include <execinfo.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

#include "rounds.h"

#define ITEMS 7

struct item {
	struct item *next;
	long value;
	double weight;
	char text[16];
};

#define WORK __attribute__((noinline, section("work_text")))
extern const char __start_work_text[], __stop_work_text[];
static struct item *items;
static long sums[8];
static volatile long lost;

WORK static long item_value(const struct item *item, long factor)
{
	return item->value * factor + item->text[3];
}

WORK static long work(struct item *item, long (*volatile *value)(const struct item *, long),
		long *sum)
{
	long total = 0;

	for (; item; item = item->next) {
		char text[16];
		long n = sizeof item->text;
		char *to = text, *from = item->text;

		sum[0] += item->value;
		sum[1] ^= sum[0] << 3;
		sum[2] += (long)(item->weight * 8);
		__asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(n) : : "memory");
		__asm__ volatile("xaddq %1, %0\n\tcmpxchgq %1, %0"
						 : "+m"(sum[3]), "+r"(n)
						 :
						 : "rax", "cc", "memory");
		__asm__ volatile("pushq %0\n\tpopq %1" : : "m"(sum[1]), "m"(sum[4]) : "memory");
		/* Branches lead to both ends of the load: it has no room for a jump of five bytes. */
		__asm__ volatile("testl $1, %k0\n\tjz 1f\n\tjnz 1f\n\tjmp 2f\n1:\tmovl (%1), %k0\n2:\tnop"
						 : "+r"(n)
						 : "r"(&item->value)
						 : "cc");
		total += (*value)(item, 3) + text[2] + sum[4] + (int)n;
		sum[5] = total;
	}
	return total + sum[1] + sum[2] + sum[3];
}

static long (*volatile value)(const struct item *, long) = item_value;

static void item_change(void)
{
	items[0].text[5]++;
}

static void in_context(void)
{
	void *frames[32];
	int n = backtrace(frames, 32), found = 0;

	for (int i = 0; i < n; i++)
		found |= (char *)frames[i] >= __start_work_text && (char *)frames[i] < __stop_work_text;
	lost += !found;
}

static void on_signal(int number, siginfo_t *info, void *raw)
{
	const char *at = signal_count(raw);

	(void)number;
	(void)info;
	if (at >= __start_work_text && at < __stop_work_text)
		in_context();
	handler_turn();
}

static long work_whole(void)
{
	memset(sums, 0, sizeof sums);
	items[0].text[5] = 0;
	return work(items, &value, sums);
}

static void items_make(void)
{
	items = calloc(ITEMS, sizeof *items);
	for (int i = 0; i < ITEMS; i++) {
		items[i] = (struct item){ i + 1 < ITEMS ? &items[i + 1] : NULL, i * 977, i / 4.0,
			"abcdefgh" };
		items[i].text[7] = (char)('0' + i);
	}
}

static void contexts_make(void)
{
	struct sigaction action = { .sa_flags = SA_SIGINFO };
	void *frames[4];

	backtrace(frames, 4); /* loads what it needs */
	action.sa_sigaction = on_signal;
	sigaction(SIGUSR1, &action, NULL);
	other_make(item_change);
}

int main(int argc, char **argv)
{
	char none;
	long expected;

	items_make();
	contexts_make();
	expected = work_whole();
	rounds_tell(__start_work_text, __stop_work_text);
	if (argc > 1 && strcmp(argv[1], "-") && read(open(argv[1], O_RDONLY), &none, 1) != 1)
		return 1;
	for (round_number = 0; round_number < rounds; round_number++) {
		if (sigsetjmp(back, 1)) {
			jumped++;
			continue;
		}
		round_begin();
		wrong += work_whole() != expected;
		round_end();
	}
	printf("%ld rounds, %ld wrong, %ld signals, %ld astray, %ld lost, %ld jumped\n", round_number,
			wrong, signals, astray, lost, jumped);
	return 0;
}
