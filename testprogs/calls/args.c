/*
 * Functions that print what they are given and what they return, as lines of calls have it.
 * -DTAIL: hop() is left by a jump, so that its return is not seen.
 */
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* Compilers may do as they like with static functions: -DOWN=static */
#ifndef OWN
#define OWN
#endif
#ifdef __clang__
#define ALONE __attribute__((noinline))
#else
#define ALONE __attribute__((noipa))
#endif

enum color { RED, GREEN = 5, BLUE = -3 };

struct pair {
	int x, y;
};

struct large {
	long part[4];
};

struct mixed {
	double real;
	int whole;
};

struct packed {
	char tag;
	int number;
} __attribute__((packed));

static int table[4];

ALONE OWN long narrow(signed char a, unsigned char b, short c, unsigned short d, int e, unsigned f)
{
	long sum = a + b + c + d + e + (long)f;

	printf("B narrow(a=%d, b=%u, c=%d, d=%u, e=%d, f=%u)\n", a, b, c, d, e, f);
	printf("X narrow=%ld\n", sum);
	return sum;
}

ALONE OWN uint64_t wide(long a, unsigned long b, long long c, uint64_t d, size_t e, int64_t f)
{
	uint64_t sum = (uint64_t)a + b + (uint64_t)c + d + e + (uint64_t)f;

	printf("B wide(a=%ld, b=%lu, c=%lld, d=%lu, e=%zu, f=%ld)\n", a, b, c, d, e, f);
	printf("X wide=%lu\n", sum);
	return sum;
}

ALONE OWN enum color words(bool on, char letter, enum color color)
{
	const char *name = color == GREEN ? "GREEN" : color == RED ? "RED" : "BLUE";

	printf("B words(on=%s, letter='%c', color=%s)\n", on ? "true" : "false", letter, name);
	printf("X words=%s\n", on ? "BLUE" : "7");
	return on ? BLUE : (enum color)7;
}

ALONE OWN unsigned char no_letter(char end, bool on)
{
	printf("B no_letter(end=%d, on=%s)\n", end, on ? "true" : "false");
	printf("X no_letter=%u\n", (unsigned char)(end + 1));
	return (unsigned char)(end + 1);
}

ALONE OWN bool less(double a, float b)
{
	printf("B less(a=%.2f, b=%.1f)\n", a, b);
	printf("X less=%s\n", a < b ? "true" : "false");
	return a < b;
}

ALONE OWN float halved(int n, float f)
{
	printf("B halved(n=%d, f=%.2f)\n", n, f);
	printf("X halved=%.3f\n", f / 2);
	return f / 2;
}

/* Arguments nine and ten of this kind are on the stack. */
ALONE OWN double many(double a, double b, double c, double d, double e, double f, double g,
		double h, double i, float j, int k)
{
	printf("B many(a=%.1f, b=%.1f, c=%.1f, d=%.1f, e=%.1f, f=%.1f, g=%.1f, h=%.1f, i=%.1f, "
		   "j=%.1f, k=%d)\n",
			a, b, c, d, e, f, g, h, i, j, k);
	printf("X many=%.1f\n", a + b + c + d + e + f + g + h + i + j + k);
	return a + b + c + d + e + f + g + h + i + j + k;
}

/* Eight words of the stack are recorded. */
ALONE OWN int more(int a, long b, short c, char d, int e, int f, int g, long h, signed char i,
		short j, int k, int l, int m, int n, int o)
{
	printf("B more(a=%d, b=%ld, c=%d, d='%c', e=%d, f=%d, g=%d, h=%ld, i=%d, j=%d, k=%d, l=%d, "
		   "m=%d, n=%d, o=?)\n",
			a, b, c, d, e, f, g, h, i, j, k, l, m, n);
	printf("X more=%d\n", o);
	return o;
}

ALONE OWN struct pair swapped(struct pair p, int n)
{
	printf("B swapped(p=?, n=%d)\n", n);
	printf("X swapped=?\n");
	return (struct pair){ p.y, p.x };
}

