/*
 * Numbers without a sign above those that have one. Writes what a function is given and returns at
 * each call, then how often conditions held, and what came of all values.
 */
#include <stdint.h>
#include <stdio.h>

struct pair {
	uint64_t high;
	unsigned low;
};

static unsigned long last = 0xfedcba9876543210;
static unsigned long counts[10], sum, least = -1ul, most;

__attribute__((noinline)) static size_t mix(unsigned long big, const struct pair *pair,
		long negative)
{
	unsigned long own = big ^ pair->high;

	__asm__ volatile("" : "+r"(own));
	last -= pair->low;
	return own | (size_t)negative;
}

int main(void)
{
	unsigned long big = 3;
	struct pair pair = { 1ul << 63, 4000000000u };

	for (int i = 0; i < 20; i++) {
		const long negative = i % 3 - 1;
		const unsigned long before = last;
		const size_t result = mix(big, &pair, negative);

		printf("%lu %lu %u %ld %lu %zu\n", big, pair.high, pair.low, negative, before, result);
		counts[0] += big > 5;
		counts[1] += negative < big;
		counts[2] += big / 3 > 4611686018427387904;
		counts[3] += big >> 60 == 15;
		counts[4] += pair.high % 1000 >= 500;
		counts[5] += big - 7 <= 0x8000000000000000;
		counts[6] += pair.low > negative;
		counts[7] += ~big >= 12000000000000000000ul;
		counts[8] += negative / 2 < 0 || negative < 0;
		counts[9] += big >> pair.low % 64 < pair.high;
		sum += big;
		least = result < least ? result : least;
		most = pair.high > most ? pair.high : most;
		big = big * 6364136223846793005 + 1442695040888963407;
		pair.high += big;
		pair.low += 12345;
	}
	for (int i = 0; i < 10; i++)
		printf("%lu\n", counts[i]);
	printf("%lu\n%lu\n%lu\n", sum, least, most);
	return 0;
}
