#define _GNU_SOURCE
#include <string.h>
#include <sys/mman.h>
static char *top, *end;
static void *take(size_t size) {
    if (top + size > end) {
        top = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        end = top + 8192;
    }
    void *p = top;
    top += size;
    return p;
}
int main(void) {
    long sum = 0;
    for (int i = 0; i < 10; i++) {
        long *p = take(2000);
        sum += p[7];
        memset(p, 1, 2000);
    }
    return sum != 0;
}
