#define _DEFAULT_SOURCE
#include <unistd.h>
int main(void) {
    long *p = sbrk(4096);
    long sum = 0;
    for (int i = 0; i < 512; i++) sum += p[i];
    for (int i = 0; i < 512; i++) p[i] = i;
    return sum != 0;
}
