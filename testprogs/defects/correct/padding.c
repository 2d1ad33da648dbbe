#include <stdlib.h>
#include <string.h>
struct padded { char a; long b; short c; };
struct wide { char name[40]; int used; long unused[3]; };
int main(void) {
    struct padded *p = malloc(2 * sizeof *p);
    struct wide *w = malloc(2 * sizeof *w);
    p[0].a = 1;
    p[0].b = 2;
    p[0].c = 3;
    p[1] = p[0];
    strcpy(w[0].name, "short");
    w[0].used = 1;
    w[1] = w[0];
    struct wide local = w[1];
    memcpy(&p[0], &p[1], sizeof *p);
    int result = p[0].b + p[1].c + local.used + w[1].used != 7;
    free(p);
    free(w);
    return result;
}
