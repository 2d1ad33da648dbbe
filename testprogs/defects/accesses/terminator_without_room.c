// defect: beyond
#include <stdlib.h>
#include <string.h>
static char *copy(const char *text, size_t length) {
    char *to = malloc(length); // allocated
    memcpy(to, text, length);
    to[length] = 0; // here
    return to;
}
int main(void) {
    char *text = copy("abcdefgh", 8);
    free(text);
    return 0;
}
