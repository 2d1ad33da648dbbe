// defect: before
#include <stdlib.h>
int main(void) {
    int *p = malloc(10 * sizeof *p); // allocated
    for (int i = 9; i >= -1; i--)
        p[i] = 0; // here
    free(p);
    return 0;
}
