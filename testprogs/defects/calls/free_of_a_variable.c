// defect: invalid-free
#include <stdlib.h>
static char room[64] __attribute__((aligned(16)));
int main(void) {
    char *volatile p = room;
    free(p); // here
    return 0;
}
