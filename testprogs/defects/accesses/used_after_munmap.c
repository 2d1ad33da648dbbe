// defect: after-free
#include <sys/mman.h>
static char *map(void) {
    void *area = mmap(0, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0); // allocated
    return area == MAP_FAILED ? 0 : area;
}
static void drop(char *area) {
    munmap(area, 8192); // ended
}
int main(void) {
    char *area = map();
    if (!area)
        return 0;
    area[5000] = 1;
    drop(area);
    return area[5000]; // here
}
