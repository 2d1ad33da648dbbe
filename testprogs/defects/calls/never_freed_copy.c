// defect: never-freed
#include <stdlib.h>
#include <string.h>
int main(void) {
    return strdup("left behind") == NULL; // somewhere
}
