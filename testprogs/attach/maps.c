/* Maps memory and unmaps it, as often as its argument says, and checks that each was done. */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

int main(int count, char **arguments)
{
	long times = count > 1 ? atol(arguments[1]) : 10000, wrong = 0;

	while (times-- > 0) {
		char *memory = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

		if (memory == MAP_FAILED || (uintptr_t)memory < 4096) {
			printf("mmap: %p\n", (void *)memory);
			wrong++;
			continue;
		}
		memory[5000] = 1;
		if (munmap(memory, 8192) != 0) {
			printf("munmap\n");
			wrong++;
		}
	}
	printf("%ld wrong\n", wrong);
	return wrong != 0;
}
