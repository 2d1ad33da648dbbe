// defect: uninitialised
#include <stdlib.h>
struct option { int value; char set; };
int main(void) {
    struct option *o = malloc(sizeof *o); // allocated
    o->value = 3;
    int result = o->set ? 1 : 0; // here
    free(o);
    return result > 2;
}
