/*
 * Does what its input says: "work 100" calls work(1) to work(100), "open 1" calls open_up, "close 1"
 * shut. Writes "done" behind each line.
 */
#include <stdio.h>
#include <string.h>

__attribute__((noinline)) static void work(int number)
{
	__asm__ volatile("" : : "r"(number));
}

__attribute__((noinline)) static void open_up(void)
{
	__asm__ volatile("");
}

__attribute__((noinline)) static void shut(void)
{
	__asm__ volatile("");
}

int main(void)
{
	char word[16];
	int times;
	while (scanf("%15s %d", word, &times) == 2) {
		for (int i = 1; i <= times; i++)
			if (!strcmp(word, "work"))
				work(i);
			else if (!strcmp(word, "open"))
				open_up();
			else
				shut();
		puts("done");
		fflush(stdout);
	}
	return 0;
}
