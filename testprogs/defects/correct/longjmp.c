#include <setjmp.h>
#include <stdlib.h>
static jmp_buf out;
static char *text;
static void deeper(int n) {
    char room[100];
    room[n] = (char)n;
    if (n == 5) longjmp(out, room[5]);
    deeper(n + 1);
}
int main(void) {
    text = malloc(10);
    text[0] = 1;
    int came = setjmp(out);
    if (!came) deeper(0);
    free(text);
    return came != 5;
}
