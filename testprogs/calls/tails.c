#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#define OWN __attribute__((noinline, noclone))
static jmp_buf top;
volatile int sink;
/* goes on in a library's function */
OWN void slow_disk(int n)
{
	sink = n;
	usleep(1000);
}
OWN void flush_it(int n)
{
	slow_disk(n);
	sink = 1;
}
/* goes on in one of its own module, and that in another one */
OWN int third(int n)
{
	return sink = n + 3;
}
OWN int second(int n)
{
	sink = 2;
	return third(n + 2);
}
OWN int first(int n)
{
	sink = 1;
	return second(n + 1);
}
/* goes on through a pointer */
OWN int through(int (*f)(int), int n)
{
	sink = 3;
	return f(n);
}
/* goes on in what is not recorded; the next function is entered at the same place */
OWN void drop(void *p)
{
	sink = 4;
	free(p);
}
OWN void after_drop(void)
{
	sink = 5;
}
/* is left by longjmp */
OWN void thrower(int n)
{
	if (n)
		longjmp(top, 1);
	sink = 6;
	third(n);
}
OWN void after_throw(void)
{
	sink = 7;
}
/* a machine of three states */
OWN int red(int n);
OWN int green(int n);
OWN int blue(int n);
OWN int red(int n)
{
	sink = n;
	return n ? green(n - 1) : 0;
}
OWN int green(int n)
{
	sink = n;
	return n ? blue(n - 1) : 1;
}
OWN int blue(int n)
{
	sink = n;
	return n ? red(n - 1) : 2;
}
int main(int argc, char **argv)
{
	int turns = argc > 1 ? atoi(argv[1]) : 10;
	flush_it(1);
	sink = first(1);
	sink = through(third, 1);
	drop(malloc(10));
	after_drop();
	if (setjmp(top) == 0)
		thrower(1);
	after_throw();
	sink = red(turns);
	return 0;
}
