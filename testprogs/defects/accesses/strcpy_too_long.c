// defect: beyond
#include <stdlib.h>
#include <string.h>
static const char *volatile text = "a name of 34 characters, in a row!";
int main(void) {
    char *p = malloc(24); // allocated
    strcpy(p, text); // somewhere
    free(p);
    return 0;
}
