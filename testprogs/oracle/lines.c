/* Lines of streams: getline, getdelim, fgets, scanf, seeking, pushing back; a file, a stream in
 * memory and a pipe. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void lines_of(FILE *file)
{
	char *line = NULL;
	size_t room = 0;
	ssize_t length;
	long sum = 0;

	while ((length = getline(&line, &room, file)) > 0) {
		int first = 0, second = 0;
		char word[20] = "";

		sscanf(line, "%d %19s %d", &first, word, &second);
		sum += length * first + second + word[0];
	}
	printf("%ld\n", sum);
	free(line);
}

static void pieces_of(FILE *file)
{
	char word[30], *piece = NULL;
	size_t room = 0;
	int number;

	rewind(file);
	if (fgets(word, sizeof word, file) && fscanf(file, "%d %29s", &number, word) == 2)
		printf("%d %s\n", number, word);
	while (getdelim(&piece, &room, ' ', file) > 0 && ftell(file) < 200)
		;
	ungetc('#', file);
	printf("%c%c %ld\n", getc(file), getc(file), ftell(file));
	fseek(file, -20, SEEK_END);
	printf("%s", fgets(word, sizeof word, file) ? word : "nothing\n");
	free(piece);
}

int main(void)
{
	static char memory[] = "1 one 10\n2 two 20\n3 three 30\nlast";
	FILE *file = tmpfile(), *reader = fmemopen(memory, sizeof memory - 1, "r");
	int ends[2];

	for (int i = 0; i < 90; i++)
		fprintf(file, "%d word%d %d\n", i, i % 7, i * i);
	rewind(file);
	lines_of(file);
	pieces_of(file);
	lines_of(reader);
	fclose(reader);
	fclose(file);
	if (pipe(ends) == 0 && write(ends[1], "7 piped 8\n9", 11) == 11) {
		close(ends[1]);
		file = fdopen(ends[0], "r");
		lines_of(file);
		fclose(file);
	}
	return 0;
}
