// defect: uninitialised
#include <stdlib.h>
int main(void) {
    int *p = malloc(4 * sizeof *p);
    for (int i = 0; i < 4; i++) p[i] = i;
    p = realloc(p, 4000); // allocated
    int result = p[3] + (p[500] != 0); // here
    free(p);
    return result < 3;
}
