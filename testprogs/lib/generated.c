/* Makes code as it runs, in two pages of its own, and runs it: it stores into a block. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define CODE_BYTES 8192

static const unsigned char store_and_return[] = { 0xc7, 0x07, 0x2a, 0, 0, 0,
	0xc3 }; /* movl $42, (%rdi); ret */

int main(void)
{
	unsigned char *code = mmap(NULL, CODE_BYTES, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int *block = calloc(4, sizeof *block);
	void (*store)(int *);

	if (code == MAP_FAILED || !block)
		return 1;
	memcpy(code, store_and_return, sizeof store_and_return);
	mprotect(code, CODE_BYTES, PROT_READ | PROT_EXEC);
	memcpy(&store, &code, sizeof store);
	store(&block[2]);
	printf("%d\n", block[2]);
	return block[2] == 42 ? 0 : 1;
}
