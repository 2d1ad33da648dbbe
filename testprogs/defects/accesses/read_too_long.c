// defect: beyond
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>
int main(void) {
    int zero = open("/dev/zero", O_RDONLY);
    volatile size_t length = 104;
    char *p = malloc(100); // allocated
    if (read(zero, p, length) != 104) return 1; // here
    free(p);
    return 0;
}
