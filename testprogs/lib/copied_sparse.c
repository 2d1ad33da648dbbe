/* A function that the program copies by loads of its own; few of its pages of code have an access. */
#define _GNU_SOURCE
#include <stdio.h>
#include <sys/mman.h>

__asm__(".text; .fill 64 * 4096, 1, 0x90");

__attribute__((noinline, noclone)) long sum(const long *from, long *to)
{
	return (to[0] = from[0]) + (to[1] = from[1]) + (to[2] = from[2]);
}

static long values[] = { 1, 20, 300 }, copied[3];

int main(void)
{
	char *room = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS,
			-1, 0);
	long (*volatile there)(const long *, long *) = (long (*)(const long *, long *))(void *)room;

	for (volatile int i = 0; i < 100; i++)
		room[i] = ((const volatile char *)sum)[i];
	printf("%ld\n", there(values, copied));
	return 0;
}
