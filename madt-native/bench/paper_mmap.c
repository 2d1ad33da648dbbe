/* A repetition: four pages are mapped, each is written, and they are unmapped. */
#include <sys/mman.h>

#include "measured.h"

#define PAGES 4
#define PAGE 4096

void prepare(void)
{
}

uint64_t work(long repetitions)
{
	uint64_t sum = 0;

	for (long i = 0; i < repetitions; i++) {
		char *pages = mmap(NULL, PAGES * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
				-1, 0);

		if (pages == MAP_FAILED)
			exit(1);
		for (int k = 0; k < PAGES; k++)
			pages[k * PAGE] = (char)i;
		sum += (uint64_t)(unsigned char)pages[PAGE];
		munmap(pages, PAGES * PAGE);
	}
	return sum;
}
