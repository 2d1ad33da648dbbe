// defect: neighbour
#include <stdlib.h>
struct line { char text[64]; };
int main(void) {
    struct line *a = malloc(4 * sizeof *a + 8); // allocated
    struct line *b = malloc(4 * sizeof *b + 8);
    for (int i = 0; i < 6; i++)
        a[i].text[40] = 'x'; // here
    free(a);
    free(b);
    return 0;
}
