// defect: after-free
#include <stdlib.h>
#include <string.h>
int main(void) {
    char *name = malloc(600); // allocated
    strcpy(name, "somebody");
    free(name); // ended
    return strlen(name) == 5; // somewhere
}
