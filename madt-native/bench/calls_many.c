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
#define HUNDRED(m, n)                                                                          \
	TEN(m, n##0)                                                                               \
	TEN(m, n##1) TEN(m, n##2) TEN(m, n##3) TEN(m, n##4) TEN(m, n##5) TEN(m, n##6) TEN(m, n##7) \
			TEN(m, n##8) TEN(m, n##9)
#define THOUSAND(m, n)                                                                   \
	HUNDRED(m, n##0)                                                                     \
	HUNDRED(m, n##1) HUNDRED(m, n##2) HUNDRED(m, n##3) HUNDRED(m, n##4) HUNDRED(m, n##5) \
			HUNDRED(m, n##6) HUNDRED(m, n##7) HUNDRED(m, n##8) HUNDRED(m, n##9)
#define ALL(m)                                                                                \
	THOUSAND(m, 0)                                                                            \
	THOUSAND(m, 1) THOUSAND(m, 2) THOUSAND(m, 3) THOUSAND(m, 4) THOUSAND(m, 5) THOUSAND(m, 6) \
			THOUSAND(m, 7) THOUSAND(m, 8) THOUSAND(m, 9) THOUSAND(m, 10)

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
