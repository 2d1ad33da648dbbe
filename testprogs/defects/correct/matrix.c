#include <stdlib.h>
enum { ROWS = 7, COLS = 9 };
int main(void) {
    double **m = malloc(ROWS * sizeof *m), sum = 0;
    for (int r = 0; r < ROWS; r++) {
        m[r] = malloc(COLS * sizeof **m);
        for (int c = 0; c < COLS; c++) m[r][c] = r * c;
    }
    for (int c = 0; c < COLS; c += 2)
        for (int r = 0; r < ROWS; r++) sum += m[r][c];
    for (int r = 0; r < ROWS; r++)
        for (int c = 0; c < COLS; c += 2) sum += m[r][c];
    for (int r = 0; r < ROWS; r++) free(m[r]);
    free(m);
    return sum < 0;
}
