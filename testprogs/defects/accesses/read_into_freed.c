// defect: after-free
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>
int main(void) {
    int zero = open("/dev/zero", O_RDONLY);
    char *p = malloc(64); // allocated
    free(p); // ended
    return read(zero, p, 64) != 64; // here
}
