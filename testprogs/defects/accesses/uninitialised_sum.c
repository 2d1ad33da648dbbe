// defect: uninitialised
#include <stdlib.h>
long total;
int main(void) {
    long *p = malloc(8 * sizeof *p); // allocated
    for (int i = 0; i < 7; i++) p[i] = i;
    for (int i = 0; i < 8; i++)
        total += p[i]; // here
    free(p);
    return 0;
}
