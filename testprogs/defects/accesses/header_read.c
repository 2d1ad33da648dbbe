// defect: before
#include <stdlib.h>
int main(void) {
    long *p = calloc(4, sizeof *p); // allocated
    long size = p[-1]; // here
    free(p);
    return size == 12345;
}
