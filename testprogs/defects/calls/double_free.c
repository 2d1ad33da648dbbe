// defect: double-free
#include <stdlib.h>
int main(void) {
    char *p = malloc(24); // allocated
    free(p); // ended
    free(p); // here
    return 0;
}
