// defect: invalid-free
#include <stdlib.h>
#include <sys/mman.h>
int main(void) {
    int readable = PROT_READ | PROT_WRITE;
    char *volatile p = mmap(NULL, 4096, readable, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0); // allocated
    p[0] = 1;
    free(p + 64); // here
    return 0;
}
