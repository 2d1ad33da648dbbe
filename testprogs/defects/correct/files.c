#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv) {
    (void)argc;
    FILE *in = fopen(argv[0], "r");
    FILE *out = tmpfile();
    char *line = NULL, *text = NULL, *buffer = malloc(4096);
    size_t room = 0;
    if (fread(buffer, 1, 4096, in) != 4096 || buffer[1] != 'E') return 1;
    fprintf(out, "%s %d\n%.10s\n", "a line", 42, "another one");
    rewind(out);
    while (getline(&line, &room, out) > 0)
        if (strlen(line) < 3) return 2;
    if (asprintf(&text, "%d and %s", 7, line) < 0 || text[0] != '7') return 3;
    fclose(in);
    fclose(out);
    free(line);
    free(text);
    free(buffer);
    return 0;
}
