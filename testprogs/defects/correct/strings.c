#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    char *texts[40];
    size_t length = 0;
    for (int i = 0; i < 40; i++) {
        texts[i] = malloc((size_t)i + 1);
        memset(texts[i], 'a', (size_t)i);
        texts[i][i] = 0;
    }
    for (int i = 0; i < 40; i += 3) free(texts[i]);
    for (int i = 1; i < 40; i++) {
        if (i % 3 == 0) continue;
        char *other = strdup(texts[i]);
        length += strlen(texts[i]) + (strchr(texts[i], 'b') != NULL) + (strcmp(texts[i], other) != 0) + (memchr(texts[i], 'c', (size_t)i) != NULL);
        free(other);
        free(texts[i]);
    }
    return length != 40 * 39 / 2 - 3 * 13 * 14 / 2;
}
