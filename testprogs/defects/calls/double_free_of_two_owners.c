// defect: double-free
#include <stdlib.h>
struct list { int *items; };
static void done(struct list *list) {
    free(list->items); // here
}
int main(void) {
    struct list a, b;
    a.items = malloc(400); // allocated
    b = a;
    done(&a);
    done(&b);
    return 0;
}
