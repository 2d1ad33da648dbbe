/*
 * Counts into a shared mapping of the file in argv[1] before each of 100,003 stores to a global,
 * then waits to be killed. The mapping holds how many stores have been begun, whatever happens to
 * the process. With argv[2] it stops there, so that a trace engine is not asked for all of them.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define STORES 100003

volatile int cells[4099];

int main(int argc, char **argv)
{
	long stores = argc > 2 ? atol(argv[2]) : STORES;
	int file = argc > 1 ? open(argv[1], O_RDWR) : -1;
	if (file < 0)
		return 2;
	volatile long *count = mmap(NULL, sizeof(long), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
	if (count == MAP_FAILED)
		return 3;
	for (long i = 0; i < stores; i++) {
		*count = i + 1;
		cells[i % 4099] = (int)i;
	}
	for (;;)
		pause();
}
