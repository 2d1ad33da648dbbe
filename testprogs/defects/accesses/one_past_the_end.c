// defect: beyond
#include <stdlib.h>
int main(void) {
    int *p = malloc(10 * sizeof *p); // allocated
    for (int i = 0; i <= 10; i++)
        p[i] = i; // here
    free(p);
    return 0;
}
