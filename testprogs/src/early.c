/* A constructor allocates before main and a destructor frees after it; main uses the block between
 * them. */
#include <stdio.h>
#include <stdlib.h>

static long *block;

__attribute__((constructor)) static void before_main(void)
{
	block = calloc(17, sizeof(long));
	block[0] = 42;
}

__attribute__((destructor)) static void after_main(void)
{
	block[2] = block[1];
	free(block);
}

int main(void)
{
	block[1] = block[0] + 1;
	printf("early %ld\n", block[1]);
	return 0;
}
