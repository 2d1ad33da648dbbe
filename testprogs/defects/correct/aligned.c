#define _ISOC11_SOURCE
#define _GNU_SOURCE
#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    void *p = NULL;
    char *a = aligned_alloc(64, 192), *b = memalign(4096, 100);
    if (posix_memalign(&p, 256, 77) || ((uintptr_t)p | (uintptr_t)a | (uintptr_t)b) & 63) return 1;
    memset(a, 1, 192);
    memset(b, 2, 100);
    memset(p, 3, 77);
    int sum = a[191] + b[99] + ((char *)p)[76];
    free(a);
    free(b);
    free(p);
    return sum != 6;
}
