// defect: invalid-free
#include <stdlib.h>
int main(void) {
    char *volatile p = malloc(64); // allocated
    p = realloc(p + 8, 100); // here
    return 0;
}
