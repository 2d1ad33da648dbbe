/* Two windows of recording, in both spellings; nothing else may be recorded with `--start marker`.
 */
#include <stdio.h>
#include <stdlib.h>
#include <madt.h>

volatile int outside;
volatile int first[7];
volatile int second[5];

__attribute__((noinline)) static void touch(volatile int *cells, int count)
{
	for (int i = 0; i < count; i++)
		cells[i] = i;
}

int main(void)
{
	int *block = malloc(44);
	outside = 1;
	MadT_start();
	touch(first, 7);
	MadT_stop();
	outside = 2;
	block[3] = 9;
	MadT__start();
	touch(second, 5);
	block[4] = 11;
	MadT__stop();
	outside = 3;
	printf("markers %d\n", outside + first[6] + second[4] + block[4]);
	free(block);
	return 0;
}
