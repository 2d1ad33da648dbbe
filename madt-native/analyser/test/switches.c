/*
 * Forms of switch. A function's name says how many targets its table may have: its cases and the
 * default. The program has no library: it calls each function with values in and around its cases,
 * and ends.
 */
typedef unsigned long value;

volatile value seen;
/* What differs in each case, so that no compiler makes a table of numbers of it. */
#define SAW(n)                                                          \
	({                                                                  \
		__asm__ volatile("nopl %c0(%%rax)" : : "i"((int)(n)&0xffffff)); \
		seen = seen * 31 + (n);                                         \
	})

#define C1(n)             \
	case (n):             \
		SAW(2 * (n) + 1); \
		break;
#define C4(n) C1(n) C1((n) + 1) C1((n) + 2) C1((n) + 3)
#define C8(n) C4(n) C4((n) + 4)
#define C16(n) C8(n) C8((n) + 8)
#define C64(n) C16(n) C16((n) + 16) C16((n) + 32) C16((n) + 48)

#define FORM __attribute__((noinline, noclone))

/* Plain ones, of each type and from each start. */
#define PLAIN(name, type, cases)    \
	FORM void name(type at)         \
	{                               \
		switch (at) {               \
			cases default : SAW(1); \
		}                           \
	}
PLAIN(plain_8, int, C8(0))
PLAIN(from_five_8, int, C8(5))
PLAIN(from_below_8, int, C8(-3))
PLAIN(far_16, int, C16(100000))
PLAIN(unsigned_8, unsigned, C8(1))
PLAIN(long_8, long, C8(0))
PLAIN(long_far_8, long, C8(0x123456789aL))
PLAIN(unsigned_long_16, unsigned long, C16(3))
PLAIN(char_8, signed char, C8(-4))
PLAIN(byte_16, unsigned char, C16(60))
PLAIN(byte_top_8, unsigned char, C8(248))
PLAIN(short_16, short, C16(-8))
PLAIN(word_8, unsigned short, C8(65528))
PLAIN(large_64, int, C64(0))
PLAIN(larger_256, int, C64(0) C64(64) C64(128) C64(192))
PLAIN(holes_9, int, C1(0) C1(1) C1(3) C1(4) C1(6) C1(7) C1(9) C1(10) C1(12))
PLAIN(two_ranges_16, int, C8(0) C8(1000))

enum color { RED, GREEN, BLUE, BLACK, WHITE, GREY, PINK };
PLAIN(enumeration_7, enum color, C1(RED) C1(GREEN) C1(BLUE) C1(BLACK) C1(WHITE) C1(GREY) C1(PINK))

/* The compiler knows the range by itself. */
FORM void masked_8(unsigned at)
{
	switch (at & 7) {
		C8(0)
	}
}

FORM void shifted_16(unsigned at)
{
	switch (at >> 28) {
		C16(0)
	}
}

/* Compares what is shifted, in front of the shift or behind it. */
FORM void word_shifted_16(unsigned short at)
{
	switch (at >> 7) {
		C16(0)
	default:
		SAW(1);
	}
}

FORM void remainder_7(unsigned at)
{
	switch (at % 7) {
		C4(0) C1(4) C1(5) C1(6)
	}
}

FORM void unreachable_8(unsigned at)
{
	if (at > 7)
		return;
	switch (at) {
		C8(0)
	default:
		__builtin_unreachable();
	}
}

/* Cases run into each other, are ranges, or return. */
FORM void falling_8(int at)
{
	switch (at) {
	case 0:
		SAW(3); /* fallthrough */
	case 1:
		SAW(4); /* fallthrough */
	case 2:
		SAW(5);
		break;
	case 3:
		SAW(6); /* fallthrough */
	case 4:
		SAW(7);
		break;
	case 5:
		SAW(8); /* fallthrough */
	case 6:
		SAW(9); /* fallthrough */
	default:
		SAW(10); /* fallthrough */
	case 7:
		SAW(11);
	}
}

FORM void ranges_6(int at)
{
	switch (at) {
	case 0 ... 4:
		SAW(3);
		break;
	case 5 ... 6:
		SAW(5);
		break;
	case 7:
		SAW(6);
		break;
	case 8 ... 20:
		SAW(7);
		break;
	case 21:
		SAW(8);
		break;
	case 22:
		SAW(9);
	}
}

FORM value returning_8(int at)
{
	switch (at) {
	case 0:
		return seen;
	case 1:
		return SAW(3);
	case 2:
		return seen + 5;
	case 3:
		return SAW(7) * 3;
	case 4:
		return seen / 3;
	case 5:
		return SAW(1) / 7;
	case 6:
		return SAW(3) << 2;
	case 7:
		return seen % 11;
	default:
		return 9;
	}
}

/* In loops, where the table's address stays in a register, beside calls. */
FORM void loop_8(const unsigned char *code, int count)
{
	for (int i = 0; i < count; i++)
		switch (code[i]) {
			C8(0)
		default:
			plain_8(code[i] - 8);
		}
}

FORM void loop_through_9(const unsigned char **code, const unsigned char *end)
{
	while (*code < end) {
		switch (**code) {
			C4(0) C4(4) case 9 : ++*code;
			unsigned_8(**code);
			continue;
		default:
			break;
		}
		++*code;
	}
}

FORM void nested_8(int at, int inner)
{
	switch (at) {
		C4(0)
	case 4:
		switch (inner) {
			C8(0)
		}
		break;
		C1(5)
		C1(6)
	case 7:
		switch (inner) {
			C8(2)
		default:
			SAW(5);
		}
	}
}

