// defect: mismatched
#include <cstdlib>
struct Point { long x, y; };
static Point *volatile kept;
int main() {
    kept = static_cast<Point *>(std::malloc(sizeof(Point))); // allocated
    kept->x = 3;
    Point *point = kept;
    delete point; // here
    return 0;
}
