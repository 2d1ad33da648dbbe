/* printf and its relatives: every conversion, into arrays, a stream, a heap block and a stream in
 * memory. */
#define _GNU_SOURCE
#include <locale.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>

int main(void)
{
	static char text[300];
	static wchar_t wide[80];
	char *block, *memory;
	size_t length;
	int far = 0;
	FILE *stream;

	snprintf(text, sizeof text, "%d %5u %-8ld| %llx %#o %c %s %.3s %p %%%n", -42, 7u, 123456789L,
			0xfeedfacecafeULL, 8, 'x', "text", "longer", (void *)(uintptr_t)0x1234, &far);
	printf("%s (%d)\n", text, far);
	for (int i = 0; i < 9; i++)
		printf("%*d %+.*f %g %e %a|\n", i, i * i, i, i / 3.0, i * 1e10, i * 1e-7, i + 0.1);

	printf("%2$s %1$s %3$08.3f\n", "world", "hello", 2.5);
	if (asprintf(&block, "%s-%d-%zu", "block", 12, sizeof text) > 0)
		puts(block);
	stream = open_memstream(&memory, &length);
	for (int i = 0; i < 60; i++)
		fprintf(stream, "line %d of %s\n", i, block);
	fclose(stream);
	swprintf(wide, 80, L"%ls %d %5.2f", L"wide", 99, 1.25);
	printf("%zu %ls\n", length, wide);
	setvbuf(stdout, NULL, _IONBF, 0);
	printf("unbuffered %s\n", "end");
	free(memory);
	free(block);
	return 0;
}
