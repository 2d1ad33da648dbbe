// defect: after-realloc
#include <stdlib.h>
#include <string.h>
struct text { char *bytes; size_t length; };
static void append(struct text *text, const char *more) {
    size_t count = strlen(more);
    text->bytes = realloc(text->bytes, text->length + count + 1); // ended
    memcpy(text->bytes + text->length, more, count + 1);
    text->length += count;
}
int main(void) {
    struct text text = {malloc(8), 0}; // allocated
    void *wall = malloc(24);
    memcpy(text.bytes, "abc", 4);
    text.length = 3;
    const char *third = text.bytes + 2;
    append(&text, " and a text that needs much more room than there was at first,"
                  " so that it has to move elsewhere");
    volatile char kept = *third; // here
    free(text.bytes);
    free(wall);
    return kept == 1;
}
