/*
 * A hundred functions, f100 to f199, which orders on standard input lead to: late COUNTS. In the file
 * COUNTS, which whoever adds instruments may read, it says for each thread and function how often it
 * came there, and how often it has come back.
 *
 *   pass N      the first thread calls each N times
 *   threads     from now on eight threads do so without end, and the first one no more
 *   fork N      a child calls each N times
 */
#include "orders.h"

#define FUNCTION(number)                                                      \
	__attribute__((noinline)) static long f##number(long i, const char *text) \
	{                                                                         \
		__asm__ volatile("" : : : "memory");                                  \
		return i * number + *text;                                            \
	}
#define NAME(number) f##number,
#define TEN(what, tens)                                                                 \
	what(tens##0) what(tens##1) what(tens##2) what(tens##3) what(tens##4) what(tens##5) \
			what(tens##6) what(tens##7) what(tens##8) what(tens##9)
#define ALL(what) \
	TEN(what, 10) \
	TEN(what, 11) \
	TEN(what, 12) \
	TEN(what, 13) \
	TEN(what, 14) TEN(what, 15) TEN(what, 16) TEN(what, 17) TEN(what, 18) TEN(what, 19)

ALL(FUNCTION)
static long (*const functions[PLACES])(long, const char *) = { ALL(NAME) };

static void pass(struct count *own, long i)
{
	char *text = strdup("abc");

	for (int k = 0; k < PLACES; k++) {
		own[k].come++;
		functions[k](i, text);
		own[k].passed++;
	}
	free(text);
}

static void obey_more(const char *order, long times)
{
	(void)order;
	(void)times;
}
