/*
 * Has a block with a mapping of its own begin where heaps of arenas do, at a multiple of 64 MiB, and
 * touches its ends again and again.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>

#define HEAP (64ul << 20)
#define HEADER 16ul
#define AROUND 32ul       /* bytes that malloc adds, at most */
#define LEAST (1ul << 20) /* bytes: what is smaller may lie in a heap */

int main(void)
{
	volatile char *block;
	size_t size;

	prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0); /* where Yama asks for that */
	do {
		do { /* each lies below the one before */
			block = malloc(LEAST);
			size = ((uintptr_t)block - HEADER) % HEAP;
		} while (size < LEAST || size > HEAP / 2);
		block = malloc(size - AROUND);
	} while (((uintptr_t)block - HEADER) % HEAP);
	if (write(1, "ready\n", 6) != 6)
		return 1;
	for (;;) {
		block[0] = block[size - AROUND - 1] = 1;
		usleep(1000);
	}
}
