// defect: overlap
#include <stdlib.h>
#include <string.h>
int main(void) {
    volatile size_t length = 40;
    char *line = calloc(1, 80); // allocated
    line[0] = 'a';
    memcpy(line + 8, line, length); // here
    int last = line[79];
    free(line);
    return last;
}
