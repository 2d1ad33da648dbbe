#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
// Where the processor has AVX512VL, these compare by loads that are masked, and some of those leave
// out the only byte that is a string's.
static char names[64] = "\0second name in the same table, and more of it";
int main(void) {
    int (*volatile compare)(const char *, const char *) = strcmp;
    int (*volatile compare_some)(const char *, const char *, size_t) = strncmp;
    int (*volatile find)(const char *, const char *) = strcasecmp;
    char *one = malloc(1), *same = malloc(1), *copy = strdup("");
    int different = 0;
    *one = *same = 0;
    for (int i = 0; i < 10; i++) {
        different |= compare(names, one) | compare(names, same) | compare(names, copy);
        different |= compare(one, names) | compare_some(names, same, 20) | find(names, one);
    }
    free(one);
    free(same);
    free(copy);
    return different;
}
