// defect: beyond
#include <stdlib.h>
int main(void) {
    int sum = 0;
    int *p = calloc(6, sizeof *p); // allocated
    for (int i = 0; i < 7; i++)
        sum += p[i]; // here
    free(p);
    return sum > 1 << 30;
}
