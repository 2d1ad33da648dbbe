// defect: after-free
#include <stdlib.h>
#include <string.h>
char to[32];
int main(void) {
    volatile size_t length = 24;
    char *p = malloc(32); // allocated
    memset(p, 1, 32);
    free(p); // ended
    memcpy(to, p, length); // here
    return 0;
}
