// defect: after-free
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
// a64l loads a character at a time: the C library's code need not be a string function's
int main(void) {
    char *number = malloc(16); // allocated
    strcpy(number, "zzA3");
    free(number); // ended
    printf("%ld\n", a64l(number));
}
