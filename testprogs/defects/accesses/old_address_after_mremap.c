// defect: after-free
#define _GNU_SOURCE
#include <sys/mman.h>
int main(void) {
    char *area = mmap(0, 12288, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0); // allocated
    if (area == MAP_FAILED)
        return 0;
    char *moved = mremap(area, 4096, 65536, MREMAP_MAYMOVE); // ended
    if (moved == MAP_FAILED)
        return 0;
    moved[9000] = 1;
    area[10] = 2; // here
    return 0;
}
