#include <stdlib.h>
int main(void) {
    size_t room = 1, used = 0;
    int *p = malloc(sizeof *p);
    for (int i = 0; i < 3000; i++) {
        if (used == room) {
            room *= 2;
            p = realloc(p, room * sizeof *p);
        }
        p[used++] = i;
    }
    long sum = 0;
    for (size_t i = 0; i < used; i++) sum += p[i];
    p = realloc(p, 16);
    sum += p[3];
    free(p);
    return sum != 3000L * 2999 / 2 + 3;
}
