#include <stdlib.h>
struct flags {
    unsigned open : 1, mode : 3, count : 12;
    unsigned char last : 2;
    unsigned long wide : 40;
};
int main(void) {
    struct flags *f = malloc(sizeof *f);
    f->open = 1;
    f->mode = 5;
    f->count = 77;
    f->last = 2;
    f->wide = 1UL << 35;
    int result = f->open != 1 || f->mode != 5 || f->count != 77 || f->last != 2
            || f->wide >> 35 != 1;
    free(f);
    return result;
}
