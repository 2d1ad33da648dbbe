// defect: beyond
#include <stdlib.h>
#include <string.h>
static const char source[64] = "source";
int main(void) {
    volatile size_t length = 23;
    char *p = malloc(20); // allocated
    memcpy(p, source, length); // here
    free(p);
    return 0;
}
