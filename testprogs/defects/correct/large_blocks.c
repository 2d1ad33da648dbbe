#include <stdlib.h>
#include <string.h>
int main(void) {
    char *a = malloc(300000), *b = malloc(500001);
    memset(a, 1, 300000);
    memcpy(b, a, 300000);
    memset(b + 300000, 2, 200001);
    int result = b[0] + b[500000] + a[299999] != 4;
    a = realloc(a, 900000);
    result |= a[299999] != 1;
    free(a);
    free(b);
    return result;
}
