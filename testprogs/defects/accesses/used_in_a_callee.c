// defect: after-free
// record: --record accesses,calls
#include <stdlib.h>
struct item { int weight; };
static void __attribute__((noinline)) drop(struct item *item) {
    free(item); // ended
}
static int __attribute__((noinline)) weight(struct item *item) {
    return item->weight; // here
}
static int __attribute__((noinline)) both(struct item *a, struct item *b) { // called
    return weight(a) + weight(b);
}
int main(void) {
    struct item *a = calloc(1, sizeof *a);
    struct item *b = calloc(1, sizeof *b); // allocated
    drop(b);
    int result = both(a, b);
    free(a);
    return result > 0 ? 0 : 1;
}