FORM void one_behind_another_10(int at)
{
	switch (at) {
		C8(0)
	}
	switch (at) {
		C8(1)
	}
	switch (at) {
		C8(2)
	}
}

struct item {
	int pad[3];
	unsigned char kind;
	struct item *next;
};

FORM void member_8(const struct item *item)
{
	for (; item; item = item->next)
		switch (item->kind) {
			C8(1)
		}
}

FORM void many_values_8(int at, value a, value b, value c, value d, value e, value f)
{
	value sum = a * b + c * d, other = e ^ f, third = a + f, more = b - e, last = c | d;
	for (int i = 0; i < 3; i++) {
		switch (at) {
		case 0:
			sum += other;
			break;
		case 1:
			other ^= third + sum;
			break;
		case 2:
			third -= more;
			break;
		case 3:
			more *= last;
			break;
		case 4:
			last += a + other;
			break;
		case 5:
			sum = b ^ third;
			break;
		case 6:
			seen = sum;
			break;
		case 7:
			seen = more + last;
			break;
		}
		sum += i;
	}
	seen = sum + other + third + more + last;
}

/* Computed goto. */
FORM void labels_4(const unsigned char *code)
{
	static const void *const places[] = { &&one, &&two, &&three, &&done };
	goto *places[*code];
one:
	SAW(1);
	goto *places[*++code];
two:
	SAW(2);
	goto *places[*++code];
three:
	SAW(3);
	goto *places[*++code];
done:
	SAW(4);
}

FORM void distances_4(const unsigned char *code)
{
	static const int places[] = { &&one - &&one, &&two - &&one, &&three - &&one, &&done - &&one };
	goto *(&&one + places[*code]);
one:
	SAW(1);
	goto *(&&one + places[*++code]);
two:
	SAW(2);
	goto *(&&one + places[*++code]);
three:
	SAW(3);
	goto *(&&one + places[*++code]);
done:
	SAW(4);
}

#define AROUND(name, type, from, to)              \
	for (long i = (from)-2L; i <= (to) + 2L; i++) \
		name((type)i);

static void plain_ones(void)
{
	AROUND(plain_8, int, 0, 8)
	AROUND(from_five_8, int, 5, 13)
	AROUND(from_below_8, int, -3, 5)
	AROUND(far_16, int, 100000, 100016)
	AROUND(unsigned_8, unsigned, 1, 9)
	AROUND(long_8, long, 0, 8)
	AROUND(long_far_8, long, 0x123456789aL, 0x12345678a2L)
	AROUND(unsigned_long_16, unsigned long, 3, 19)
	AROUND(char_8, signed char, -4, 4)
	AROUND(byte_16, unsigned char, 60, 76)
	AROUND(byte_top_8, unsigned char, 248, 256)
	AROUND(short_16, short, -8, 8)
	AROUND(word_8, unsigned short, 65528, 65536)
	AROUND(large_64, int, 0, 64)
	AROUND(larger_256, int, 0, 256)
	AROUND(holes_9, int, 0, 13)
	AROUND(two_ranges_16, int, 0, 8)
	AROUND(two_ranges_16, int, 1000, 1008)
	AROUND(enumeration_7, enum color, 0, 7)
}

static void others(void)
{
	AROUND(masked_8, unsigned, 0, 8)
	for (unsigned i = 0; i < 16; i++)
		shifted_16(i << 28);
	for (unsigned i = 0; i < 24; i++)
		word_shifted_16((unsigned short)(i << 7));
	AROUND(remainder_7, unsigned, 2, 16)
	AROUND(unreachable_8, unsigned, 0, 8)
	AROUND(falling_8, int, 0, 8)
	AROUND(ranges_6, int, 0, 23)
	AROUND(returning_8, int, 0, 8)
	AROUND(one_behind_another_10, int, 0, 10)
	for (int i = -1; i < 10; i++)
		for (int k = -1; k < 11; k++)
			nested_8(i, k);
	for (int i = -1; i < 10; i++)
		many_values_8(i, seen, 3, 4, 5, seen + 1, 7);
}

static void loops(void)
{
	static const unsigned char code[] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 3, 8, 10, 9, 0, 200 };
	static const unsigned char labels[] = { 0, 1, 2, 0, 2, 1, 0, 0, 1, 1, 2, 2, 3 };
	struct item items[] = { { .kind = 0 }, { .kind = 1 }, { .kind = 2 }, { .kind = 3 },
		{ .kind = 4 }, { .kind = 5 }, { .kind = 6 }, { .kind = 7 }, { .kind = 8 }, { .kind = 9 } };
	const unsigned char *at = code;
	for (unsigned i = 0; i + 1 < sizeof items / sizeof *items; i++)
		items[i].next = &items[i + 1];
	loop_8(code, sizeof code);
	loop_through_9(&at, code + sizeof code);
	member_8(items);
	labels_4(labels);
	distances_4(labels);
}

__attribute__((force_align_arg_pointer)) void _start(void)
{
	plain_ones();
	others();
	loops();
	__asm__ volatile("syscall" : : "a"(231), "D"(0));
	__builtin_unreachable();
}

/* gcc wants them. */
void *memcpy(void *to, const void *from, value size)
{
	for (value i = 0; i < size; i++)
		((volatile char *)to)[i] = ((const char *)from)[i];
	return to;
}

void *memset(void *to, int byte, value size)
{
	for (value i = 0; i < size; i++)
		((volatile char *)to)[i] = (char)byte;
	return to;
}
