// defect: uninitialised
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>
int main(void) {
    int null = open("/dev/null", O_WRONLY);
    char *p = malloc(128); // allocated
    if (write(null, p, 128) != 128) return 1; // here
    free(p);
    return 0;
}
