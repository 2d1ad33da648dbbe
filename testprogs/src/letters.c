/* One event of every letter, in this order: M C P L S R E Y W G W G F F U. Sizes are odd enough to
 * be told apart. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define PAGE 4096

struct pair {
	long first;
	long second;
};

const long source[13] = { 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59 };
struct pair table[7];
char buffer[520];
volatile long sink;

__attribute__((noinline)) char *allocate(size_t size)
{
	char *block = malloc(size);
	return block;
}

__attribute__((noinline)) void load_store(long index)
{
	table[index].second = source[index];
}

__attribute__((noinline)) void modify(void)
{
	sink += 5;
}

__attribute__((noinline)) void copy(char *block)
{
	memcpy(block + 8, source, 64);
}

__attribute__((noinline)) void fill(void)
{
	memset(buffer, 0x5a, 519);
}

__attribute__((noinline)) int transfer(int in, int out, char *block)
{
	return read(in, buffer + 3, 257) == 257 && write(out, block + 1, 131) == 131;
}

__attribute__((noinline)) void release(char *block)
{
	free(block);
	sink = 0;
}

int main(void)
{
	int in = open("/dev/zero", O_RDONLY);
	int out = open("/dev/null", O_WRONLY);
	char *block = allocate(528);
	long *zeros = calloc(11, 3 * sizeof(long));
	char *map = mmap(NULL, 3 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	load_store(3);
	modify();
	block = realloc(block, 1056);
	map = mremap(map, 3 * PAGE, 5 * PAGE, MREMAP_MAYMOVE);
	map[PAGE + 77] = 1;
	copy(block);
	fill();
	if (!transfer(in, out, block))
		return 1;
	release(block);
	free(zeros);
	munmap(map, 5 * PAGE);
	return 0;
}
