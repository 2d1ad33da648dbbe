/*
 * Programs that say themselves how many blocks of an allocator live, and how many bytes they have.
 * At each point they write both, and then allocate one block of MARK bytes and more: there, a trace
 * tells the same, but for what lived at the first point.
 */
#ifndef COUNTED_H
#define COUNTED_H

#include <inttypes.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

#define POINTS 4
#define MARK 70000

struct counted {
	uint64_t blocks; /* 0: the allocator does not say */
	uint64_t bytes;
};

/* Of the allocator. */
struct counted counted(void);
void *take(size_t size);
void give(void *block);
/* What is done between two points. */
void work(uint64_t seed);

int main(void)
{
	for (unsigned point = 0; point < POINTS; point++) {
		struct counted now = counted();
		char text[64]; /* dprintf(3) would allocate */
		int length = sprintf(text, "%" PRIu64 " %" PRIu64 "\n", now.blocks, now.bytes);

		if (write(1, text, (size_t)length) != length)
			return 1;
		give(take(MARK));
		work(point + 1);
	}
	return 0;
}

#endif
