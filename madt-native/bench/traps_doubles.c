/* Prints so many pairs of numbers: printf's tables of jumps, and arithmetic with many digits. */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	long pairs = argc > 1 ? atol(argv[1]) : 100000;

	for (long i = 0; i < pairs; i++)
		printf("%f %g\n", (double)i * 0.37, (double)i * 1e10 / 3);
	return 0;
}
