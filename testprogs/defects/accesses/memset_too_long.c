// defect: beyond
#include <stdlib.h>
#include <string.h>
int main(void) {
    volatile size_t length = 48;
    char *p = malloc(40); // allocated
    memset(p, 0, length); // here
    free(p);
    return 0;
}
