// defect: beyond
#include <stdlib.h>
struct small { int a; };
struct large { int a, b; };
int main(void) {
    struct large *p = (struct large *)malloc(sizeof(struct small)); // allocated
    p->a = 1;
    p->b = 2; // here
    free(p);
    return 0;
}
