// defect: invalid-free
#include <stdlib.h>
int main(void) {
    char *volatile p = malloc(64); // allocated
    char *q = p + 16;
    free(q); // here
    return 0;
}
