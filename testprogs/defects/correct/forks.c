#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
int main(void) {
    int status;
    int *p = malloc(40);
    for (int i = 0; i < 10; i++) p[i] = i;
    pid_t child = fork();
    if (child == 0) {
        p[9] += p[8];
        int result = p[9] != 17;
        free(p);
        _exit(result);
    }
    waitpid(child, &status, 0);
    free(p);
    return status;
}
