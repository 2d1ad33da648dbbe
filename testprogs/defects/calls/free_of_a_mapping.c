// defect: invalid-free
#include <stdlib.h>
#include <sys/mman.h>
int main(void) {
    char *volatile p = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0); // allocated
    p[0] = 1;
    free(p + 64); // here
    return 0;
}
