// defect: never-freed
#include <stdlib.h>
#include <string.h>
int main(void) {
    for (int i = 0; i < 3; i++) {
        char *p = malloc(50); // allocated
        memset(p, 0, 50);
        if (i == 1) free(p);
    }
    return 0;
}
