/* Uses all of a block that malloc_usable_size says it may, where larger blocks lay before. */
#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
static size_t fill(volatile char *block)
{
    size_t size = malloc_usable_size((char *)block);
    for (size_t i = 0; i < size; i++) block[i] = (char)i;
    return size;
}
int main(void)
{
    char *old = malloc(3000), *keep = malloc(10);
    old[0] = 1;
    free(old);
    char *large = malloc(2000), *small = malloc(900);
    size_t size = fill(large);
    pid_t child = fork();
    if (child == 0) {
        large[size - 1] = 2;
        _exit(0);
    }
    waitpid(child, NULL, 0);
    memset(large, 1, size);
    for (int round = 0; round < 3; round++) {
        char *one = malloc(100);
        fill(one);
        one = realloc(one, 200 + 8 * round);
        fill(one);
        free(one);
    }
    free(large);
    free(small);
    free(keep);
    return size < 2000;
}
