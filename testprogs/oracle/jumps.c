/* Control that leaves functions otherwise than by return: longjmp, contexts, finalisers registered
 * in several ways, variable arguments. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <ucontext.h>

static jmp_buf place;
static ucontext_t home, other;
static long sum;

static long add_all(int count, ...)
{
	va_list list;
	long total = 0;

	va_start(list, count);
	for (int i = 0; i < count; i++)
		total += i % 2 ? (long)va_arg(list, double) : va_arg(list, long);
	va_end(list);
	return total;
}

static int descend(int depth)
{
	volatile char room[100];

	room[depth] = (char)depth;
	sum += room[depth];
	if (sum < 0)
		return 0;
	if (depth < 9)
		return descend(depth + 1) + room[depth];
	longjmp(place, depth);
}

static void turns(void)
{
	for (int i = 0; i < 5; i++) {
		sum += i;
		swapcontext(&other, &home);
	}
}

static void at_end(void)
{
	printf("%ld at the end\n", sum);
}

static void at_exit(int status, void *argument)
{
	printf("status %d, %s\n", status, (char *)argument);
}

int main(void)
{
	static _Alignas(4096) char stack[32768];

	atexit(at_end);
	on_exit(at_exit, "argument");
	if (setjmp(place) == 0)
		descend(0);
	getcontext(&other);
	other.uc_stack.ss_sp = stack;
	other.uc_stack.ss_size = sizeof stack;
	other.uc_link = &home;
	makecontext(&other, turns, 0);
	for (int i = 0; i < 6; i++)
		swapcontext(&home, &other);
	sum += add_all(9, 1L, 2.0, 3L, 4.0, 5L, 6.0, 7L, 8.0, 9L);
	exit(3);
}
