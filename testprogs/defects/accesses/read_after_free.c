// defect: after-free
#include <stdlib.h>
int main(void) {
    int *p = malloc(10 * sizeof *p); // allocated
    p[3] = 1;
    free(p); // ended
    return p[3] > 1 << 30; // here
}
