// defect: overlap
#include <stdlib.h>
#include <string.h>
int main(void) {
    char *line = malloc(64); // allocated
    memset(line, ' ', 4);
    strcpy(line + 4, "an indented line");
    char *volatile from = line + 4;
    strcpy(line, from); // here
    int first = line[0];
    free(line);
    return first != 'a';
}
