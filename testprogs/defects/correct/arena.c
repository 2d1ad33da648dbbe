#include <stdlib.h>
#include <string.h>
struct arena { char *start, *next, *end; };
static void *take(struct arena *arena, size_t size) {
    char *p = arena->next;
    size = (size + 15) & ~(size_t)15;
    if (p + size > arena->end) return NULL;
    arena->next += size;
    return p;
}
int main(void) {
    struct arena arena;
    int count = 0;
    arena.start = arena.next = malloc(1000);
    arena.end = arena.start + 1000;
    for (char *p; (p = take(&arena, 24)); count++) {
        strcpy(p, "something");
        if (strlen(p) != 9) return 1;
    }
    free(arena.start);
    return count != 31;
}
