// defect: uninitialised
// record: --stack
#include <stdio.h>
static int __attribute__((noinline)) sum(int count) {
    int numbers[16];
    for (int i = 0; i < count; i++) {
        numbers[i] = i;
    }
    int all = 0;
    for (int i = 0; i < count; i++) {
        all += numbers[i];
    }
    return all;
}
static int __attribute__((noinline)) choose(int argument) {
    volatile int result;
    if (argument > 100) {
        result = argument;
    }
    return result + 1; // here
}
int main(int argc, char **argv) {
    (void) argv;
    printf("%d\n", sum(16) > 0);
    return choose(argc) == 7;
}
