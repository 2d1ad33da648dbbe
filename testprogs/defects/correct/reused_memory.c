#include <stdlib.h>
int main(void) {
    long sum = 0;
    for (int i = 0; i < 200; i++) {
        size_t count = 1 + (size_t)i % 7;
        long *p = malloc(count * sizeof *p);
        for (size_t k = 0; k < count; k++) p[k] = i;
        sum += p[count - 1];
        free(p);
    }
    return sum != 200 * 199 / 2;
}
