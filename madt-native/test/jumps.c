/* Leaves interposed functions by siglongjmp, again and again; what comes first afterwards must be recorded like everything else. */
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static sigjmp_buf back;
static volatile int left;

static void on_fault(int number)
{
	(void)number;
	left++;
	siglongjmp(back, 1);
}

int main(void)
{
	char *block = malloc(8192);
	void *volatile nowhere = (void *)16;

	signal(SIGSEGV, on_fault);
	for (volatile int i = 0; i < 9; i++) {
		if (!sigsetjmp(back, 1))
			memcpy(block, nowhere, 4000);
		if (i % 3 == 0)
			memset(block, i, 7001 + (size_t)i); /* a W of 7,001 bytes and more */
		else if (i % 3 == 1)
			free(malloc(6001 + (size_t)i)); /* an M of 6,001 and more */
		else
			block[5000 + i] = 1;
	}
	printf("left %d times\n", left);
	return 0;
}
