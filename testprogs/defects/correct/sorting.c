#include <stdlib.h>
#include <string.h>
struct entry { char key[12]; int value; };
static int compare(const void *a, const void *b) {
    return strcmp(((const struct entry *)a)->key, ((const struct entry *)b)->key);
}
int main(void) {
    struct entry *entries = malloc(50 * sizeof *entries);
    for (int i = 0; i < 50; i++) {
        entries[i].key[0] = (char)('a' + i * 7 % 26);
        entries[i].key[1] = (char)('a' + i % 5);
        entries[i].key[2] = 0;
        entries[i].value = i;
    }
    qsort(entries, 50, sizeof *entries, compare);
    struct entry key = {.key = "hb"};
    struct entry *found = bsearch(&key, entries, 50, sizeof key, compare);
    int result = found == NULL || found->value != 1;
    free(entries);
    return result;
}
