/*
 * Allocates and frees at random, says how many bytes of the heap are taken (mallinfo(3)), and then
 * stores into a block all the time. What is kept in bins of the thread counts as taken there, too.
 */
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BLOCKS 5000

int main(void)
{
	static char *block[BLOCKS];
	struct mallinfo2 info;
	unsigned seed = 7;

	setvbuf(stdout, NULL, _IONBF, 0);
	for (int i = 0; i < 60000; i++) {
		const unsigned at = (unsigned)rand_r(&seed) % BLOCKS;

		free(block[at]);
		block[at] = rand_r(&seed) % 3 ? malloc(1 + (unsigned)rand_r(&seed) % 3000) : NULL;
	}
	free(block[0]);
	block[0] = strcpy(malloc(24), "stored");
	info = mallinfo2();
	printf("%zu\n", info.uordblks + info.fsmblks);
	for (volatile char *store = block[0];; store[3]++)
		;
}
