#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
static char *format(const char *how, ...) {
    va_list arguments, again;
    va_start(arguments, how);
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, how, arguments);
    char *text = malloc((size_t)length + 1);
    vsnprintf(text, (size_t)length + 1, how, again);
    va_end(arguments);
    va_end(again);
    return text;
}
int main(void) {
    char *text = format("%d %s %.2f %c", 1, "two", 3.0, '4');
    int result = text[0] != '1' || text[2] != 't';
    free(text);
    return result;
}
