/* Copies of one library, which have the same build-id: -DLIBRARY makes it. */
#ifdef LIBRARY
static int table[61];

int work(const int *from, int count)
{
	int sum = 0;

	for (int i = 0; i < count; i++) {
		table[i % 61] += from[i];
		sum ^= table[i * 7 % 61];
	}
	return sum;
}
#else
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

int main(int count, char **arguments)
{
	int *numbers = malloc(997 * sizeof *numbers), sum = 0;

	for (int i = 0; i < 997; i++)
		numbers[i] = i;
	for (int i = 1; i < count; i++) {
		void *library = dlopen(arguments[i], RTLD_NOW);
		int (*work)(const int *, int) = (int (*)(const int *, int))dlsym(library, "work");

		sum += work(numbers, 500 + i);
	}
	printf("%d\n", sum);
	free(numbers);
	return 0;
}
#endif
