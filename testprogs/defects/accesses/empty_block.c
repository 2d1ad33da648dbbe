// defect: beyond
#include <stdlib.h>
int main(void) {
    volatile size_t none = 0;
    char *p = malloc(none); // allocated
    p[0] = 1; // here
    free(p);
    return 0;
}
