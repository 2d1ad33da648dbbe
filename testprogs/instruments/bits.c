/*
 * Values that are in no word of their own: bit-fields, and what compilers compute in advance. bits
 * ROUNDS: writes a sum.
 */
#include <stdio.h>
#include <stdlib.h>

struct flags {
	unsigned low : 3;
	signed middle : 7;
	unsigned char byte;
	unsigned short half : 11;
	unsigned long wide : 37;
	long far : 27;
	_Bool set : 1;
	int whole;
	struct {
		unsigned inner : 5, other : 9;
	};
	union {
		unsigned bits : 13;
		unsigned word;
	};
} __attribute__((aligned(8)));

struct __attribute__((packed)) packed {
	unsigned char first;
	unsigned odd : 13;
	int even : 19;
	unsigned long last : 50;
};

static long total;

__attribute__((noinline)) void change(struct flags *flags, struct packed *packed, int seed)
{
	flags->low = (unsigned)seed;
	flags->middle = -seed;
	flags->half = (unsigned short)(seed * 37);
	flags->wide = (unsigned long)seed * 0x123456789;
	flags->far = -(long)seed * 99991;
	flags->set = seed & 1;
	flags->inner = (unsigned)seed * 3;
	flags->other = (unsigned)seed * 5;
	flags->bits = (unsigned)seed * 77;
	packed->odd = (unsigned)seed * 771;
	packed->even = -seed * 1234;
	packed->last = (unsigned long)seed * 0x1234567;
	__asm__ volatile("" : : : "memory");
	total += flags->middle + packed->even;
}

__attribute__((noinline)) long compute(int number)
{
	const int seven = 7, below = -3;
	const unsigned char large = 200;
	long sum = number + seven;
	int more = number + 5;
	long *place = &total;

	for (int i = 0; i < 4; i++) {
		sum += i * large;
		__asm__ volatile("" : "+r"(sum));
	}
	*place += more;
	__asm__ volatile("" : "+r"(sum));
	return sum + below;
}

int main(int count, char **arguments)
{
	static struct flags flags;
	static struct packed packed;
	const int rounds = count > 1 ? atoi(arguments[1]) : 3;
	long sum = 0;

	for (int i = 0; i < rounds; i++) {
		change(&flags, &packed, i + 1);
		sum += compute(i);
	}
	printf("%ld %ld\n", sum, total);
	return 0;
}
