/* Unaligned accesses, many of them across the boundary of two pages, on the heap, in mapped memory
 * and in .bss. */
#define _GNU_SOURCE
#include <emmintrin.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define PAGE 4096

static unsigned char area[3 * PAGE] __attribute__((aligned(PAGE)));

struct __attribute__((packed)) odd {
	char tag;
	volatile unsigned long value;
	volatile unsigned short half;
};

__attribute__((noinline)) static unsigned long touch(unsigned char *boundary)
{
	unsigned long sum = 0;
	for (int shift = -9; shift <= 1; shift++) {
		struct odd *odd = (struct odd *)(boundary + shift);
		odd->value = (unsigned long)shift;
		odd->half += 3;
		odd->value += 5;
		sum += odd->value;
	}
	for (int shift = -16; shift <= 0; shift += 3) {
		__m128i *p = (__m128i *)(boundary + shift);
		_mm_storeu_si128(p, _mm_add_epi8(_mm_loadu_si128(p), _mm_set1_epi8(1)));
	}
	return sum;
}

int main(void)
{
	unsigned char *map = mmap(NULL, 3 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			-1, 0);
	unsigned char *block = calloc(3, PAGE);
	unsigned char *boundary = (unsigned char *)(((unsigned long)block + 2 * PAGE - 1)
			& -(unsigned long)PAGE);
	unsigned long sum = 0;

	for (int round = 0; round < 5; round++)
		sum += touch(area + PAGE) + touch(area + 2 * PAGE) + touch(map + PAGE) + touch(boundary);
	printf("straddle %lu %d\n", sum, area[PAGE]);
	free(block);
	munmap(map, 3 * PAGE);
	return 0;
}
