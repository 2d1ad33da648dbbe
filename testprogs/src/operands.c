/* Memory operands of push, pop, call and jmp, of conditional moves and of divisions. */
#include <stdio.h>
#include <stdlib.h>

typedef long (*operation)(long);

static long value = 5;
static long divisor = 3;
static long cells[13];

__attribute__((noinline)) static long twice(long x)
{
	return 2 * x;
}

__attribute__((noinline)) static long square(long x)
{
	return x * x;
}

static operation current = twice;

__attribute__((noinline)) static void push_pop(long *from, long *to)
{
	/* below the red zone, where the compiler may keep things */
	__asm__ volatile("lea -128(%%rsp), %%rsp; pushq %1; popq %0; lea 128(%%rsp), %%rsp"
					 : "=m"(*to)
					 : "m"(*from)
					 : "memory");
}

__attribute__((noinline)) static long call_through(operation *where, long x)
{
	return (*where)(x);
}

__attribute__((noinline)) static void jump_through(void **where)
{
	__asm__ volatile("leaq 1f(%%rip), %%rax; movq %%rax, %0; jmp *%0; ud2; 1:"
					 : "+m"(*where)
					 :
					 : "rax", "memory");
}

__attribute__((noinline)) static long choose(const long *a, const long *b, long x)
{
	long result;
	__asm__ volatile("movq %1, %0; testq %3, %3; cmovsq %2, %0"
					 : "=&r"(result)
					 : "m"(*a), "m"(*b), "r"(x)
					 : "cc");
	return result;
}

int main(void)
{
	void **target = calloc(1, sizeof(void *));
	operation *table = calloc(2, sizeof(operation));
	long sum = 0;

	table[0] = twice;
	table[1] = square;
	for (int i = 0; i < 137; i++) {
		push_pop(&value, &cells[i % 13]);
		sum += call_through(&current, i) + call_through(table + i % 2, i);
		jump_through(target);
		sum += choose(&value, &divisor, i % 3 - 1);
		sum += (sum + i) / divisor;
	}
	printf("operands %ld %ld\n", sum, cells[12]);
	free(table);
	free(target);
	return 0;
}
