/* Every allocation function of libc, each block written once at offset 3; main is the only caller.
 */
#define _GNU_SOURCE
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define PAGE 4096

__attribute__((noinline)) static void touch(void *block)
{
	((volatile char *)block)[3] = 1;
}

__attribute__((noinline)) static void *aligned(size_t alignment, size_t size)
{
	void *block = NULL;
	return posix_memalign(&block, alignment, size) ? NULL : block;
}

__attribute__((noinline)) static void mappings(void)
{
	char *map = mmap(NULL, 3 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	touch(map);
	munmap(map + PAGE, PAGE); /* leaves a hole */
	touch(map + 2 * PAGE);
	munmap(map, PAGE);
	char *moved = mremap(map + 2 * PAGE, PAGE, 7 * PAGE, MREMAP_MAYMOVE);
	touch(moved + 6 * PAGE);
	munmap(moved, 7 * PAGE);
}

int main(void)
{
	void *blocks[9];
	blocks[0] = malloc(33);
	blocks[1] = calloc(7, 9);
	blocks[2] = realloc(NULL, 101);
	blocks[3] = reallocarray(NULL, 5, 21);
	blocks[4] = aligned(64, 99);
	blocks[5] = aligned_alloc(128, 256);
	blocks[6] = memalign(32, 77);
	blocks[7] = valloc(513);
	blocks[8] = pvalloc(17);
	for (int i = 0; i < 9; i++)
		touch(blocks[i]);
	blocks[0] = realloc(blocks[0], 40000);
	touch(blocks[0]);
	blocks[2] = reallocarray(blocks[2], 3, 3);
	touch(blocks[2]);
	if (realloc(blocks[1], (size_t)1 << 60)) /* fails: the block stays */
		return 1;
	touch(blocks[1]);
	for (int i = 0; i < 9; i++)
		free(blocks[i]);
	free(NULL);
	mappings();
	char *top = sbrk(3 * PAGE);
	touch(top);
	sbrk(-3 * PAGE);
	char *big = malloc(1 << 20); /* libc maps it */
	touch(big);
	free(big);
	printf("allocations %d\n", (int)malloc_usable_size(NULL));
	return 0;
}
