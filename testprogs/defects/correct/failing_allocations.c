#include <stdint.h>
#include <stdlib.h>
int main(void) {
    volatile size_t huge = PTRDIFF_MAX;
    char *p = malloc(16);
    p[0] = 'a';
    if (realloc(p, huge) || malloc(huge) || calloc(huge, 8)) return 1;
    int result = p[0] != 'a';
    p[15] = 1;
    free(p);
    return result;
}
