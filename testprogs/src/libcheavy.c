/* Mostly libc: printf, qsort with a callback of the program, a file written and read back, strtol,
 * snprintf, getenv. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT 47

static long comparisons;
static int numbers[COUNT];

static int compare(const void *a, const void *b)
{
	comparisons++;
	return *(const int *)a - *(const int *)b;
}

static long write_and_read(const char *name)
{
	char line[80];
	long sum = 0;
	FILE *file = fopen(name, "w+");
	if (!file)
		return -1;
	for (int i = 0; i < COUNT; i++)
		fprintf(file, "%d %x\n", numbers[i], numbers[i]);
	rewind(file);
	while (fgets(line, sizeof(line), file))
		sum += strtol(line, NULL, 10);
	rewind(file);
	sum += (long)fread(line, 1, sizeof(line), file);
	rewind(file);
	sum += (long)fwrite("0123456789", 2, 5, file);
	fclose(file);
	return sum;
}

int main(int argc, char **argv)
{
	char text[40];
	for (int i = 0; i < COUNT; i++)
		numbers[i] = (i * 71) % 97;
	qsort(numbers, COUNT, sizeof(int), compare);
	snprintf(text, sizeof(text), "%ld/%.3f", comparisons, 1.0 / 3);
	printf("libcheavy %s %ld %s\n", text, argc > 1 ? write_and_read(argv[1]) : 0,
			getenv("LD_PRELOAD") ? "preloaded" : "clean");
	return 0;
}
