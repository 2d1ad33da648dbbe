/* A repetition: 4,096 bytes are read from /dev/zero into a block, and two of them looked at. */
#include <fcntl.h>
#include <unistd.h>

#include "measured.h"

#define BYTES 4096

static char *block;
static int zero;

void prepare(void)
{
	block = malloc(BYTES);
	zero = open("/dev/zero", O_RDONLY);
	if (!block || zero < 0)
		exit(1);
}

uint64_t work(long repetitions)
{
	uint64_t sum = 0;

	for (long i = 0; i < repetitions; i++) {
		ssize_t length = read(zero, block, BYTES);

		if (length != BYTES)
			exit(1);
		sum += (uint64_t)length + (uint64_t)block[0] + (uint64_t)block[BYTES - 1];
	}
	return sum;
}
