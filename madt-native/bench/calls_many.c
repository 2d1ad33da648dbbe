/*
 * 11,000 functions, which are switched on: prints the nanoseconds that MadT_start takes.
 */
#include <stdint.h>
#include <stdio.h>
#include <time.h>

#include "madt.h"

#define ONE(n)                                                 \
	__attribute__((noinline)) static uint64_t f##n(uint64_t x) \
	{                                                          \
		return x * 3 + 1##n;                                   \
	}
#define NAME(n) f##n,
#define TEN(m, n) m(n##0) m(n##1) m(n##2) m(n##3) m(n##4) m(n##5) m(n##6) m(n##7) m(n##8) m(n##9)
#define TENS_0(m, n) TEN(m, n##0) TEN(m, n##1) TEN(m, n##2) TEN(m, n##3) TEN(m, n##4)
#define TENS_5(m, n) TEN(m, n##5) TEN(m, n##6) TEN(m, n##7) TEN(m, n##8) TEN(m, n##9)
#define HUN(m, n) TENS_0(m, n) TENS_5(m, n)
#define HUNS_0(m, n) HUN(m, n##0) HUN(m, n##1) HUN(m, n##2) HUN(m, n##3) HUN(m, n##4)
#define HUNS_5(m, n) HUN(m, n##5) HUN(m, n##6) HUN(m, n##7) HUN(m, n##8) HUN(m, n##9)
#define THOU(m, n) HUNS_0(m, n) HUNS_5(m, n)
#define FIRST(m) THOU(m, 0) THOU(m, 1) THOU(m, 2) THOU(m, 3) THOU(m, 4) THOU(m, 5)
#define REST(m) THOU(m, 6) THOU(m, 7) THOU(m, 8) THOU(m, 9) THOU(m, 10)
#define ALL(m) FIRST(m) REST(m)

ALL(ONE)

static uint64_t (*const functions[])(uint64_t) = { ALL(NAME) };

int main(void)
{
	struct timespec begin, end;
	uint64_t sum = 0;
	size_t count = sizeof functions / sizeof *functions;

	clock_gettime(CLOCK_MONOTONIC, &begin);
	MadT_start();
	clock_gettime(CLOCK_MONOTONIC, &end);
	for (size_t i = 0; i < count; i++)
		sum = functions[i](sum);
	MadT_stop();
	printf("%zu %lld %llu\n", count,
			(long long)(end.tv_sec - begin.tv_sec) * 1000000000 + end.tv_nsec - begin.tv_nsec,
			(unsigned long long)sum);
	return 0;
}
