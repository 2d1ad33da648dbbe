// defect: beyond
// record: --quarantine 20M
#include <cstdlib>
struct cell { long a, b, c, d; };
int main() {
    cell *row = static_cast<cell *>(malloc(4 * sizeof(cell) + 8)); // allocated
    cell *next = static_cast<cell *>(malloc(4 * sizeof(cell) + 8));
    free(next);
    for (int i = 0; i < 6; i++)
        row[i].c = i; // here
    free(row);
    return 0;
}
