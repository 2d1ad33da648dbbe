/* Ends by SIGABRT after 1,013 stores to a global. */
#include <stdlib.h>

volatile long table[1013];

int main(void)
{
	for (int i = 0; i < 1013; i++)
		table[i] = i;
	abort();
}
