#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
int main(int argc, char **argv) {
    (void)argc;
    int file = open(argv[0], O_RDONLY);
    char *p = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, file, 0);
    char *zero = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    int result = p[1] != 'E' || zero[4095] != 0;
    munmap(p, 4096);
    munmap(zero, 4096);
    return result;
}
