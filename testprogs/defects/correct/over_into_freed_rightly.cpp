#include <cstdlib>
struct cell { long a, b, c, d; };
int main() {
    cell *row = static_cast<cell *>(malloc(4 * sizeof(cell) + 8));
    cell *next = static_cast<cell *>(malloc(4 * sizeof(cell) + 8));
    free(next);
    for (int i = 0; i < 4; i++)
        row[i].c = i;
    free(row);
    return 0;
}
