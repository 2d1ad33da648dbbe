/*
 * Values that debug information computes, and floating-point numbers. computed ROUNDS: writes sums.
 */
#include <stdio.h>
#include <stdlib.h>

struct small {
	short a;
	unsigned char b;
	signed char c;
	int d;
};

struct point {
	double x;
	float y, z;
};

struct shape {
	struct point corners[2];
	double weight;
	const struct point *first;
};

static long total;
static const struct small known = { 1, 2, 3, 4 };
double scale = 0.1;
float shares[3] = { 0.25f, 1e-9f, -3e20f };

#define KEEP(value) __asm__ volatile("" : "+r"(value))
#define KEEP_REAL(value) __asm__ volatile("" : "+x"(value))
#define FENCE __asm__ volatile("" : : : "memory")

#define FORGET \
	__asm__ volatile("" : : : "rax", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", "memory")

/* Integers that are made of others, and of parts of these. */
__attribute__((noinline)) long narrow(unsigned number, long wide, const struct small *from)
{
	unsigned char low = (unsigned char)(number * 3);
	short half = (short)(wide >> 5);
	unsigned masked = number & 0xff0;
	int shifted = (int)number << 3, difference = (int)(wide - number);
	unsigned long product = wide * 7ul + number;
	_Bool less = wide < (long)number;
	struct small copy = *from;
	long sum = total;

	FENCE;
	copy.d += 5;
	for (int i = 0; i < 3; i++) {
		sum += i;
		KEEP(sum);
	}
	total += copy.a;
	FENCE;
	return sum + low + half + masked + shifted + difference + (long)product + less + copy.d;
}

/* Numbers in registers and in memory. */
__attribute__((noinline)) double real(double first, float second, int third,
		const struct shape *shape, struct point point)
{
	double product = first * second, half = first / 2;
	float mixed = second + (float)third;
	const double tenth = 0.1;
	const float large = 1e10f;
	double more[2] = { first + 1, product };
	register double high __asm__("xmm13") = first * 3;
	int whole = (int)first;

	KEEP_REAL(product);
	KEEP_REAL(high);
	FENCE;
	for (int i = 0; i < 2; i++) {
		product += shape->corners[i].x * point.y;
		KEEP_REAL(product);
	}
	KEEP_REAL(high);
	FENCE;
	more[1] += mixed + high;
	KEEP_REAL(product);
	return product + tenth + large + more[third & 1] + half + whole + point.x;
}

/* Parameters that are needed no longer. */
__attribute__((noinline)) long given(long first, int second, unsigned char third, const char *text,
		long fifth)
{
	long sum = first * 3 + second;

	sum += third + text[0] + fifth;
	KEEP(sum);
	total += sum;
	FORGET;
	__asm__ volatile("" : "+r"(sum) : : "rbx", "r12", "r13", "memory");
	total ^= sum;
	FENCE;
	return sum;
}

/* Pointers to what is in no memory. */
static inline __attribute__((always_inline)) long through(const int *at, const struct small *of)
{
	long sum = *at;
	int turns = 2;

	KEEP(turns);
	for (int i = 0; i < turns; i++) {
		sum += of->d;
		KEEP(sum);
	}
	return sum;
}

__attribute__((noinline)) long pointed(int number)
{
	int twice = number * 2;
	struct small local = { 1, 2, 3, number };

	KEEP(twice);
	return through(&twice, &local);
}

__attribute__((noinline)) long again(long depth, long first)
{
	long here = 0;

	here = given(depth, 7, (unsigned char)depth, "again", first);
	return depth ? here + again(depth - 1, first) : here;
}

/* Functions that call each other last: what they were given first is known no more. */
static int turns;

long odd(long left, long first);

__attribute__((noinline)) long even(long left, long first)
{
	total += left + first;
	FORGET;
	if (turns-- > 0)
		return odd(turns, total);
	FENCE;
	return total;
}

__attribute__((noinline)) long odd(long left, long first)
{
	total -= left ^ first;
	FORGET;
	if (turns-- > 0)
		return even(turns, total);
	FENCE;
	return total;
}

/* A pointer that is known by the caller alone, and may lead nowhere. */
__attribute__((noinline)) long far(const struct small *at, const double *real)
{
	total += (at != NULL) + (real != NULL);
	FORGET;
	if (total & 1)
		FENCE;
	return total;
}

int main(int count, char **arguments)
{
	const int rounds = count > 1 ? atoi(arguments[1]) : 3;
	long (*volatile by)(long, int, unsigned char, const char *, long) = given;
	double sum = 0;

	for (int i = 0; i < rounds; i++) {
		struct small small = { (short)(-7 * i), (unsigned char)(250 + i), (signed char)-i, i };
		struct point point = { i / 3.0, (float)i * 1.1f, -0.5f };
		struct shape shape = { { point, { -1e300, 2.5f, 0 } }, i * scale, &point };

		total += narrow(0xfffffff0u + (unsigned)i * 9, (long)i * 1234567890123 - 5, &small);
		sum += real(i * 0.7, (float)i / 7, i, &shape, point);
		sum += given(i, -i, (unsigned char)(i + 250), "first", total);
		sum += given(77, rounds, 200, "text", i);
		sum += by(i, i, 1, "by", 5);
		sum += pointed(i) + again(2, i);
		turns = 3;
		sum += even(i, 5);
		sum += far((const struct small *)16, (const double *)-8) + far(&known, &scale);
	}
	printf("%.17g %ld %g\n", sum, total, shares[rounds % 3]);
	return 0;
}
