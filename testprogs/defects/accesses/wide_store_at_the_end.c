// defect: beyond
#include <stdlib.h>
#include <stdint.h>
int main(void) {
    char *p = malloc(13); // allocated
    *(volatile uint32_t *)(p + 10) = 1; // here
    free(p);
    return 0;
}
