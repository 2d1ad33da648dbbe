/* Switches, computed gotos and tables of functions, dense and sparse, as compilers make them. */
/* flags: -O2 */
#include <stdio.h>
#include <stdlib.h>

static unsigned state = 12345;
static long counts[16], memory[32];

static unsigned next(void)
{
	state = state * 1103515245u + 12345u;
	return state >> 16 & 0x7fff;
}

__attribute__((noinline)) static void dense(unsigned operation, long *at)
{
	switch (operation) {
	case 0:
		at[0]++;
		break;
	case 1:
		at[1] += at[0];
		break;
	case 2:
		at[2] ^= at[1] + 3;
		break;
	case 3:
		at[3] = at[2] - at[0];
		break;
	case 4:
		at[4] |= 1L << (at[3] & 15); /* fall through */
	case 5:
		at[5] += 5;
		break;
	case 6:
		at[6] = at[5] * 7;
		break;
	case 7:
		at[7] = -at[6];
		break;
	case 8:
		at[8]--;
		break;
	case 9:
		return;
	default:
		at[9] += operation;
	}
	counts[operation & 15]++;
}

__attribute__((noinline)) static long sparse(unsigned value)
{
	switch (value) {
	case 1:
		return memory[0];
	case 100:
		return memory[1];
	case 1000 ... 1010:
		return memory[2];
	case 20000:
		return memory[3]++;
	case 0x7000 ... 0x7fff:
		return ++memory[4];
	default:
		return 0;
	}
}

__attribute__((noinline)) static long interpret(const unsigned char *code, long *stack)
{
	static const void *const labels[] = { &&push, &&add, &&multiply, &&duplicate, &&loop, &&end };
	long *top = stack, rounds = 0;

	goto *labels[*code];
push:
	*++top = code[1];
	code += 2;
	goto *labels[*code];
add:
	top[-1] += top[0];
	top--;
	goto *labels[*++code];
multiply:
	top[-1] *= top[0];
	top--;
	goto *labels[*++code];
duplicate:
	top[1] = top[0];
	top++;
	goto *labels[*++code];
loop:
	if (++rounds < 50)
		code -= code[1];
	else
		code += 2;
	*top &= 0xffff;
	goto *labels[*code];
end:
	return *top;
}

static long first(long *at)
{
	return at[0] += 1;
}
static long second(long *at)
{
	return at[1] += 2;
}
static long third(long *at)
{
	return first(at) + second(at);
}

int main(void)
{
	static long (*const functions[])(long *) = { first, second, third };
	static const unsigned char code[] = { 0, 3, 3, 0, 5, 2, 1, 4, 5, 5 };
	long stack[16] = { 0 }, sum = 0;

	for (int i = 0; i < 5000; i++) {
		dense(next() % 13, memory);
		sum += sparse(next());
		sum += functions[next() % 3](counts);
	}
	printf("%ld %ld %ld\n", sum, memory[5], counts[3]);
	printf("%ld\n", interpret(code, stack));
	return 0;
}
