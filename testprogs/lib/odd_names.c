/*
 * odd_names: functions and variables whose names a test replaces in the file, letter by letter, by
 * what disturbs terminals and formats.
 */
#include <stdlib.h>

long name_of_a_variable__[16];
static long *block;

__attribute__((noinline)) void name_of_a_function__(void)
{
	block = malloc(24 * sizeof *block);
	for (int i = 0; i < 24; i++)
		block[i] = name_of_a_variable__[i % 16]++;
}

__attribute__((noinline)) void another_function____(void)
{
	free(block);
	name_of_a_variable__[3] = 4;
}

int main(void)
{
	name_of_a_function__();
	another_function____();
	return 0;
}