/* The result is in memory, and so are two arguments. */
ALONE OWN struct large enlarged(struct large l, int n, struct mixed m, double d, struct packed p,
		int k)
{
	printf("B enlarged(l=?, n=%d, m=?, d=%.1f, p=?, k=%d)\n", n, d, k);
	printf("X enlarged=?\n");
	return (struct large){ { l.part[0] + n, (long)m.real + p.number, (long)d, k } };
}

ALONE OWN struct mixed both(struct mixed m, struct mixed n, int k, double d)
{
	printf("B both(m=?, n=?, k=%d, d=%.1f)\n", k, d);
	printf("X both=?\n");
	return (struct mixed){ m.real + d, n.whole + k };
}

ALONE OWN long double long_ones(long double a, int n, __int128 b, _Complex double c, double d)
{
	printf("B long_ones(a=?, n=%d, b=?, c=?, d=%.1f)\n", n, d);
	printf("X long_ones=?\n");
	return a + n + (long double)b + d + __real__ c;
}

ALONE OWN void *same(void *p, const char *called)
{
	printf("B same(p=%s, called=CALLED)\n", called);
	printf("X same=%s\n", called);
	return p;
}

ALONE OWN int sum(int count, ...)
{
	va_list list;
	int all = 0;

	printf("B sum(count=%d, ...)\n", count);
	va_start(list, count);
	for (int i = 0; i < count; i++)
		all += va_arg(list, int);
	va_end(list);
	printf("X sum=%d\n", all);
	return all;
}

ALONE OWN unsigned factorial(unsigned n)
{
	unsigned result;

	printf("B factorial(n=%u)\n", n);
	result = n < 2 ? 1 : n * factorial(n - 1);
	printf("X factorial=%u\n", result);
	return result;
}

ALONE OWN int land(int n)
{
	printf("B land(n=%d)\n", n);
	printf("X land=%d\n", -n);
	return -n;
}

ALONE OWN int hop(int n)
{
	printf("B hop(n=%d)\n", n);
#ifdef TAIL
	return land(n + 1);
#else
	int result = land(n + 1);

	printf("X hop=%d\n", result);
	return result;
#endif
}

ALONE OWN void nothing(void)
{
	printf("B nothing()\nX nothing\n");
	__asm__ volatile(""); /* no tail call */
}

int main(void)
{
	struct large large = { { 1, 2, 3, 4 } };
	void *block = malloc(13);
	char text[24];

	narrow(-1, 255, -300, 65535, -2000000000, 4000000000u);
	narrow(127, 0, 1, 1, -1, 0xffffffffu);
	wide(-1, ~0ul, 1ll << 40, 1ull << 63, 4096, INT64_MIN);
	words(true, 'x', GREEN);
	words(false, 'y', BLUE);
	no_letter(-1, false);
	no_letter(10, true);
	less(-1.25, 2.5f);
	halved(-7, -0.25f);
	many(0.5, 1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5, 8.5, -9.5f, 10);
	more(1, -2, 3, 'd', -5, 6, -7, 1l << 50, -9, 10, -11, 12, -13, 14, -15);
	swapped((struct pair){ 1, 2 }, -3);
	enlarged(large, -4, (struct mixed){ 1.5, 2 }, 3.5, (struct packed){ 'c', 5 }, 6);
	both((struct mixed){ 1.5, 2 }, (struct mixed){ 2.5, 3 }, -8, 9.5);
	long_ones(1.5L, -2, 3, 4.5, 5.5);
	same(NULL, "(nil)");
	same(table + 1, "table+4");
	same((void *)main, "main");
	same(block, "<block>+0");
	same((void *)0x1234, "0x1234");
	sprintf(text, "%p", (void *)&large);
	same(&large, text);
	sum(3, -1, 2, -3);
	factorial(5);
	hop(6);
	nothing();
	free(block);
	return 0;
}
