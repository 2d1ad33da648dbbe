/* 80-bit floating point: fld and fstp of ten bytes, integers of two to eight bytes, control and
 * status words. */
#include <stdio.h>

#define COUNT 41

static long double values[COUNT];
static long double sum;
static short halves[COUNT];
static long quads[COUNT];
static unsigned short control;
static unsigned char environment[28];

__attribute__((noinline)) static void fill(int round)
{
	for (int i = 0; i < COUNT; i++)
		values[i] = (long double)(i + round) / 3;
}

__attribute__((noinline)) static void add_up(void)
{
	for (int i = 0; i < COUNT; i++)
		sum += values[i] * halves[i];
}

__attribute__((noinline)) static void integers(void)
{
	for (int i = 0; i < COUNT; i++) {
		__asm__ volatile("fldt %1; fistps %0" : "=m"(halves[i]) : "m"(values[i]));
		__asm__ volatile("filds %1; fistpll %0" : "=m"(quads[i]) : "m"(halves[i]));
	}
	__asm__ volatile("fnstcw %0; fldcw %0" : "+m"(control));
}

int main(void)
{
	for (int round = 0; round < 7; round++) {
		fill(round);
		integers();
		add_up();
	}
	__asm__ volatile("fnstenv %0; fldenv %0" : "+m"(environment));
	printf("x87 %.6f %ld %x\n", (double)sum, quads[40], control);
	return 0;
}
