/* A bug to be reported: reads and writes a block after it was freed, and a mapping's name after its
 * end is gone. */
#include <stdlib.h>

volatile long sink;

__attribute__((noinline)) static long *make(void)
{
	long *block = malloc(2056);
	block[9] = 9;
	return block;
}

__attribute__((noinline)) static void use(volatile long *block)
{
	sink = block[9];
	block[11] = sink;
}

int main(void)
{
	long *volatile block = make();
	use(block);
	free(block);
	use(block);
	return 0;
}
