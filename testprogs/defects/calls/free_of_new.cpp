// defect: mismatched
#include <cstdlib>
struct Point { long x, y; };
int main() {
    auto *point = new Point{3, 4}; // allocated
    void *volatile same = point;
    long sum = point->x + point->y;
    std::free(same); // here
    return sum != 7;
}
