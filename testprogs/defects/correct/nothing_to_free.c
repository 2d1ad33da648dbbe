#include <stdlib.h>
int main(void) {
    free(NULL);
    void *none = malloc(0);
    void *grown = realloc(NULL, 10);
    *(char *)grown = 1;
    none = realloc(none, 20);
    *(char *)none = 2;
    free(none);
    free(grown);
    free(malloc(0));
    return 0;
}
