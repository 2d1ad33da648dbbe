/*
 * Very many mappings, and very many pages of one: the kernel's limit (vm.max_map_count) must not be
 * met because of MadT.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define MAPPINGS 20000
#define PAGE 4096L

/* Two pages each, with a hole between: none merges with its neighbour. */
static void apart(void)
{
	char *area = mmap(NULL, MAPPINGS * 3 * PAGE, PROT_NONE,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	long made = 0, sum = 0, left = 0;

	munmap(area, MAPPINGS * 3 * PAGE);
	for (long i = 0; i < MAPPINGS; i++) {
		char *at = mmap(area + i * 3 * PAGE, 2 * PAGE, PROT_READ | PROT_WRITE,
				MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);

		made += at == area + i * 3 * PAGE;
		if (i % 10 == 0)
			at[PAGE] = (char)i;
	}
	for (long i = 0; i < MAPPINGS; i += 10)
		sum += area[i * 3 * PAGE + PAGE];
	for (long i = 0; i < MAPPINGS; i += 2)
		munmap(area + i * 3 * PAGE, 2 * PAGE);
	for (long i = 1; i < MAPPINGS; i += 200)
		left += msync(area + i * 3 * PAGE, PAGE, MS_ASYNC) == 0;
	printf("made %ld, sum %ld, left %ld of 100\n", made, sum, left);
	munmap(area, MAPPINGS * 3 * PAGE);
}

/* The same region page by page in a scattered order, written by the program and protected by it. */
static void scattered(void)
{
	long pages = 4999, failed = 0, sum = 0;
	char *area = mmap(NULL, (size_t)(pages * PAGE), PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	for (long i = 0; i < pages; i++)
		area[i * 4801 % pages * PAGE] = 1;
	for (long i = 0; i < pages; i += 2)
		failed += mprotect(area + i * PAGE, PAGE, PROT_READ) != 0;
	for (long i = 0; i < pages; i++)
		sum += area[i * PAGE];
	for (long i = 0; i < pages; i += 2)
		failed += mprotect(area + i * PAGE, PAGE, PROT_READ | PROT_WRITE) != 0;
	printf("failed %ld, sum %ld\n", failed, sum);
	munmap(area, (size_t)(pages * PAGE));
}

static void files(void)
{
	FILE *file = tmpfile();
	char *at[2000];
	long sum = 0;

	for (int i = 0; i < 10; i++) {
		char page[PAGE];

		memset(page, i, sizeof page);
		fwrite(page, sizeof page, 1, file);
	}
	fflush(file);
	for (int i = 0; i < 2000; i++)
		at[i] = mmap(NULL, (size_t)PAGE, PROT_READ | (i % 2 ? PROT_WRITE : 0),
				i % 3 ? MAP_PRIVATE : MAP_SHARED, fileno(file), i % 10 * PAGE);
	for (int i = 0; i < 2000; i++) {
		sum += at[i][i % 7];
		if (i % 6 == 1)
			at[i][1] = 3;
	}
	for (int i = 0; i < 2000; i++)
		munmap(at[i], (size_t)PAGE);
	printf("files: sum %ld\n", sum);
	fclose(file);
}

int main(void)
{
	apart();
	scattered();
	files();
	return 0;
}
