// defect: uninitialised
#include <stdlib.h>
#include <string.h>
int main(void) {
    volatile size_t length = 40;
    int *a = malloc(40), *b = malloc(40); // allocated
    a[0] = 1;
    memcpy(b, a, length);
    int result = b[0] == 1 && b[6] == 7; // here
    free(a);
    free(b);
    return result > 1;
}
