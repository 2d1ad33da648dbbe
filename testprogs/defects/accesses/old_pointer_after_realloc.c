// defect: after-realloc
#include <stdlib.h>
int main(void) {
    long *p = malloc(4 * sizeof *p); // allocated
    long *wall = malloc(64);
    p[0] = 5;
    long *q = realloc(p, 4000); // ended
    q[1] = 6;
    p[1] = 7; // here
    free(q);
    free(wall);
    return 0;
}
