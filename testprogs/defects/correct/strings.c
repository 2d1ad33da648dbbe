#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct pair { char text[48]; int number; };
// Copies that may overlap, copies onto themselves, and copies that end where they begin.
static int copies(void) {
    struct pair *pair = calloc(2, sizeof *pair);
    struct pair *volatile same = pair;
    strcpy(pair->text, "moved within itself");
    memmove(pair->text + 3, pair->text, 20);
    *same = *pair;
    memcpy(&pair[1], &pair[0], sizeof *pair);
    memcpy(pair->text + 24, pair->text, 24);
    int wrong = strcmp(pair[1].text + 3, "moved within itself") != 0 || pair->text[24] != 'm';
    free(pair);
    return wrong;
}
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
        length += strlen(texts[i]) + (strchr(texts[i], 'b') != NULL);
        length += (strcmp(texts[i], other) != 0) + (memchr(texts[i], 'c', (size_t)i) != NULL);
        free(other);
        free(texts[i]);
    }
    return copies() || length != 40 * 39 / 2 - 3 * 13 * 14 / 2;
}
