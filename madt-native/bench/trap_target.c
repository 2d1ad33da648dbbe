/*
 * The same stores as in trap_bare, by an ordinary program: run under `madt run --engine trap` it
 * shows what the engine adds.
 *
 * trap_target ACCESSES: prints nanoseconds per access.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>

int main(int argc, char **argv)
{
	long accesses = argc > 1 ? atol(argv[1]) : 100000;
	struct timespec begin, end;
	char *page = mmap(NULL, 3 * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (page == MAP_FAILED)
		return 1;
	page += 4096;
	page[0] = 1;
	clock_gettime(CLOCK_MONOTONIC, &begin);
	for (long i = 0; i < accesses; i++)
		*(volatile char *)page = (char)i;
	clock_gettime(CLOCK_MONOTONIC, &end);
	printf("%.1f\n",
			((double)(end.tv_sec - begin.tv_sec) * 1e9 + (double)(end.tv_nsec - begin.tv_nsec))
					/ (double)accesses);
	return 0;
}
