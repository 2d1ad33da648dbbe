// defect: realloc-freed
#include <stdlib.h>
int main(void) {
    char *p = malloc(2000); // allocated
    free(p); // ended
    p = realloc(p, 4000); // here
    return 0;
}
