/* A small interpreter: a switch with a jump table in .rodata, a table of functions in RELRO, code
 * and stack as globals. */
#include <stdio.h>

enum { PUSH, ADD, MUL, SWAP, DUP, DROP, LESS, JUMP_IF, CALL, END };

static const short program[] = { PUSH, 0, PUSH, 1, DUP, CALL, 0, SWAP, CALL, 1, ADD, DUP, PUSH,
	9999, LESS, JUMP_IF, 4, CALL, 2, END };
static long stack[64];
static long *top = stack;
static unsigned long executed;

__attribute__((noinline)) static long triple(long x)
{
	return 3 * x;
}

__attribute__((noinline)) static long halve(long x)
{
	return x / 2 + 1;
}

__attribute__((noinline)) static long negate(long x)
{
	return -x;
}

static long (*const functions[])(long) = { triple, halve, negate };

__attribute__((noinline)) static int step(int pc)
{
	long other;
	executed++;
	switch (program[pc]) {
	case PUSH:
		*++top = program[pc + 1];
		return pc + 2;
	case ADD:
		other = *top--;
		*top += other;
		return pc + 1;
	case MUL:
		other = *top--;
		*top *= other;
		return pc + 1;
	case SWAP:
		other = *top;
		*top = top[-1];
		top[-1] = other;
		return pc + 1;
	case DUP:
		top[1] = *top;
		top++;
		return pc + 1;
	case DROP:
		top--;
		return pc + 1;
	case LESS:
		other = *top--;
		*top = *top < other;
		return pc + 1;
	case JUMP_IF:
		return *top-- ? program[pc + 1] : pc + 2;
	case CALL:
		*top = functions[program[pc + 1]](*top);
		return pc + 2;
	default:
		return -1;
	}
}

int main(void)
{
	for (int round = 0; round < 5; round++) {
		top = stack;
		for (int pc = 0; pc >= 0;)
			pc = step(pc);
	}
	printf("dispatch %ld after %lu\n", *top, executed);
	return 0;
}
