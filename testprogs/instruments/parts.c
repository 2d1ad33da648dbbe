/*
 * Structs that are passed and kept in registers, each part in another one. parts ROUNDS: writes what
 * each call of take() is given.
 */
#include <stdio.h>
#include <stdlib.h>

struct pair {
	int x, y;
};

struct text {
	const char *begin;
	long length;
};

struct small {
	char a;
	short b;
	unsigned char c[3];
};

struct mixed {
	double ratio;
	long count;
};

struct nested {
	struct pair pair;
	struct small small;
};

struct big {
	long first, second, third;
};

static long total;

__attribute__((noinline)) long take(struct pair pair, struct text text, struct small small,
		struct mixed mixed, struct big big)
{
	long sum = pair.x + pair.y + text.length + text.begin[0] + small.a + small.b + small.c[1]
			+ mixed.count + big.first + big.third;

	__asm__ volatile("" : "+r"(sum));
	return sum + (long)mixed.ratio;
}

__attribute__((noinline)) long nest(struct nested nested, long more)
{
	struct pair moved = { nested.pair.y + (int)more, nested.pair.x };
	struct text last = { "last", more };
	int turns = 3;
	long sum = 0;

	__asm__ volatile("" : "+r"(turns));
	for (int i = 0; i < turns; i++) {
		moved.x += nested.small.b;
		last.length += moved.y;
		last.begin++;
		__asm__ volatile("" : "+r"(moved.x), "+r"(last.length), "+r"(last.begin));
		sum += moved.x * nested.pair.x;
	}
	return sum + moved.y + last.length + last.begin[0] + nested.small.c[2];
}

int main(int count, char **arguments)
{
	const int rounds = count > 1 ? atoi(arguments[1]) : 3;

	for (int i = 0; i < rounds; i++) {
		struct pair pair = { i - 1, 1000 * i };
		struct text text = { &"parts of it"[i % 5], 11 - (long)i % 5 };
		struct small small = { (char)-i, (short)(-77 * i), { 1, (unsigned char)(i + 200), 3 } };
		struct mixed mixed = { i / 2.0, -1234567890123 * i };
		struct big big = { i, 2, 3L * i };
		struct nested nested = { pair, small };

		printf("%d %d %ld %d %d %d %ld %ld %ld\n", pair.x, pair.y, text.length, text.begin[0],
				small.a, small.b, mixed.count, big.first, big.third);
		total += take(pair, text, small, mixed, big);
		total += nest(nested, i);
	}
	printf("%ld\n", total);
	return 0;
}
