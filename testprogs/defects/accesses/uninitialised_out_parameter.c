// defect: uninitialised
// record: --stack
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static int __attribute__((noinline)) parse(const char *text, long *value) {
    char *end;
    long number = strtol(text, &end, 10);
    if (*end != 0) {
        return -1;
    }
    *value = number;
    return 0;
}
static long __attribute__((noinline)) work(const char *text) {
    volatile char room[200];
    for (size_t i = 0; i < sizeof room; i++) {
        room[i] = text[i % strlen(text)];
    }
    return room[7];
}
static long __attribute__((noinline)) twice(const char *text) {
    long value;
    parse(text, &value);
    return 2 * value; // here
}
int main(void) {
    long all = work("some text");
    return all + twice("12x") == 24; // called
}
