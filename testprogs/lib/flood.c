/*
 * flood COUNT [COMMAND]: that many stores, each by one instruction and all over 64 MiB, as fast as
 * can be; ends with status 7. Beside it runs the shell's command, in a child.
 */
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#define BITS 23

static uint64_t table[1 << BITS];

int main(int argc, char **argv)
{
	uint64_t count = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;

	if (argc > 2 && !fork()) {
		execl("/bin/sh", "sh", "-c", argv[2], NULL);
		_exit(127);
	}
	for (uint64_t i = 0; i < count; i++) {
		uint64_t place = (i + 1) * 0x9e3779b97f4a7c15u;

		place = ((place ^ place >> 29) * 0xbf58476d1ce4e5b9u) >> (64 - BITS);
		__asm__ volatile("movq %1, %0" : "=m"(table[place]) : "r"(i));
	}
	/* What runs at exit has a flag of its own in .bss. */
	_exit(7);
}
