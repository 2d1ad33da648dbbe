#include <stdlib.h>
#include <string.h>
struct message { int length; char text[]; };
int main(void) {
    const char *text = "a message of some length";
    size_t length = strlen(text);
    struct message *m = malloc(sizeof *m + length + 1);
    m->length = (int)length;
    memcpy(m->text, text, length + 1);
    int result = m->text[m->length] != 0 || m->text[0] != 'a';
    free(m);
    return result;
}
