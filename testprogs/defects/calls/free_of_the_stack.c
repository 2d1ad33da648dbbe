// defect: invalid-free
#include <stdlib.h>
int main(void) {
    char room[64] __attribute__((aligned(16)));
    char *volatile p = room;
    free(p); // here
    return 0;
}
