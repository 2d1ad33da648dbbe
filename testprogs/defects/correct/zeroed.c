#include <stdlib.h>
struct table { int used; long entries[40]; };
int main(void) {
    long sum = 0;
    for (int i = 0; i < 5; i++) {
        struct table *table = calloc(1, sizeof *table);
        for (int k = 0; k < 40; k++) sum += table->entries[k];
        table->entries[i] = 5;
        free(table);
    }
    return sum != 0;
}
