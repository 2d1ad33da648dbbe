/* Thread-local variables are not traced; the global beside them is. */
#include <stdio.h>

static __thread long local[31];
static __thread int calls = 7;
long shared[31];

int main(void)
{
	for (int round = 0; round < 41; round++)
		for (int i = 0; i < 31; i++) {
			local[i] += i;
			calls++;
			shared[i] += local[i];
		}
	printf("tls %d %ld %ld\n", calls, local[30], shared[30]);
	return 0;
}
